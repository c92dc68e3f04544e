import { createHash } from "node:crypto";
import type { VariablesContract, VariablesSchema } from "./variables.js";

/**
 * Names in six characters of base64url what a contract means for filling: which names there are, of which shape, and
 * what is added to them. Descriptions, formats, what is required and every order of keys are left out.
 *
 * @example
 * contractId({ input: { type: "object", properties: { name: { type: "string" } } }, conditions: [] }); // "7b2VfK"
 */
export function contractId({ input, derived, conditions }: VariablesContract): string {
  const added = conditions.map(sorted).toSorted(byJson);
  const essence = [shapeOf(input), derived ? shapeOf(derived) : null, added];
  return createHash("sha256").update(JSON.stringify(essence)).digest("base64url").slice(0, 6);
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

/** As a list of pairs at every depth, so that no name, such as `__proto__` or a number, is put elsewhere. */
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
