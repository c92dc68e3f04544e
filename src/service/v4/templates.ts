import { Hono } from "hono";
import * as PATHS from "../../api/contract/v4/paths.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { requirePaidPlan } from "../account/plan.js";
import { readJsonObject } from "../http/request.js";
import { addTemplate, changeTemplate, deleteTemplate, findTemplate } from "../templates/operations.js";
import { templateSummaryV4, templateV4 } from "./wire.js";

export function templateRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { templates } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.templates, (c) => c.json({ templates: templates.list(c.get("domain").id).map(templateSummaryV4) }))
    .get(PATHS.template, (c) => {
      return c.json({ template: templateV4(findTemplate(context, c.get("domain").id, c.req.param("name"))) });
    })
    .post(PATHS.templates, async (c) => {
      requirePaidPlan(c.get("account"));
      const template = addTemplate(context, c.get("domain").id, await readJsonObject(c.req.raw));
      return c.json({ template: templateV4(template) });
    })
    .put(PATHS.template, async (c) => {
      const body = await readJsonObject(c.req.raw);
      return c.json({ template: templateV4(changeTemplate(context, c.get("domain").id, c.req.param("name"), body)) });
    })
    .delete(PATHS.template, (c) => {
      deleteTemplate(context, c.get("domain").id, c.req.param("name"));
      return c.body(null, 204);
    });
}
