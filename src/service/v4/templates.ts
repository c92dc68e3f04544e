import { Hono } from "hono";
import { PATHS } from "../../api/contract/v4/paths.js";
import { newTemplateSchema, templateChangesSchema } from "../../api/contract/v4/templates.js";
import { TEMPLATES_PER_DOMAIN } from "../../api/limits.js";
import { badRequest, invalidFields, notFound } from "../api-error.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { requirePaidPlan } from "../plan.js";
import { readJsonObject } from "../request.js";
import type { TemplateRecord } from "../store/templates.js";
import { checkTemplate } from "../template-check.js";
import { templateSummaryV4, templateV4 } from "./wire.js";

/** What a field is that was never set, which the document leaves open. */
const emptyFields = { description: "", subject: "", html_body: "", text_body: "" };

export function templateRoutes({ store, clock }: ServiceContext): Hono<ApiEnv> {
  const { templates } = store;

  function find(domainId: number, name: string): TemplateRecord {
    const template = templates.find(domainId, name);
    if (!template) throw notFound("There is no template of this name on the domain.");
    return template;
  }

  function refuseTaken(domainId: number, name: string): void {
    if (templates.find(domainId, name)) {
      throw invalidFields({ name: ["name is already taken by another template of the domain"] });
    }
  }

  return new Hono<ApiEnv>()
    .get(PATHS.templates, (c) => c.json({ templates: templates.list(c.get("domain").id).map(templateSummaryV4) }))
    .get(PATHS.template, (c) => c.json({ template: templateV4(find(c.get("domain").id, c.req.param("name"))) }))
    .post(PATHS.templates, async (c) => {
      requirePaidPlan(c.get("account"));
      const fields = { ...emptyFields, ...checkTemplate(newTemplateSchema, await readJsonObject(c.req.raw)) };
      const domain = c.get("domain");
      refuseTaken(domain.id, fields.name);
      if (templates.count(domain.id) >= TEMPLATES_PER_DOMAIN) {
        throw badRequest(`A domain can have at most ${TEMPLATES_PER_DOMAIN} templates.`);
      }
      templates.create(domain.id, fields, clock.now());
      return c.json({ template: templateV4(find(domain.id, fields.name)) });
    })
    .put(PATHS.template, async (c) => {
      const { id: domainId } = c.get("domain");
      const changes = checkTemplate(templateChangesSchema, await readJsonObject(c.req.raw));
      const template = find(domainId, c.req.param("name"));
      const fields = { ...template, ...changes };
      if (fields.name !== template.name) refuseTaken(domainId, fields.name);
      templates.update(template.id, fields, clock.now());
      return c.json({ template: templateV4(find(domainId, fields.name)) });
    })
    .delete(PATHS.template, (c) => {
      const { id } = find(c.get("domain").id, c.req.param("name"));
      templates.delete(id);
      return c.body(null, 204);
    });
}
