import { Hono } from "hono";
import type { ApiEnv, ServiceContext } from "../context.js";

/** Every endpoint of version 3, by resource; paths are below `/v3`. */
export function apiV3(_context: ServiceContext): Hono<ApiEnv> {
  return new Hono<ApiEnv>();
}
