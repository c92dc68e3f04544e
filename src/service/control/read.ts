import type { z } from "zod";
import { LettershopError } from "../../errors.js";
import { nearest } from "../../nearest.js";
import type { FieldErrors } from "../http/api-error.js";
import { wording } from "../http/validate.js";

/** Something that was asked of the local service for a test, and that it does not have. */
export class ControlError extends LettershopError {
  override readonly name = "ControlError";
  readonly code = "control";

  constructor(
    /** What is wrong, by member. */
    readonly fieldErrors: FieldErrors,
  ) {
    super(Object.values(fieldErrors).flat().join("; "), {
      hint: "docs/guides/testing.md has what can be asked for.",
    });
  }
}

/**
 * What the schema makes of the input.
 *
 * @param names Members that there are: what a misspelt one may have meant.
 * @throws ControlError with everything that is wrong.
 */
export function readControl<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  names: readonly string[],
): z.output<Schema> {
  const result = schema.safeParse(input, { error: wording });
  if (result.success) return result.data;
  const found = new Map<string, string[]>();
  const add = (field: string, message: string) => found.set(field, [...(found.get(field) ?? []), message]);
  for (const issue of result.error.issues) {
    const place = issue.path.map(String).join(".");
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) add(key, `${key} does not exist here${meant(key, names)}`);
    } else {
      // A message of the schema's own is a whole sentence.
      const isOwn = issue.code === "custom";
      add(String(issue.path[0] ?? "body"), isOwn ? issue.message : `${place || "the body"} ${issue.message}`);
    }
  }
  throw new ControlError(Object.fromEntries(found));
}

/** `; did you mean …?`, where a name is near. */
export function meant(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined ? "" : `; did you mean ${near}?`;
}
