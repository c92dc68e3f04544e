import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { isRecord } from "../../../src/values.js";
import { kindOf, kindOfValue, resolve, valuesOf, bestBranch, branchesOf } from "./resolve.js";

/** Sample strings by format. */
const samples: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T09:30:00Z",
  time: "09:30:00",
  email: "ada@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** An initial value: the smallest that the schema allows. */
export function blankValue(part: VariablesSchema, root: VariablesSchema, depth = 0): unknown {
  const { default: preset } = resolve(part, root);
  if (preset !== undefined) return structuredClone(preset);
  const ways = branchesOf(part, root);
  // Recursive schemas have to end somewhere.
  const schema = (depth > MOST_NESTED ? ways.findLast(isPlain) : undefined) ?? ways[0] ?? {};
  switch (kindOf(schema)) {
    case "choice":
      return valuesOf(schema)[0];
    case "number":
      return 0;
    case "boolean":
      return false;
    case "null":
      return null;
    case "list":
      return depth > MOST_NESTED ? [] : (schema.prefixItems ?? []).map((item) => blankValue(item, root, depth + 1));
    case "object":
      return depth > MOST_NESTED ? {} : blankObject(schema, root, depth);
    case "text":
    case "any":
      break;
  }
  return samples[schema.format ?? ""] ?? "";
}

const MOST_NESTED = 6;

function blankObject(
  { properties = {}, required = [] }: VariablesSchema,
  root: VariablesSchema,
  depth: number,
): Record<string, unknown> {
  const names = Object.keys(properties).filter((name) => required.includes(name));
  return Object.fromEntries(names.map((name) => [name, blankValue(properties[name] ?? {}, root, depth + 1)]));
}

function isPlain(schema: VariablesSchema): boolean {
  const kind = kindOf(schema);
  return kind !== "object" && kind !== "list";
}

/** A value of another type that keeps as much as possible of the previous one. */
export function convertValue(value: unknown, schema: VariablesSchema, root: VariablesSchema): unknown {
  const kind = kindOf(schema);
  if (kind === kindOfValue(value) && kind !== "object") return value;
  if (kind === "text" && ["number", "boolean"].includes(typeof value)) return String(value);
  if (kind === "number" && typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)))
    return Number(value);
  const blank = blankValue(schema, root);
  if (kind === "list" && isRecord(value)) return [value];
  if (kind !== "object" || !isRecord(value) || !isRecord(blank)) return blank;
  const { properties = {} } = schema;
  const isKept = (name: string): boolean =>
    Object.hasOwn(properties, name)
      ? resolve(properties[name], root).const === undefined
      : schema.additionalProperties === true;
  return { ...blank, ...Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name))) };
}

/** One of the types of value that a field can have, as its select shows it. */
export interface Way {
  readonly label: string;
  readonly schema: VariablesSchema;
}

/** The types offered if the schema allows any value. */
const anything: readonly Way[] = [
  { label: "Text", schema: { type: "string" } },
  { label: "Number", schema: { type: "number" } },
  { label: "True or false", schema: { type: "boolean" } },
  { label: "List", schema: { type: "array" } },
  { label: "Object", schema: { type: "object", additionalProperties: true } },
  { label: "Null", schema: { type: "null" } },
];

/** The types of value that a field allows. Branches with fixed values are combined into one choice. */
export function fieldTypes(part: VariablesSchema, root: VariablesSchema): readonly Way[] {
  const all = branchesOf(part, root);
  if (all.some((way) => kindOf(way) === "any")) return anything;
  const choices = all.filter((way) => kindOf(way) === "choice");
  const others = all.filter((way) => kindOf(way) !== "choice");
  const values = choices.flatMap(valuesOf);
  const { const: _, ...choice } = choices[0] ?? {};
  const ways = [
    ...(values.length > 0 ? [{ label: "Choice", schema: { ...choice, enum: values } }] : []),
    ...others.toSorted(nullLast).map((schema) => ({ label: labelOf(schema, root), schema })),
  ];
  return ways.map(({ label, schema }, index) => {
    const alike = ways.slice(0, index).filter((way) => way.label === label).length;
    return { label: alike === 0 ? label : `${label} ${alike + 1}`, schema };
  });
}

/** The branch that fits the value best. */
export function chosenWay(value: unknown, ways: readonly Way[], root: VariablesSchema): Way | undefined {
  const schema = bestBranch(
    value,
    ways.map((way) => way.schema),
    root,
  );
  return ways.find((way) => way.schema === schema) ?? ways[0];
}

function nullLast(one: VariablesSchema, other: VariablesSchema): number {
  return Number(one.type === "null") - Number(other.type === "null");
}

const labels = {
  text: "Text",
  number: "Number",
  boolean: "True or false",
  null: "Null",
  list: "List",
  any: "Any",
  choice: "Choice",
};

function labelOf(schema: VariablesSchema, root: VariablesSchema): string {
  const kind = kindOf(schema);
  if (kind === "object") return tagOf(schema, root) ?? "Object";
  if (schema.type === "integer") return "Whole number";
  return formats[schema.format ?? ""] ?? labels[kind];
}

const formats: Readonly<Record<string, string>> = {
  date: "Date",
  "date-time": "Date and time",
  email: "Email",
  uri: "URL",
};

/** The constant member that distinguishes an object from other branches: `kind: card`. */
function tagOf({ properties = {} }: VariablesSchema, root: VariablesSchema): string | undefined {
  for (const [name, member] of Object.entries(properties)) {
    const [way, ...more] = branchesOf(member, root);
    if (way?.const !== undefined && more.length === 0) return `${name}: ${String(way.const)}`;
  }
  return undefined;
}
