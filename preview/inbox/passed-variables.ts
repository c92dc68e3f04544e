import type { Variables, VariablesContract, VariablesSchema } from "../../src/mustache/variables.js";
import { isObject } from "../state/json.js";

/**
 * The variables that an application passed, from those that its mailer sent: without derived variables, conditions and
 * the nulls of optional variables that were left out.
 */
export const passedVariables = (contract: VariablesContract, sent: Variables): Variables => {
  const read = own(contract.input, sent, contract);
  return isObject(read) ? read : {};
};

/** @param nulls Paths, dotted for nested members, that are null because the application passed null. */
const own = (
  schema: VariablesSchema | boolean | undefined,
  value: unknown,
  contract: VariablesContract,
  nulls: readonly string[] = [],
): unknown => {
  const here = resolved(schema, contract.input);
  if (!here) return value;
  if (Array.isArray(value)) return value.map((item) => own(here.items, item, contract));
  const { properties } = here;
  if (!isObject(value) || !properties) return value;
  const required = new Set(here.required);
  const passed = contract.conditions.filter(({ name, test }) => test.kind === "null" && value[name] === true);
  const known = [...nulls, ...passed.map(({ path }) => path)];
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const of = properties[name];
      const isPassed = member !== null || required.has(name) || known.includes(name);
      if (of === undefined ? !takesOthers(here) : !isPassed) return [];
      const inner = known.flatMap((path) => (path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : []));
      return [[name, own(of, member, contract, inner)]];
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
