import type { VariablesContract, VariablesSchema } from "./variables.js";

/**
 * Whether `derive` or the schema change what tags see: other variables than the application passes, or other types. Naming
 * an entry of an object with arbitrary keys does not count.
 *
 * @example
 * const map: VariablesSchema = { type: "object", additionalProperties: { type: "string" } };
 * const input: VariablesSchema = { type: "object", properties: { map } };
 * const named: VariablesSchema = { ...map, properties: { a: { type: "string" } } };
 * isComputed({ input, derived: { type: "object", properties: { map: named } }, conditions: [] }); // false
 */
export function isComputed({ input, derived }: VariablesContract): boolean {
  return Object.entries(derived?.properties ?? {}).some(([name, filled]) => {
    const passed = input.properties?.[name];
    return passed === undefined || !isUnchanged(filled, passed);
  });
}

function isUnchanged(filled: VariablesSchema, passed: VariablesSchema): boolean {
  const hasFreeNames = typeof passed.additionalProperties === "object" || passed.additionalProperties === true;
  const areMembersUnchanged = Object.entries(filled.properties ?? {}).every(([name, member]) => {
    const own = passed.properties?.[name];
    return own === undefined ? hasFreeNames : isUnchanged(member, own);
  });
  return areMembersUnchanged && areItemsUnchanged(filled, passed) && rest(filled) === rest(passed);
}

function areItemsUnchanged({ items: filled }: VariablesSchema, { items: passed }: VariablesSchema): boolean {
  if (typeof filled === "object" && typeof passed === "object") return isUnchanged(filled, passed);
  return filled === passed;
}

/** The other keywords that matter to tags. */
function rest(schema: VariablesSchema): string {
  return JSON.stringify(KEYWORDS.map((keyword) => schema[keyword]));
}

const KEYWORDS = [
  "type",
  "additionalProperties",
  "prefixItems",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
  "enum",
  "const",
] as const;
