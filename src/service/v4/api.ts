import { Hono } from "hono";
import type { ApiEnv, ServiceContext } from "../context.js";
import { accountRoutes } from "./account.js";
import { domainRoutes } from "./domains.js";
import { emailRoutes } from "./emails.js";
import { logRoutes } from "./logs.js";
import { templateRoutes } from "./templates.js";

/** Every endpoint of version 4, by resource; paths are below `/v4`. */
export function apiV4(context: ServiceContext): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  for (const routes of [accountRoutes, domainRoutes, templateRoutes, emailRoutes, logRoutes]) {
    api.route("/", routes(context));
  }
  return api;
}
