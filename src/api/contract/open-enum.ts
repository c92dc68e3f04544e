import { z } from "zod";

/**
 * A value in an answer that the service's documentation does not list, such as a newer status. At run time it is the
 * string that the service sent. The type is separate from the listed values, so that a `switch` over these narrows, and
 * values that were read can be sent back. To compare it with another string, use `String(value)`.
 */
export declare enum Unlisted {
  value = "",
}

/** Schemas for undocumented parts that answers may have. */
export const undocumented = z.registry();

/**
 * One of the listed values, or any other string. Enums in answers use this, so that a value newer than this version
 * does not make a list unreadable. Requests use `z.enum`.
 */
export function openEnum<const Values extends readonly string[]>(values: Values) {
  return (
    z
      .custom<Values[number] | Unlisted>((value) => typeof value === "string", "expected a string")
      // In JSON Schema, it is the documented enum.
      .register(z.globalRegistry, { type: "string", enum: [...values] })
  );
}

/** A string that is not one of the listed values. */
export function unlistedValue(values: readonly string[]) {
  const isUnlisted = (value: unknown): boolean => typeof value === "string" && !values.includes(value);
  return z.custom<Unlisted>(isUnlisted, { abort: true, error: `expected a string other than ${values.join(", ")}` });
}
