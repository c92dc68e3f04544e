import { type Context, Hono } from "hono";
import { type PageFile, readCompressed, readHtml, readText } from "../page.js";

const TYPES = {
  "ahead.js": "text/javascript; charset=utf-8",
  "app.js": "text/javascript; charset=utf-8",
  "app.css": "text/css; charset=utf-8",
  "licences.txt": "text/plain; charset=utf-8",
} satisfies Record<PageFile, string>;

/** Serves the page itself. */
export function pageRoutes(): Hono {
  const routes = new Hono().get("/", async (c) => c.html(withPrefetchScript(await readHtml())));
  routes.get("/ahead.js", (c) => answer(c, "ahead.js"));
  routes.get("/app.js", (c) => answer(c, "app.js"));
  routes.get("/app.css", (c) => answer(c, "app.css"));
  return routes.get("/licences.txt", (c) => answer(c, "licences.txt"));
}

/** Adds a small script before the large one. A static copy has no server to send requests to. */
function withPrefetchScript(html: string): string {
  return html.replace("<script defer", '<script src="./ahead.js"></script>\n    <script defer');
}

async function answer(c: Context, name: PageFile): Promise<Response> {
  const headers = { "Content-Type": TYPES[name], Vary: "Accept-Encoding" };
  if (!/\bbr\b/.test(c.req.header("accept-encoding") ?? "")) return c.body(await readText(name), 200, headers);
  return c.body(new Uint8Array(await readCompressed(name)), 200, { ...headers, "Content-Encoding": "br" });
}
