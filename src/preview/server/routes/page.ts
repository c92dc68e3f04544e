import { Hono } from "hono";
import { readPage } from "../page.js";

/** The page itself. */
export function pageRoutes(): Hono {
  // Read while the server comes up.
  const reading = readPage();
  // Who asks for it is told.
  reading.catch(() => undefined);
  return new Hono()
    .get("/", async (c) => c.html((await reading).html))
    .get("/app.js", async (c) =>
      c.body((await reading).script, 200, { "Content-Type": "text/javascript; charset=utf-8" }),
    )
    .get("/app.css", async (c) => c.body((await reading).style, 200, { "Content-Type": "text/css; charset=utf-8" }))
    .get("/licences.txt", async (c) => c.text((await reading).licences));
}
