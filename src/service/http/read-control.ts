import type { z } from "zod";
import { LettershopError } from "../../errors.js";
import { nearest } from "../../text/nearest.js";
import type { FieldErrors } from "./api-error.js";
import { issueMessage, placeOf } from "./validate.js";

/** A test requested something that the local service does not have. */
export class ControlError extends LettershopError {
  override readonly name = "ControlError";
  readonly code = "control";

  constructor(
    /** Messages by member. */
    readonly fieldErrors: FieldErrors,
  ) {
    super(Object.values(fieldErrors).flat().join("; "), {
      hint: "See docs/guides/testing.md for what can be requested.",
    });
  }
}

/**
 * Parses a control request with a schema.
 *
 * @param names Known members, to suggest one for a typo.
 * @throws ControlError with every problem.
 */
export function readControl<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  names: readonly string[],
): z.output<Schema> {
  const result = schema.safeParse(input, { error: issueMessage });
  if (result.success) return result.data;
  const messagesByField = new Map<string, string[]>();
  const add = (field: string, message: string) =>
    messagesByField.set(field, [...(messagesByField.get(field) ?? []), message]);
  for (const issue of result.error.issues) {
    const place = placeOf(issue.path);
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) add(key, `${key} does not exist here${suggestion(key, names)}`);
    } else {
      // A custom message of the schema is a whole sentence.
      const isOwn = issue.code === "custom";
      add(String(issue.path[0] ?? "body"), isOwn ? issue.message : `${place || "the body"} ${issue.message}`);
    }
  }
  throw new ControlError(Object.fromEntries(messagesByField));
}

/** `; did you mean …?` if a known name is similar, otherwise empty. */
export function suggestion(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined ? "" : `; did you mean ${near}?`;
}
