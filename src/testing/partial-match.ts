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

/** What a value has of that which is expected of it, so that the two can be shown beside each other. */
export function likeness(actual: unknown, expected: unknown): unknown {
  if (isMatcher(expected) && expected.asymmetricMatch(actual)) return expected;
  if (!isPlain(actual) || !isPlain(expected) || isMatcher(expected)) return actual;
  const names = Object.keys(expected).filter((name) => name in actual);
  return Object.fromEntries(
    names.map((name) => [name, likeness(Reflect.get(actual, name), Reflect.get(expected, name))]),
  );
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function isMatcher(value: unknown): value is { asymmetricMatch(actual: unknown): boolean } {
  return (
    typeof value === "object" &&
    value !== null &&
    "asymmetricMatch" in value &&
    typeof value.asymmetricMatch === "function"
  );
}
