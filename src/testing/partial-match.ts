import { types } from "node:util";

/** An asymmetric matcher of vitest or Jest, such as `expect.any(String)` and `expect.stringContaining("@")`. */
export interface AsymmetricMatcher {
  asymmetricMatch(actual: unknown): boolean;
}

/** An expected string: exact, as a pattern, or by an asymmetric matcher. */
export type StringPattern = string | RegExp | AsymmetricMatcher;

/** The same as a noun phrase. */
export const STRING_PATTERN = "a string, a RegExp or an asymmetric matcher";

/** `T` with any part left out, at any depth, or replaced by an asymmetric matcher; strings also by a pattern. */
export type Partially<T> =
  | AsymmetricMatcher
  | (T extends readonly (infer Item)[]
      ? readonly Partially<Item>[]
      : T extends Date | Uint8Array
        ? T
        : T extends object
          ? { readonly [Key in keyof T]?: Partially<T[Key]> }
          : T extends string
            ? T | RegExp
            : T);

/**
 * Whether a value has everything that is expected. Objects may have more; lists and bytes may not.
 *
 * @example
 * matches({ order: { number: "7", total: 12 } }, { order: { number: /^\d+$/ } }); // true
 */
export function matches(actual: unknown, expected: unknown): boolean {
  if (isMatcher(expected)) return expected.asymmetricMatch(actual);
  if (Object.is(actual, expected)) return true;
  if (types.isRegExp(expected)) return typeof actual === "string" && actual.search(expected) >= 0;
  if (typeof actual !== "object" || actual === null || typeof expected !== "object" || expected === null) return false;
  if (types.isDate(expected)) return types.isDate(actual) && actual.getTime() === expected.getTime();
  if (types.isUint8Array(expected)) return types.isUint8Array(actual) && Buffer.compare(actual, expected) === 0;
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => matches(actual[index], item))
    );
  return Object.entries(expected).every(([name, member]) => matches(Reflect.get(actual, name), member));
}

/** Reduces a value to the expected parts, so that a diff of the two shows only differences. */
export function likeness(actual: unknown, expected: unknown): unknown {
  if (matches(actual, expected)) return expected;
  if (!isComparedByMember(actual) || !isComparedByMember(expected)) return actual;
  const names = Object.keys(expected).filter((name) => name in actual);
  return Object.fromEntries(
    names.map((name) => [name, likeness(Reflect.get(actual, name), Reflect.get(expected, name))]),
  );
}

function isComparedByMember(value: unknown): value is object {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !types.isDate(value) &&
    !types.isRegExp(value) &&
    !types.isUint8Array(value) &&
    !isMatcher(value)
  );
}

export function isStringPattern(value: unknown): value is StringPattern {
  return typeof value === "string" || types.isRegExp(value) || isMatcher(value);
}

export function isMatcher(value: unknown): value is AsymmetricMatcher {
  return (
    typeof value === "object" &&
    value !== null &&
    "asymmetricMatch" in value &&
    typeof value.asymmetricMatch === "function"
  );
}
