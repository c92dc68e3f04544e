import { Hono } from "hono";
import type { ApiEnv, ServiceContext } from "../context.js";
import { aliasBatchRoutes } from "../v4/alias-batches.js";
import { ruleBatchRoutes } from "../v4/rule-batches.js";
import { accountRoutes } from "./account.js";
import { aliasBulkRoutes } from "./alias-bulk.js";
import { aliasRoutes } from "./aliases.js";
import { credentialRoutes } from "./credentials.js";
import { domainRoutes } from "./domains.js";
import { emailRoutes } from "./emails.js";
import { logRoutes } from "./logs.js";
import { ruleBulkRoutes } from "./rule-bulk.js";
import { ruleRoutes } from "./rules.js";
import { templateRoutes } from "./templates.js";

/** All endpoints of version 3, by resource. Paths are below `/v3`. */
export function apiV3(context: ServiceContext): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  for (const routes of [
    accountRoutes,
    domainRoutes,
    credentialRoutes,
    // Fixed paths first: an alias named batch can be reached by its id.
    aliasBatchRoutes,
    aliasBulkRoutes,
    aliasRoutes,
    ruleBatchRoutes,
    ruleBulkRoutes,
    ruleRoutes,
    logRoutes,
    emailRoutes,
    templateRoutes,
  ]) {
    api.route("/", routes(context));
  }
  return api;
}
