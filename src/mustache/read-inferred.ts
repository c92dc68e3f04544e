import type { VariablesSchema } from "./variables.js";

/** What checking a value gives, in the form of zod's `safeParse`. */
export type ReadValue =
  | { readonly success: true; readonly data: unknown }
  | {
      readonly success: false;
      readonly error: {
        readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
      };
    };

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Checks variables against a schema that was inferred, as zod would, and leaves out members that it does not name.
 *
 * @example
 * readInferred({ total: 5, note: "x" }, { type: "object", properties: { total: { type: "string" } }, required: ["total"] });
 * // { success: false, error: { issues: [{ path: ["total"], message: "Invalid input: expected string, received number" }] } }
 */
export function readInferred(variables: unknown, schema: VariablesSchema): ReadValue {
  const issues: Issue[] = [];
  const data = read(variables, schema, [], issues);
  return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } };
}

function read(value: unknown, schema: VariablesSchema, path: readonly PropertyKey[], issues: Issue[]): unknown {
  const kinds = schema.anyOf ?? [schema];
  const type = typeOf(value);
  const kind = kinds.find(
    (each) => each.type === undefined || each.type === type || (each.type === "integer" && Number.isInteger(value)),
  );
  if (kind === undefined) {
    const received = value instanceof Date ? "Date" : type;
    const expected = kinds.map((each) => each.type).join(" or ");
    issues.push({ path, message: `Invalid input: expected ${expected}, received ${received}` });
    return undefined;
  }
  const { items = {}, properties = {}, required = [] } = kind;
  if (Array.isArray(value) && typeof items === "object")
    return value.map((item, index) => read(item, items, [...path, index], issues));
  if (kind.type !== "object" || typeof value !== "object" || value === null) return value;
  const data: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const member: unknown = Reflect.get(value, name);
    if (member !== undefined || required.includes(name)) data[name] = read(member, property, [...path, name], issues);
  }
  return data;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : typeof value;
}
