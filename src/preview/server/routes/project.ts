import { Hono } from "hono";
import { readBody } from "../http/body.js";
import { Refusal } from "../refusal.js";
import type { RouteContext } from "./context.js";

/** Serves the project as a whole. */
export function projectRoutes(context: RouteContext): Hono {
  const { workspace, access } = context;
  return new Hono()
    .get("/project", async (c) => c.json(await workspace.state()))
    .get("/contents", async (c) => c.json(await workspace.contents()))
    .post("/editor", async (c) => {
      const { file, line, column } = await readBody(c, "editor");
      if (!access.openEditor) throw new Refusal(404, "This preview can't open an editor.");
      await access.openEditor(await workspace.ownFile(file), line, column);
      return c.body(null, 204);
    })
    .put("/preferences", async (c) => {
      await context.preferences.change(await readBody(c, "preferences"));
      // Updates other windows too.
      workspace.tellProject();
      return c.body(null, 204);
    });
}
