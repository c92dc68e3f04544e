/** A value that JSON does not have. */
export interface Foreign {
  readonly path: readonly PropertyKey[];
  /** `a Date` */
  readonly what: string;
}

/** The first value that JSON would lose or refuse. A member may be undefined: it counts as absent. */
export function findForeign(
  value: unknown,
  path: readonly PropertyKey[] = [],
  ancestors: readonly unknown[] = [],
): Foreign | undefined {
  const what = foreignKind(value, ancestors);
  if (what !== undefined) return { path, what };
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && value.includes(undefined)) {
    return { path: [...path, value.indexOf(undefined)], what: "undefined" };
  }
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, member] of members) {
    const foreign = findForeign(member, [...path, key], [...ancestors, value]);
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

function foreignKind(value: unknown, ancestors: readonly unknown[]): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (["bigint", "function", "symbol"].includes(typeof value)) return `a ${typeof value}`;
  if (typeof value !== "object" || value === null) return undefined;
  if (ancestors.includes(value)) return "an object within itself";
  return Array.isArray(value) || isPlain(value) ? undefined : `a ${value.constructor.name}`;
}

export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
