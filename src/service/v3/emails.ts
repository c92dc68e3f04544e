import { Hono } from "hono";
import * as PATHS from "../../api/contract/v3/paths.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { sendEmail } from "../outbound/send.js";
import { readJsonObject } from "../http/request.js";

/** Sending as in version 4, "also" with `success` (part 4). */
export function emailRoutes(context: ServiceContext): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post(PATHS.outboundEmails, async (c) => {
    const accepted = await sendEmail(context, c.get("account"), c.get("domain"), () => readJsonObject(c.req.raw));
    return c.json({ ...accepted, success: true });
  });
}
