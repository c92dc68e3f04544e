import { Hono } from "hono";
import * as PATHS from "../../api/contract/v3/paths.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { requirePaidPlan } from "../account/plan.js";
import { readJsonObject } from "../http/request.js";
import { addTemplate, changeTemplate, deleteTemplate, findTemplate } from "../templates/operations.js";
import { templateSummaryV4, templateV4 } from "../v4/wire.js";

/** Templates as in version 4, "also" with `success` (part 4). */
export function templateRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { templates } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.templates, (c) => {
      return c.json({ templates: templates.list(c.get("domain").id).map(templateSummaryV4), success: true });
    })
    .get(PATHS.template, (c) => {
      const template = findTemplate(context, c.get("domain").id, c.req.param("name"));
      return c.json({ template: templateV4(template), success: true });
    })
    .post(PATHS.templates, async (c) => {
      requirePaidPlan(c.get("account"));
      const template = addTemplate(context, c.get("domain").id, await readJsonObject(c.req.raw));
      return c.json({ template: templateV4(template), success: true });
    })
    .put(PATHS.template, async (c) => {
      const body = await readJsonObject(c.req.raw);
      const template = changeTemplate(context, c.get("domain").id, c.req.param("name"), body);
      return c.json({ template: templateV4(template), success: true });
    })
    .delete(PATHS.template, (c) => {
      deleteTemplate(context, c.get("domain").id, c.req.param("name"));
      return c.json({ success: true });
    });
}
