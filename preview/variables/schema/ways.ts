import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { isRecord } from "../../../src/values.js";
import { formats, kindOf, kindOfValue, kindWords, resolve, valuesOf, bestBranch, branchesOf } from "./resolve.js";

/** An initial value: the smallest that the schema allows. */
export function blankValue(part: VariablesSchema, root: VariablesSchema, depth = 0): unknown {
  const { default: preset } = resolve(part, root);
  if (preset !== undefined) return structuredClone(preset);
  const ways = branchesOf(part, root);
  // Recursive schemas have to end somewhere.
  const schema = (depth > MOST_NESTED ? ways.findLast(isPlain) : undefined) ?? ways[0] ?? {};
  const kind = kindOf(schema);
  if (kind === "choice") return valuesOf(schema)[0];
  if (kind === "number") return 0;
  if (kind === "boolean") return false;
  if (kind === "null") return null;
  if (kind === "text" || kind === "any") return formats[schema.format ?? ""]?.sample ?? "";
  const { prefixItems = [], properties = {}, required = [] } = depth > MOST_NESTED ? {} : schema;
  if (kind === "list") return prefixItems.map((item) => blankValue(item, root, depth + 1));
  const members = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, blankValue(member, root, depth + 1)]));
}

const MOST_NESTED = 6;

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

function labelOf(schema: VariablesSchema, root: VariablesSchema): string {
  const kind = kindOf(schema);
  if (kind === "object") return tagOf(schema, root) ?? "Object";
  if (schema.type === "integer") return "Whole number";
  return formats[schema.format ?? ""]?.label ?? kindWords[kind].label;
}

/** The constant member that distinguishes an object from other branches: `kind: card`. */
function tagOf({ properties = {} }: VariablesSchema, root: VariablesSchema): string | undefined {
  for (const [name, member] of Object.entries(properties)) {
    const [way, ...more] = branchesOf(member, root);
    if (way?.const !== undefined && more.length === 0) return `${name}: ${String(way.const)}`;
  }
  return undefined;
}
