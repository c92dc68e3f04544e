import type { z } from "zod";
import {
  newTemplateSchema,
  type StoredTemplate,
  type StoredTemplateSummary,
  templateChangesSchema,
} from "../api/contract/v4/templates.js";
import { BODY_MAX, TEMPLATES_PER_DOMAIN } from "../api/limits.js";
import { parse as parseMustache } from "../mustache/parse.js";
import { requirePaidPlan } from "./account.js";
import type { ServiceContext } from "./context.js";
import type { HandlersV4 } from "./endpoints.js";
import { badRequest, invalidFields, notFound } from "./http/api-error.js";
import { check, isText, Problems } from "./http/validate.js";
import { isoSeconds } from "./ids.js";
import type { TemplateRecord, TemplateSummaryRecord } from "./store/templates.js";

const MUSTACHE_FIELDS = ["subject", "html_body", "text_body"] as const;
const FIELDS = ["name", "description", ...MUSTACHE_FIELDS] as const;

/**
 * Checks the fields of a template, or of a change to one.
 *
 * @throws ApiError (400) with every field that is missing, too long, malformed or invalid Mustache (part 7).
 */
export function checkTemplate<Schema extends z.ZodType>(
  schema: Schema,
  body: Record<string, unknown>,
): z.output<Schema> {
  const problems = new Problems();
  const fields = check(schema, body, problems);
  for (const field of FIELDS) checkStorable(field, body[field], problems);
  for (const field of MUSTACHE_FIELDS) {
    if (!problems.has(field)) checkMustache(field, body[field], problems);
  }
  if (fields === undefined || problems.found) throw invalidFields(problems.errors);
  return fields;
}

/**
 * Adds a problem if the value is a string with malformed Mustache. Anything that the specification can parse is
 * accepted; names are up to the sender.
 */
export function checkMustache(field: string, value: unknown, problems: Problems): void {
  if (typeof value !== "string") return;
  const [first] = parseMustache(value).problems;
  if (first) problems.add(field, `${field} is not valid Mustache: ${first.message}`);
}

/** Adds a problem if the value is a string that would not be stored unchanged. */
export function checkStorable(field: string, value: unknown, problems: Problems): void {
  if (typeof value === "string" && !isText(value)) problems.add(field, `${field} has invalid characters`);
}

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

/** Version 4's endpoints. */
export function templateHandlers(context: ServiceContext): HandlersV4<"templates"> {
  const { templates } = context.store;
  return {
    "templates.list": ({ domain }) => ({ templates: templates.list(domain.id).map(summaryV4) }),
    "templates.get": ({ domain, parameters }) => ({
      template: templateV4(findTemplate(context, domain.id, parameters.name)),
    }),
    "templates.create": async ({ account, domain, body }) => {
      requirePaidPlan(account);
      return { template: templateV4(addTemplate(context, domain.id, await body())) };
    },
    "templates.update": async ({ domain, parameters, body }) => ({
      template: templateV4(changeTemplate(context, domain.id, parameters.name, await body())),
    }),
    "templates.delete": ({ domain, parameters }) => {
      templates.delete(findTemplate(context, domain.id, parameters.name).id);
      return undefined;
    },
  };
}

function summaryV4(template: TemplateSummaryRecord): StoredTemplateSummary {
  return {
    name: template.name,
    description: template.description,
    subject: template.subject,
    created_at: isoSeconds(template.createdAt),
    updated_at: isoSeconds(template.updatedAt),
  };
}

function templateV4(template: TemplateRecord): StoredTemplate {
  const { created_at, updated_at, ...summary } = summaryV4(template);
  return { ...summary, html_body: template.html_body, text_body: template.text_body, created_at, updated_at };
}
