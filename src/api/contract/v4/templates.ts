import { z } from "zod";
import { BODY_MAX, DESCRIPTION_MAX, NAME_MAX, SUBJECT_MAX, TEMPLATE_NAME } from "../../limits.js";
import { timestampSchema } from "./formats.js";

const name = z
  .string({ error: (issue) => (issue.input === undefined ? "name is required" : "name must be a string") })
  .max(NAME_MAX, `name may have at most ${NAME_MAX} characters`)
  .regex(
    TEMPLATE_NAME,
    "name may only have lowercase letters, digits, hyphens and underscores, and must start with a letter or digit",
  );

function text(field: string, max: number) {
  return z.string(`${field} must be a string`).max(max, `${field} may have at most ${max} characters`);
}

/** The body of `POST /domains/:domain/templates`. */
export const newTemplateSchema = z.object({
  name,
  description: text("description", DESCRIPTION_MAX).optional(),
  subject: text("subject", SUBJECT_MAX).optional(),
  html_body: text("html_body", BODY_MAX).optional(),
  text_body: text("text_body", BODY_MAX).optional(),
});

/**
 * The body of `PUT /domains/:domain/templates/:name`: only the fields that it has are changed, and a `name` renames the
 * template.
 */
export const templateChangesSchema = newTemplateSchema.partial();

/** Only `name` is required, and it is not documented how unset fields are shown: null and absent are read as `""`. */
const stored = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** A template in the list, without its bodies. */
export const templateSummarySchema = z.object({
  name: z.string(),
  description: stored,
  subject: stored,
  created_at: timestampSchema,
  updated_at: timestampSchema,
});

export const templateSchema = templateSummarySchema.extend({ html_body: stored, text_body: stored });

/** The answer of `GET /domains/:domain/templates`: all of them, on one page. */
export const templateListResponse = z.object({ templates: z.array(templateSummarySchema) });

/** The answer for reading, creating and updating a template. */
export const templateResponse = z.object({ template: templateSchema });

export type NewTemplate = z.infer<typeof newTemplateSchema>;
export type TemplateChanges = z.infer<typeof templateChangesSchema>;
export type StoredTemplateSummary = z.infer<typeof templateSummarySchema>;
export type StoredTemplate = z.infer<typeof templateSchema>;
