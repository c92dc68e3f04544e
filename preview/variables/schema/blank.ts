import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { isObject } from "../../state/json.js";
import { kindOf, kindOfValue, resolve, valuesOf, waysOf } from "./resolve.js";

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
export function blankOf(part: VariablesSchema, root: VariablesSchema, depth = 0): unknown {
  const { default: preset } = resolve(part, root);
  if (preset !== undefined) return structuredClone(preset);
  const ways = waysOf(part, root);
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
      return depth > MOST_NESTED ? [] : (schema.prefixItems ?? []).map((item) => blankOf(item, root, depth + 1));
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
  return Object.fromEntries(names.map((name) => [name, blankOf(properties[name] ?? {}, root, depth + 1)]));
}

function isPlain(schema: VariablesSchema): boolean {
  const kind = kindOf(schema);
  return kind !== "object" && kind !== "list";
}

/** A value of another type that keeps as much as possible of the previous one. */
export function converted(value: unknown, schema: VariablesSchema, root: VariablesSchema): unknown {
  const kind = kindOf(schema);
  if (kind === kindOfValue(value) && kind !== "object") return value;
  if (kind === "text" && ["number", "boolean"].includes(typeof value)) return String(value);
  if (kind === "number" && typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)))
    return Number(value);
  const blank = blankOf(schema, root);
  if (kind === "list" && isObject(value)) return [value];
  if (kind !== "object" || !isObject(value) || !isObject(blank)) return blank;
  const { properties = {} } = schema;
  const isKept = (name: string): boolean =>
    Object.hasOwn(properties, name)
      ? resolve(properties[name], root).const === undefined
      : schema.additionalProperties === true;
  return { ...blank, ...Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name))) };
}
