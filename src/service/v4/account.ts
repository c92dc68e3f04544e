import { Hono } from "hono";
import { PATHS } from "../../api/contract/v4/paths.js";
import type { ApiEnv, ServiceContext } from "../context.js";

export function accountRoutes({ store }: ServiceContext): Hono<ApiEnv> {
  return new Hono<ApiEnv>().get(PATHS.account, (c) => c.json({ account: store.accounts.profile(c.get("account").id) }));
}
