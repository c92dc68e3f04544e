import type { Context } from "hono";
import { matchedRoutes } from "hono/route";

/** The path of the route that will respond: the first match that is not middleware. Middleware accepts all methods. */
export function endpointPath(c: Context): string {
  return matchedRoutes(c).find(({ method }) => method !== "ALL")?.path ?? "";
}
