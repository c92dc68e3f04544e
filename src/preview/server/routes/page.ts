import { readFile } from "node:fs/promises";
import { Hono } from "hono";
import { getMimeType } from "hono/utils/mime";
import { SANDBOX } from "../http/headers.js";
import { type Page, readPage } from "../page.js";
import { Refusal } from "../refusal.js";
import type { RouteContext } from "./context.js";

/** The page itself, and the project's images as its emails name them. */
export function pageRoutes({ workspace }: Pick<RouteContext, "workspace">): Hono {
  let reading: Promise<Page> | undefined;
  const page = () => (reading ??= readPage());
  return new Hono()
    .get("/", async (c) => c.html((await page()).html))
    .get("/app.js", async (c) =>
      c.body((await page()).script, 200, { "Content-Type": "text/javascript; charset=utf-8" }),
    )
    .get("/app.css", async (c) => c.body((await page()).style, 200, { "Content-Type": "text/css; charset=utf-8" }))
    .get("/licences.txt", async (c) => c.text((await page()).licences))
    .get("/assets/*", async (c) => {
      // Only what is listed is there: no path leads anywhere else.
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
