/** An object that is not a list, of any class; in what JSON.parse returns, an object of the JSON. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object that is not an instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Test runners use objects from other realms, which have their own Object.prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** What a table has for a name that users choose. Objects inherit members with names such as `constructor`. */
export function entryOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
