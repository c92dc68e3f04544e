import { Hono } from "hono";
import * as PATHS from "../../api/contract/v4/paths.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { sendEmail } from "../outbound/send.js";
import { readJsonObject } from "../http/request.js";

export function emailRoutes(context: ServiceContext): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post(PATHS.outboundEmails, async (c) =>
    c.json(await sendEmail(context, c.get("account"), c.get("domain"), () => readJsonObject(c.req.raw))),
  );
}
