import type { z } from "zod";
import { parse as parseMustache } from "../../mustache/parse.js";
import { invalidFields } from "../http/api-error.js";
import { isText } from "../text.js";
import { check, Problems } from "../http/validate.js";

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
