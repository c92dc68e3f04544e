import { inferSchema } from "./infer.js";
import type { Variables, VariablesSchema } from "./variables.js";

/**
 * Makes up variables for bodies without fixtures: strings contain their own name, conditions are true, lists have two
 * items.
 */
export function sampleVariables(texts: readonly string[]): Variables {
  return sampleOf(inferSchema(texts, []));
}

/** The same for an inferred schema. */
export function sampleOf(schema: VariablesSchema): Variables {
  return membersOf(schema, "");
}

/** A made-up value of this type for a variable of this name. */
export function sampleValue(schema: VariablesSchema, name = "value"): unknown {
  return valueOf(schema, name, "");
}

/** A date as it appears in variables. */
export const SAMPLE_DATE = "2026-03-14T09:30:00Z";

const ITEMS = [1, 2] as const;

function membersOf({ properties = {} }: VariablesSchema, suffix: string): Variables {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, name, suffix)]));
}

/** @param suffix What distinguishes the values of one item from those of another. */
function valueOf(schema: VariablesSchema, name: string, suffix: string): unknown {
  const { type, items, const: only, enum: [value = only] = [], format, anyOf = [] } = schema;
  if (value !== undefined) return value;
  if (format === "date-time") return SAMPLE_DATE;
  if (format === "bigint") return "1";
  const kind = anyOf.find((each) => each.type !== "null") ?? anyOf[0];
  if (kind) return valueOf(kind, name, suffix);
  if (type === "null") return null;
  if (type === "object") return membersOf(schema, suffix);
  if (type === "boolean") return true;
  if (type === "number" || type === "integer") return 1;
  if (type !== "array") return sampleText(name, suffix);
  return ITEMS.map((number) => valueOf(typeof items === "object" ? items : {}, name, `${suffix} ${number}`));
}

/** A made-up string for a variable of this name. Where the name implies a format, checks know it, too. */
export function sampleText(name: string, suffix = ""): string {
  if (/(?:^|_)(?:date|time|timestamp|at)$|(?:Date|Time|At)$/.test(name)) return SAMPLE_DATE;
  const last = suffix.replaceAll(" ", "-");
  if (/(?:url|uri|href|link)$/i.test(name)) return `https://example.com/${name}${last}`;
  if (/e?mail$/i.test(name)) return `${name}${last}@example.com`;
  return `${name}${suffix}`;
}
