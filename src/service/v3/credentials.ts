import { Hono } from "hono";
import type { CredentialV3 } from "../../api/contract/v3/credentials.js";
import * as PATHS from "../../api/contract/v3/paths.js";
import { credentialListQuery } from "../../api/contract/v4/credentials.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { addCredential, changePassword, deleteCredential } from "../credentials/operations.js";
import { requirePaidPlan } from "../account/plan.js";
import { readJsonObject, readQuery } from "../http/request.js";
import type { CredentialRecord } from "../store/credentials.js";
import { parse } from "../http/validate.js";

export function credentialRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { credentials } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.credentials, (c) => {
      requirePaidPlan(c.get("account"));
      // Responses of version 3 do not contain the page number.
      const { limit, page } = parse(credentialListQuery, readQuery(c.req));
      const records = credentials.list(c.get("domain").id, { limit, page });
      return c.json({ credentials: records.map(credentialV3), success: true });
    })
    .post(PATHS.credentials, async (c) => {
      requirePaidPlan(c.get("account"));
      const { credential, isFirst } = await addCredential(context, c.get("domain"), await readJsonObject(c.req.raw));
      return c.json({ credential: credentialV3(credential), requires_new_mx_check: isFirst, success: true });
    })
    .put(PATHS.credential, async (c) => {
      requirePaidPlan(c.get("account"));
      const body = await readJsonObject(c.req.raw);
      const credential = await changePassword(context, c.get("domain"), c.req.param("username"), body);
      return c.json({ credential: credentialV3(credential), success: true });
    })
    .delete(PATHS.credential, (c) => {
      requirePaidPlan(c.get("account"));
      deleteCredential(context, c.get("domain"), c.req.param("username"));
      return c.json({ success: true });
    });
}

function credentialV3({ username, usage, createdAt }: CredentialRecord): CredentialV3 {
  return { username, usage, created: createdAt };
}
