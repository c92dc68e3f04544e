import { createHash } from "node:crypto";
import { computesValues } from "./complete.js";
import type { VariablesContract, VariablesSchema } from "./variables.js";

/**
 * A hash of what matters about a contract for filling, as six characters of base64url: the names and shapes of variables,
 * and what is added to them. Descriptions, formats, required members and the order of keys don't count.
 */
export function contractId({ input, derived, conditions }: VariablesContract): string {
  const added = conditions.map(sorted).toSorted(byJson);
  const values = computesValues({ conditions }) ? [javaScriptIn([input, derived])] : [];
  const essence = [shapeOf(input), derived ? shapeOf(derived) : null, added, ...values];
  return createHash("sha256").update(JSON.stringify(essence)).digest("base64url").slice(0, 6);
}

/** Where schemas have dates and bigints, with which an expression may compute something else than with strings. */
function javaScriptIn(schema: object, path = ""): string[] {
  const found = Object.entries(schema).flatMap(([keyword, part]: [string, unknown]) => {
    if (keyword === "x-javascript") return [`${path} ${String(part)}`];
    return typeof part === "object" && part !== null ? javaScriptIn(part, `${path}/${keyword}`) : [];
  });
  return found.sort();
}

type Essence = Readonly<Record<string, unknown>>;

function shapeOf(schema: VariablesSchema): Essence {
  const { type, properties, additionalProperties, items, prefixItems, anyOf, oneOf, allOf, $ref, $defs } = schema;
  const branches = [...(anyOf ?? []), ...(oneOf ?? [])];
  const shape = {
    types: type === undefined ? typesOf(schema) : [type],
    $ref,
    properties: properties && shapesOf(properties),
    additionalProperties: partOf(additionalProperties),
    items: partOf(items),
    prefixItems: prefixItems?.map(shapeOf),
    either: branches.length > 0 ? branches.map(shapeOf).toSorted(byJson) : undefined,
    allOf: allOf?.map(shapeOf).toSorted(byJson),
    $defs: $defs && shapesOf($defs),
  };
  return shape;
}

function partOf(part: VariablesSchema | boolean | undefined): Essence | true | undefined {
  if (typeof part === "object") return shapeOf(part);
  return part === true ? true : undefined;
}

function shapesOf(schemas: Readonly<Record<string, VariablesSchema>>): unknown {
  return sorted(Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, shapeOf(schema)])));
}

function typesOf({ enum: values, const: value }: VariablesSchema): string[] | undefined {
  const all = [...(values ?? []), ...(value === undefined ? [] : [value])];
  return all.length === 0 ? undefined : [...new Set(all.map((each) => (each === null ? "null" : typeof each)))].sort();
}

/** As sorted lists of pairs at every depth: in an object, keys such as `__proto__` or numbers would be reordered or lost. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(([key, member]) => [key, sorted(member)]);
}

function byJson(a: unknown, b: unknown): number {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  return one < other ? -1 : Number(one > other);
}
