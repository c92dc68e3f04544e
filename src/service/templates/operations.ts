import { newTemplateSchema, templateChangesSchema } from "../../api/contract/v4/templates.js";
import { BODY_MAX, TEMPLATES_PER_DOMAIN } from "../../api/limits.js";
import { badRequest, invalidFields, notFound } from "../http/api-error.js";
import type { ServiceContext } from "../context.js";
import type { TemplateRecord } from "../store/templates.js";
import { checkTemplate } from "./template-check.js";

/** Values of fields that were never set, which the documents leave open. */
const emptyFields = { description: "", subject: "", html_body: "", text_body: "" };

type Templates = Pick<ServiceContext, "store" | "clock" | "settings">;

/** @throws ApiError (404) if the domain has no such template. */
export function findTemplate({ store }: Templates, domainId: number, name: string): TemplateRecord {
  const template = store.templates.find(domainId, name);
  if (!template) throw notFound("There is no template with this name on the domain.");
  return template;
}

/** @throws ApiError (400) as listed in version 4, part 7, for creating. */
export function addTemplate(context: Templates, domainId: number, body: Record<string, unknown>): TemplateRecord {
  const { store, clock, settings } = context;
  const fields = { ...emptyFields, ...checkTemplate(newTemplateSchema, body) };
  refuseTaken(context, domainId, fields.name);
  if (store.templates.count(domainId) >= TEMPLATES_PER_DOMAIN) {
    throw badRequest(`A domain can have at most ${TEMPLATES_PER_DOMAIN} templates.`);
  }
  const stored = settings.get().normaliseBodies ? normaliseBodies(fields) : fields;
  store.templates.create(domainId, stored, clock.now());
  return findTemplate(context, domainId, fields.name);
}

/**
 * Changes the fields that are in the body. A different name renames the template.
 *
 * @throws ApiError: 400 as listed in version 4, part 7, for updating, 404 if the domain has no such template.
 */
export function changeTemplate(
  context: Templates,
  domainId: number,
  name: string,
  body: Record<string, unknown>,
): TemplateRecord {
  const { store, clock, settings } = context;
  const changes = checkTemplate(templateChangesSchema, body);
  const template = findTemplate(context, domainId, name);
  const stored = settings.get().normaliseBodies ? normaliseBodies(changes) : changes;
  const fields = { ...template, ...stored };
  if (fields.name !== template.name) refuseTaken(context, domainId, fields.name);
  store.templates.update(template.id, fields, clock.now());
  return findTemplate(context, domainId, fields.name);
}

/** @throws ApiError (404) if the domain has no such template. */
export function deleteTemplate(context: Templates, domainId: number, name: string): void {
  context.store.templates.delete(findTemplate(context, domainId, name).id);
}

function refuseTaken({ store }: Templates, domainId: number, name: string): void {
  if (store.templates.find(domainId, name)) {
    throw invalidFields({ name: ["name is already taken by another template of the domain"] });
  }
}

interface Bodies {
  readonly html_body?: string | undefined;
  readonly text_body?: string | undefined;
}

/**
 * Normalises a template's bodies as a service might: line ends as LF, no spaces at ends of lines, one line end at the
 * end if there is room for it.
 */
function normaliseBodies<Fields extends Bodies>(fields: Fields): Fields {
  const { html_body: html, text_body: text } = fields;
  return {
    ...fields,
    ...(html !== undefined && { html_body: normalise(html) }),
    ...(text !== undefined && { text_body: normalise(text) }),
  };
}

function normalise(body: string): string {
  const lines = body.split(/\r\n|\r|\n/).map((line) => line.replace(/[ \t]+$/, ""));
  const content = lines.join("\n").replace(/\n+$/, "");
  return content === "" ? "" : `${content}\n`.slice(0, BODY_MAX);
}
