import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { ownProperty } from "../../../src/mustache/lookup.js";
import { referred } from "../../../src/mustache/shape.js";
import { isRecord } from "../../../src/values.js";

type Part = VariablesSchema | boolean | undefined;

/** Resolves a schema's references and merges its `allOf`. */
export function resolve(part: Part, root: VariablesSchema, seen: readonly string[] = []): VariablesSchema {
  if (typeof part !== "object") return {};
  const { $ref, allOf, ...own } = part;
  const parts = (allOf ?? []).map((each) => resolve(each, root, seen));
  if ($ref !== undefined && !seen.includes($ref)) parts.unshift(resolve(referred($ref, root), root, [...seen, $ref]));
  return parts.length === 0 ? part : [...parts, own].reduce(merge);
}

function merge(one: VariablesSchema, other: VariablesSchema): VariablesSchema {
  const properties = { ...one.properties, ...other.properties };
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** The branches of a schema, with references resolved. Just one if there is no choice. */
export function branchesOf(part: Part, root: VariablesSchema, depth = 0): readonly VariablesSchema[] {
  const schema = resolve(part, root);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches === undefined || depth > MOST_NESTED) return [schema];
  const { anyOf: _, oneOf: __, description: ___, default: ____, ...shared } = schema;
  return branches
    .flatMap((branch) => branchesOf(branch, root, depth + 1))
    .map((way) => (Object.keys(shared).length === 0 ? way : merge(shared, way)));
}

const MOST_NESTED = 8;

/** The type of field in a form. */
export type Kind = "text" | "number" | "boolean" | "null" | "choice" | "list" | "object" | "any";

export function kindOf(schema: VariablesSchema): Kind {
  const { type, enum: values, const: value, properties, items, prefixItems } = schema;
  if (value !== undefined) return value === null ? "null" : "choice";
  if (values !== undefined) return "choice";
  if (type !== undefined) return kinds[type];
  return properties ? "object" : items || prefixItems ? "list" : "any";
}

/** A kind of value as a choice of types shows it, and in sentences. */
export const kindWords: Readonly<Record<Kind, { readonly label: string; readonly noun: string }>> = {
  text: { label: "Text", noun: "a string" },
  number: { label: "Number", noun: "a number" },
  boolean: { label: "True or false", noun: "true or false" },
  null: { label: "Null", noun: "null" },
  list: { label: "List", noun: "a list" },
  object: { label: "Object", noun: "an object" },
  any: { label: "Any", noun: "anything" },
  choice: { label: "Choice", noun: "" },
};

/** The formats of strings that the page knows. */
export const formats: Readonly<
  Record<string, { readonly label?: string; readonly noun: string; readonly sample: string }>
> = {
  date: { label: "Date", noun: "a date, such as 2026-11-22", sample: "2026-01-31" },
  "date-time": {
    label: "Date and time",
    noun: "a date and time, such as 2026-11-22T09:30:00Z",
    sample: "2026-01-31T09:30:00Z",
  },
  bigint: { label: "Whole number", noun: "a whole number, such as 1250", sample: "0" },
  time: { noun: "a time, such as 09:30:00", sample: "09:30:00" },
  email: { label: "Email", noun: "an email address", sample: "ada@example.com" },
  uri: { label: "URL", noun: "a URL, such as https://example.com/", sample: "https://example.com/" },
  uuid: { noun: "a UUID", sample: "00000000-0000-4000-8000-000000000000" },
};

const kinds: Readonly<Record<NonNullable<VariablesSchema["type"]>, Kind>> = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
  array: "list",
  object: "object",
};

/** The schema branch that fits the value best. */
export function bestBranch(value: unknown, ways: readonly VariablesSchema[], root: VariablesSchema): VariablesSchema {
  const ranked = ways.map((way) => ({ way, score: scoreOf(value, way, root) }));
  return ranked.reduce((best, each) => (each.score > best.score ? each : best), ranked[0] ?? { way: {}, score: 0 }).way;
}

/** Higher for a better fit; below 0 if it does not fit. */
function scoreOf(value: unknown, schema: VariablesSchema, root: VariablesSchema, depth = 0): number {
  const kind = kindOf(schema);
  if (kind === "any") return 0;
  if (kind === "choice") return valuesOf(schema).some((each) => each === value) ? 3 : -1;
  if (kind !== kindOfValue(value) || (schema.type === "integer" && !Number.isInteger(value))) return -2;
  if (kind !== "object" || !isRecord(value) || depth > 2) return 1;
  let score = 1;
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name)) score -= schema.required?.includes(name) ? 1 : 0;
    else score += Math.max(...branchesOf(member, root).map((way) => scoreOf(value[name], way, root, depth + 1))) * 0.5;
  }
  return score - Object.keys(value).filter((name) => memberSchema(schema, name) === undefined).length * 0.5;
}

/** The schema of a member. Undefined if the object's schema does not include it. */
export function memberSchema(schema: VariablesSchema, name: string): VariablesSchema | undefined {
  if (schema.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  const { additionalProperties } = schema;
  return typeof additionalProperties === "object" ? additionalProperties : additionalProperties ? {} : undefined;
}

/** Whether an object may have members that its schema does not name. */
export function takesOthers({ additionalProperties = false }: VariablesSchema): boolean {
  return additionalProperties !== false;
}

/** The schema of a list item. */
export function itemSchema({ items, prefixItems = [] }: VariablesSchema, index: number): VariablesSchema {
  return prefixItems[index] ?? (typeof items === "object" ? items : {});
}

/** The schema of the value at a path. Of each choice, the branch that fits best. */
export function schemaAt(
  value: unknown,
  [step, ...rest]: readonly (string | number)[],
  root: VariablesSchema,
  part: VariablesSchema = root,
): VariablesSchema | undefined {
  const schema = bestBranch(value, branchesOf(part, root), root);
  if (step === undefined) return schema;
  const inner = typeof step === "number" ? itemSchema(schema, step) : memberSchema(schema, step);
  return inner && schemaAt(ownProperty(value, String(step)), rest, root, inner);
}

export function valuesOf(schema: VariablesSchema): readonly (string | number | boolean | null)[] {
  return schema.const === undefined ? (schema.enum ?? []) : [schema.const];
}

export function kindOfValue(value: unknown): Exclude<Kind, "choice"> {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "text";
  const kind = typeof value;
  return kind === "number" || kind === "boolean" || kind === "object" ? kind : "any";
}
