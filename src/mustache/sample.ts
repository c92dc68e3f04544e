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

const ITEMS = [1, 2] as const;

function membersOf({ properties = {} }: VariablesSchema, behind: string): Variables {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, name, behind)]));
}

/** @param behind What tells the values of one item from those of another. */
function valueOf(schema: VariablesSchema, name: string, behind: string): unknown {
  const { type, items, const: only, enum: [value = only] = [], format, anyOf: [first] = [] } = schema;
  if (value !== undefined) return value;
  if (format === "date-time") return "2026-03-14T09:30:00Z";
  if (first) return valueOf(first, name, behind);
  if (type === "object") return membersOf(schema, behind);
  if (type === "boolean") return true;
  if (type === "number" || type === "integer") return 1;
  if (type !== "array") return textOf(name, behind);
  return ITEMS.map((number) => valueOf(typeof items === "object" ? items : {}, name, `${behind} ${number}`));
}

/** Where a name says what kind of text it has, checks know it too. */
function textOf(name: string, behind: string): string {
  const last = behind.replaceAll(" ", "-");
  if (/(?:url|uri|href|link)$/i.test(name)) return `https://example.com/${name}${last}`;
  if (/e?mail$/i.test(name)) return `${name}${last}@example.com`;
  return `${name}${behind}`;
}
