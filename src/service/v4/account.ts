import { Hono } from "hono";
import { type Account, accountSchema } from "../../api/contract/v4/account.js";
import * as PATHS from "../../api/contract/v4/paths.js";
import { isOverQuota } from "../account/quota.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import type { AccountRecord } from "../store/accounts.js";

export function accountRoutes(context: ServiceContext): Hono<ApiEnv> {
  return new Hono<ApiEnv>().get(PATHS.account, (c) => {
    const account = c.get("account");
    return c.json({ account: accountV4(account, isOverQuota(context, account)) });
  });
}

function accountV4({ profile }: AccountRecord, overQuota: boolean): Account {
  // Removes members that only version 3 shows.
  return accountSchema.parse({ ...profile, over_quota: overQuota });
}
