import { Hono } from "hono";
import type { ApiEnv, ServiceContext } from "../context.js";
import { accountRoutes } from "./account.js";
import { aliasBatchRoutes } from "./alias-batches.js";
import { aliasRoutes } from "./aliases.js";
import { credentialRoutes } from "./credentials.js";
import { domainRoutes } from "./domains.js";
import { emailRoutes } from "./emails.js";
import { logRoutes } from "./logs.js";
import { ruleBatchRoutes } from "./rule-batches.js";
import { ruleRoutes } from "./rules.js";
import { templateRoutes } from "./templates.js";

/** All endpoints of version 4, by resource. Paths are below `/v4`. */
export function apiV4(context: ServiceContext): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  for (const routes of [
    accountRoutes,
    domainRoutes,
    credentialRoutes,
    templateRoutes,
    emailRoutes,
    logRoutes,
    aliasBatchRoutes,
    aliasRoutes,
    ruleBatchRoutes,
    ruleRoutes,
  ]) {
    api.route("/", routes(context));
  }
  return api;
}
