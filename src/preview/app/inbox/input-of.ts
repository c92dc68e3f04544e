import type { Variables, VariablesContract, VariablesSchema } from "../../../mustache/variables.js";

/**
 * What an application passed, of the variables that its mailer sent: without what the framework adds, so without derived
 * variables, conditions, and nulls for what was left out.
 */
export const inputOf = ({ input }: VariablesContract, sent: Variables): Variables => {
  const read = own(input, sent, input);
  return isObject(read) ? read : {};
};

const own = (schema: VariablesSchema | boolean | undefined, value: unknown, root: VariablesSchema): unknown => {
  const here = resolved(schema, root);
  if (!here) return value;
  if (Array.isArray(value)) return value.map((item) => own(here.items, item, root));
  const { properties } = here;
  if (!isObject(value) || !properties) return value;
  const required = new Set(here.required);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const of = properties[name];
      const isAdded = of === undefined ? !takesOthers(here) : member === null && !required.has(name);
      return isAdded ? [] : [[name, own(of, member, root)]];
    }),
  );
};

const takesOthers = ({ additionalProperties }: VariablesSchema) =>
  typeof additionalProperties === "object" || additionalProperties === true;

const resolved = (schema: VariablesSchema | boolean | undefined, root: VariablesSchema) => {
  if (typeof schema !== "object") return undefined;
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? "")?.[1];
  return name === undefined ? schema : root.$defs?.[name];
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
