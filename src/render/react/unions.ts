import type { Shape } from "../../mustache/shape.js";
import type { Variables, VariablesSchema } from "../../mustache/variables.js";

/**
 * Whether an object is one of the kinds that a schema tells apart: a change of its `type` alone makes an upgrade of a
 * cancellation, without what every upgrade has.
 */
export function isOfOneKind(value: Variables, { kinds }: Shape): boolean {
  const objects = kinds.filter(({ properties }) => properties);
  return objects.length < 2 || objects.some((kind) => isOf(kind, value));
}

function isOf({ properties = {}, required = [] }: VariablesSchema, value: Variables): boolean {
  if (!required.every((name) => value[name] !== undefined)) return false;
  return Object.entries(properties).every(([name, member]) => {
    const given = value[name];
    if (given === undefined) return true;
    if (member.const !== undefined) return member.const === given;
    return !member.enum || member.enum.some((each) => each === given);
  });
}
