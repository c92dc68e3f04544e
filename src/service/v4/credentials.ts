import { Hono } from "hono";
import { type Credential, credentialListQuery } from "../../api/contract/v4/credentials.js";
import * as PATHS from "../../api/contract/v4/paths.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { addCredential, changePassword, deleteCredential } from "../credentials/operations.js";
import { requirePaidPlan } from "../account/plan.js";
import { readJsonObject, readQuery } from "../http/request.js";
import type { CredentialRecord } from "../store/credentials.js";
import { isoSeconds } from "../timestamp.js";
import { parse } from "../http/validate.js";

export function credentialRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { credentials } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.credentials, (c) => {
      requirePaidPlan(c.get("account"));
      const { id } = c.get("domain");
      const { limit, page } = parse(credentialListQuery, readQuery(c.req));
      const records = credentials.list(id, { limit, page });
      return c.json({ credentials: records.map(credentialV4), limit, page, total: credentials.count(id) });
    })
    .post(PATHS.credentials, async (c) => {
      requirePaidPlan(c.get("account"));
      const { credential, isFirst } = await addCredential(context, c.get("domain"), await readJsonObject(c.req.raw));
      return c.json({ credential: credentialV4(credential), requires_new_mx_check: isFirst });
    })
    .put(PATHS.credential, async (c) => {
      requirePaidPlan(c.get("account"));
      const body = await readJsonObject(c.req.raw);
      const credential = await changePassword(context, c.get("domain"), c.req.param("username"), body);
      return c.json({ credential: credentialV4(credential) });
    })
    .delete(PATHS.credential, (c) => {
      requirePaidPlan(c.get("account"));
      deleteCredential(context, c.get("domain"), c.req.param("username"));
      return c.body(null, 204);
    });
}

function credentialV4({ username, usage, createdAt }: CredentialRecord): Credential {
  return { username, usage, created_at: isoSeconds(createdAt) };
}
