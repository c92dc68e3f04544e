import { Hono } from "hono";
import { openApiDocument } from "./document.js";

/**
 * Serves `/openapi/v4.json` and `/openapi/v3.json` without authentication, because they contain nothing about the
 * account.
 */
export function openApiRoutes(): Hono {
  return new Hono()
    .get("/openapi/v4.json", (c) => c.json(openApiDocument("v4")))
    .get("/openapi/v3.json", (c) => c.json(openApiDocument("v3")));
}
