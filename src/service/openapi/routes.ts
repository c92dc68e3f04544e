import { Hono } from "hono";
import { openApiDocument } from "./document.js";

/** `/openapi/v4.json` and `/openapi/v3.json`, for whoever asks: they hold nothing of the account. */
export function openApiRoutes(): Hono {
  return new Hono()
    .get("/openapi/v4.json", (c) => c.json(openApiDocument("v4")))
    .get("/openapi/v3.json", (c) => c.json(openApiDocument("v3")));
}
