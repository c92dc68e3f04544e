import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { kindOf, valuesOf, wayOf, waysOf } from "./resolve.js";

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
export function fieldWays(part: VariablesSchema, root: VariablesSchema): readonly Way[] {
  const all = waysOf(part, root);
  if (all.some((way) => kindOf(way) === "any")) return anything;
  const choices = all.filter((way) => kindOf(way) === "choice");
  const others = all.filter((way) => kindOf(way) !== "choice");
  const values = choices.flatMap(valuesOf);
  const ways = [
    ...(values.length > 0 ? [{ label: "Choice", schema: { ...choices[0], const: undefined, enum: values } }] : []),
    ...others.toSorted(nullLast).map((schema) => ({ label: labelOf(schema, root), schema })),
  ];
  return ways.map(({ label, schema }, index) => {
    const alike = ways.slice(0, index).filter((way) => way.label === label).length;
    return { label: alike === 0 ? label : `${label} ${alike + 1}`, schema: withoutUndefined(schema) };
  });
}

/** The branch that fits the value best. */
export function chosenWay(value: unknown, ways: readonly Way[], root: VariablesSchema): Way | undefined {
  const schema = wayOf(
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
    const [way, ...more] = waysOf(member, root);
    if (way?.const !== undefined && more.length === 0) return `${name}: ${String(way.const)}`;
  }
  return undefined;
}

function withoutUndefined({ const: value, ...schema }: VariablesSchema): VariablesSchema {
  return value === undefined ? schema : { ...schema, const: value };
}
