import { readFile } from "node:fs/promises";
import { Hono } from "hono";
import { getMimeType } from "hono/utils/mime";
import { SANDBOX } from "../http/headers.js";
import { Refusal } from "../refusal.js";
import type { RouteContext } from "./context.js";

/** Serves the project's images under the URLs that its emails use. */
export function assetRoutes({ workspace }: Pick<RouteContext, "workspace">): Hono {
  return new Hono().get("/assets/*", async (c) => {
    // Only listed images are served, so no path can lead elsewhere.
    const file = await workspace.asset(decoded(c.req.path.slice("/assets/".length)));
    const content = file === undefined ? undefined : await readFile(file).catch(() => undefined);
    if (file === undefined || !content)
      throw new Refusal(404, "There is no such image in the project's _assets folders.");
    return c.body(new Uint8Array(content), 200, {
      "Content-Type": getMimeType(file) ?? "application/octet-stream",
      "Content-Security-Policy": SANDBOX,
    });
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
