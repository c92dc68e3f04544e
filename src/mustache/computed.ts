import type { VariablesContract, VariablesSchema } from "./variables.js";

/**
 * Whether tags see other variables than an application passes, or of another type: of `derive`, or the schema. They do not
 * where one only names an entry of an object with free names.
 *
 * @example
 * const map: VariablesSchema = { type: "object", additionalProperties: { type: "string" } };
 * const input: VariablesSchema = { type: "object", properties: { map } };
 * const named: VariablesSchema = { ...map, properties: { a: { type: "string" } } };
 * isComputed({ input, derived: { type: "object", properties: { map: named } }, conditions: [] }); // false
 */
export function isComputed({ input, derived }: VariablesContract): boolean {
  return Object.entries(derived?.properties ?? {}).some(([name, seen]) => {
    const passed = input.properties?.[name];
    return passed === undefined || !isPassedOn(seen, passed);
  });
}

function isPassedOn(seen: VariablesSchema, passed: VariablesSchema): boolean {
  const hasFreeNames = typeof passed.additionalProperties === "object" || passed.additionalProperties === true;
  const areMembersPassedOn = Object.entries(seen.properties ?? {}).every(([name, member]) => {
    const own = passed.properties?.[name];
    return own === undefined ? hasFreeNames : isPassedOn(member, own);
  });
  return areMembersPassedOn && areItemsPassedOn(seen, passed) && rest(seen) === rest(passed);
}

function areItemsPassedOn({ items: seen }: VariablesSchema, { items: passed }: VariablesSchema): boolean {
  if (typeof seen === "object" && typeof passed === "object") return isPassedOn(seen, passed);
  return seen === passed;
}

/** What matters to tags beside members and items. */
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
