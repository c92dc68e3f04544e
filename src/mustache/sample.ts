import { inferSchema } from "./infer.js";
import type { Variables, VariablesSchema } from "./variables.js";

/**
 * An example of variables for bodies of which nothing else is known: texts say their own name, conditions hold, lists
 * have two items.
 *
 * @example
 * sampleVariables(["Hi {{name}}{{#items}}{{title}}{{/items}}"]);
 * // { name: "name", items: [{ title: "title 1" }, { title: "title 2" }] }
 */
export function sampleVariables(texts: readonly string[]): Variables {
  return sampleOf(inferSchema(texts, []));
}

/** The same for a schema that was inferred. */
export function sampleOf(schema: VariablesSchema): Variables {
  return membersOf(schema, "");
}

/** A date as variables have it. */
export const SAMPLE_DATE = "2026-03-14T09:30:00Z";

const ITEMS = [1, 2] as const;

function membersOf({ properties = {} }: VariablesSchema, behind: string): Variables {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, name, behind)]));
}

/** @param behind What tells the values of one item from those of another. */
function valueOf(schema: VariablesSchema, name: string, behind: string): unknown {
  const { type, items, const: only, enum: [value = only] = [], format, anyOf = [] } = schema;
  if (value !== undefined) return value;
  if (format === "date-time") return SAMPLE_DATE;
  const kind = anyOf.find((each) => each.type !== "null") ?? anyOf[0];
  if (kind) return valueOf(kind, name, behind);
  if (type === "null") return null;
  if (type === "object") return membersOf(schema, behind);
  if (type === "boolean") return true;
  if (type === "number" || type === "integer") return 1;
  if (type !== "array") return sampleText(name, behind);
  return ITEMS.map((number) => valueOf(typeof items === "object" ? items : {}, name, `${behind} ${number}`));
}

/** An example of a string with this name. Where the name says what kind of string it has, checks know it too. */
export function sampleText(name: string, behind = ""): string {
  if (/(?:^|_)(?:date|time|timestamp|at)$|(?:Date|Time|At)$/.test(name)) return SAMPLE_DATE;
  const last = behind.replaceAll(" ", "-");
  if (/(?:url|uri|href|link)$/i.test(name)) return `https://example.com/${name}${last}`;
  if (/e?mail$/i.test(name)) return `${name}${last}@example.com`;
  return `${name}${behind}`;
}
