import type { z } from "zod";
import { type FieldErrors, invalidFields } from "./api-error.js";

/** Collects the problems of a request, so that all of them are reported at once. */
export class Problems {
  readonly #errors = new Map<string, string[]>();

  add(field: string, message: string): void {
    const messages = this.#errors.get(field);
    if (messages) messages.push(message);
    else this.#errors.set(field, [message]);
  }

  has(field: string): boolean {
    return this.#errors.has(field);
  }

  get found(): boolean {
    return this.#errors.size > 0;
  }

  get errors(): FieldErrors {
    return Object.fromEntries(this.#errors);
  }
}

/** Parses input with a schema. Errors are added to the problems, under the top-level field. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  problems: Problems,
): z.output<Schema> | undefined {
  const result = schema.safeParse(input, { error: issueMessage });
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) {
    const field = String(path[0]);
    problems.add(field, message.startsWith(field) ? message : `${placeOf(path)} ${message}`);
  }
  return undefined;
}

/**
 * Parses input with a schema.
 *
 * @param refine Adds problems that the schema does not find.
 * @throws ApiError (400) with every problem.
 */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  refine?: (output: z.output<Schema>, problems: Problems) => void,
): z.output<Schema> {
  const problems = new Problems();
  const output = check(schema, input, problems);
  if (output !== undefined) refine?.(output, problems);
  if (output === undefined || problems.found) throw invalidFields(problems.errors);
  return output;
}

/** `accounts[0].domains[1].name` */
export function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((outer, key) => {
    if (typeof key === "number") return `${outer}[${key}]`;
    return outer === "" ? String(key) : `${outer}.${String(key)}`;
  }, "");
}

/** Text that follows a field's name, for errors without a custom message in the contract's schemas. */
export function issueMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is required";
  if (issue.code === "invalid_type") return `must be ${nouns[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_union") return "must be a string or an array of strings";
  if (issue.code === "invalid_value") return `must be ${oneOf(issue.values.map(String))}`;
  if (issue.code === "too_small") return `must be at least ${issue.minimum}`;
  if (issue.code === "too_big") return `must be at most ${issue.maximum}`;
  if (issue.code === "invalid_format" && issue.format === "datetime") {
    return "must be an ISO 8601 timestamp such as 2026-08-12T09:30:00Z";
  }
  return "is not valid";
}

function oneOf(values: readonly string[]): string {
  if (values.join() === "true,false") return "true or false";
  return values.length > 1 ? `one of ${values.join(", ")}` : values.join();
}

const nouns: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  array: "an array",
  object: "an object",
  record: "a JSON object",
};

/** Whether a string is stored unchanged: it contains no U+0000 and no lone surrogates. */
export function isText(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
