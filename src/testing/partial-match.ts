/** `T` with any part of it left out, at any depth. */
export type Partially<T> = T extends readonly (infer Item)[]
  ? readonly Partially<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Partially<T[Key]> }
    : T;

/**
 * Whether a value has everything that is expected of it; objects may have more, lists may not. Where a test framework's
 * matcher is expected (`expect.any(String)`), it decides.
 */
export function matches(actual: unknown, expected: unknown): boolean {
  if (isMatcher(expected)) return expected.asymmetricMatch(actual);
  if (Object.is(actual, expected)) return true;
  if (typeof actual !== "object" || actual === null || typeof expected !== "object" || expected === null) return false;
  if (expected instanceof Date) return actual instanceof Date && actual.getTime() === expected.getTime();
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => matches(actual[index], item))
    );
  return Object.entries(expected).every(([name, member]) => matches(Reflect.get(actual, name), member));
}

function isMatcher(value: unknown): value is { asymmetricMatch(actual: unknown): boolean } {
  return (
    typeof value === "object" &&
    value !== null &&
    "asymmetricMatch" in value &&
    typeof value.asymmetricMatch === "function"
  );
}
