import { Hono } from "hono";
import { PATHS } from "../../api/contract/v4/paths.js";
import { forbidden } from "../api-error.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { deliver } from "../outbound/deliver.js";
import { readMessage } from "../outbound/message.js";
import { requirePaidPlan } from "../plan.js";
import { readJsonObject } from "../request.js";

export function emailRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { templates } = context.store;
  return new Hono<ApiEnv>().post(PATHS.outboundEmails, async (c) => {
    const domain = c.get("domain");
    requirePaidPlan(c.get("account"));
    if (!domain.sendReady) throw forbidden("The domain's DNS is not configured for sending.");
    const message = readMessage(await readJsonObject(c.req.raw), {
      name: domain.name,
      findTemplate: (name) => templates.find(domain.id, name),
    });
    return c.json(await deliver(message, domain, context));
  });
}
