import { z } from "zod";

/**
 * A value in an answer that the service's document does not list, such as a status that the service got later. At run
 * time it is the string that the service sent. The type keeps it apart from the listed values, so that a `switch` over
 * these narrows, and what was read can be sent back. To compare it with another string, use `String(value)`.
 */
export declare enum Unlisted {
  value = "",
}

/** Schemas for what the document does not have, and answers may have nevertheless. */
export const undocumented = z.registry();

/**
 * One of the listed values, or any other string. Answers have their enums in this form, so that a value which is newer
 * than this version makes no list unreadable. Requests use `z.enum`.
 *
 * @example
 * const transport = openEnum(["mx", "smtp", "api"]); // "mx" | "smtp" | "api" | Unlisted
 */
export function openEnum<const Values extends readonly string[]>(values: Values) {
  return (
    z
      .custom<Values[number] | Unlisted>((value) => typeof value === "string", "expected a string")
      // As JSON Schema it is what the document has.
      .register(z.globalRegistry, { type: "string", enum: [...values] })
  );
}

/** A string that is not one of the listed values. */
export function unlistedValue(values: readonly string[]) {
  const isUnlisted = (value: unknown): boolean => typeof value === "string" && !values.includes(value);
  return z.custom<Unlisted>(isUnlisted, { abort: true, error: `expected another string than ${values.join(", ")}` });
}
