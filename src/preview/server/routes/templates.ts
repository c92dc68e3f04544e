import { Hono } from "hono";
import type { ClientViewAnswer } from "../../contract.js";
import type { TemplateFiles } from "../access.js";
import { readBody } from "../http/body.js";
import { Refusal } from "../refusal.js";
import type { RouteContext } from "./context.js";

/** Serves templates with their reports and fixtures, and creates and renames them. */
export function templateRoutes({ workspace, access }: RouteContext): Hono {
  return new Hono()
    .get("/starters", async (c) => c.json((await access.templates?.starters()) ?? []))
    .post("/templates", async (c) => c.json(await files().create(await readBody(c, "newTemplate"))))
    .post("/templates/:name/rename", async (c) => {
      const { to } = await readBody(c, "rename");
      return c.json(await files().rename(c.req.param("name"), to));
    })
    .get("/templates/:name", async (c) => c.json(await workspace.detail(c.req.param("name"))))
    .get("/templates/:name/report", async (c) => c.json(await workspace.report(c.req.param("name"))))
    .post("/templates/:name/variables", async (c) =>
      c.json(await workspace.variables(c.req.param("name"), await readBody(c, "variables"))),
    )
    .post("/templates/:name/requests", async (c) => c.json(await workspace.requests(c.req.param("name"))))
    .post("/client-view", async (c) => {
      const { client, html } = await readBody(c, "clientView");
      const { clientView } = await import("../report/client-view.js");
      const answer: ClientViewAnswer = { html: clientView(html, client) };
      return c.json(answer);
    })
    .put("/templates/:name/fixtures/:fixture", async (c) =>
      c.json(await workspace.saveFixture(c.req.param("name"), c.req.param("fixture"), await readBody(c, "fixture"))),
    );

  function files(): TemplateFiles {
    if (access.templates) return access.templates;
    throw new Refusal(404, "This preview can't add or rename templates.");
  }
}
