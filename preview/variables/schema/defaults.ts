import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import { isObject } from "../../state/json.js";
import { itemSchema, memberSchema, resolve, wayOf, waysOf } from "./resolve.js";

/**
 * Fills in the schema's defaults, as validation with the schema itself does.
 *
 * @example
 * withDefaults({ type: "object", properties: { currency: { type: "string", default: "EUR" } } }, {}); // { currency:
 * "EUR" }
 */
export function withDefaults(schema: VariablesSchema, variables: Variables): Variables {
  if (!hasDefaults(schema)) return variables;
  const completed = complete(variables, schema, schema);
  return isObject(completed) ? completed : variables;
}

const known = new WeakMap<VariablesSchema, boolean>();

function hasDefaults(schema: VariablesSchema): boolean {
  const has = known.get(schema) ?? JSON.stringify(schema).includes('"default":');
  known.set(schema, has);
  return has;
}

function complete(value: unknown, part: VariablesSchema, root: VariablesSchema): unknown {
  if (typeof value !== "object" || value === null) return value;
  const schema = wayOf(value, waysOf(part, root), root);
  if (Array.isArray(value)) return value.map((item: unknown, index) => complete(item, itemSchema(schema, index), root));
  if (!isObject(value)) return value;
  const missing = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    if (Object.hasOwn(value, name)) return [];
    const preset = resolve(member, root).default;
    return preset === undefined ? [] : [[name, structuredClone(preset)] as const];
  });
  const members = Object.entries(value).map(
    ([name, member]) => [name, complete(member, memberSchema(schema, name) ?? {}, root)] as const,
  );
  return Object.fromEntries([...members, ...missing]);
}
