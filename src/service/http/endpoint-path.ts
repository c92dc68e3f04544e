import type { Context } from "hono";
import { matchedRoutes } from "hono/route";

/** The path of the route that will answer: the first that matches and is no middleware, which takes all methods. */
export function endpointPath(c: Context): string {
  return matchedRoutes(c).find(({ method }) => method !== "ALL")?.path ?? "";
}
