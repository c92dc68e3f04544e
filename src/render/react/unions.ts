import type { Shape } from "../../mustache/shape.js";
import type { Variables, VariablesSchema } from "../../mustache/variables.js";

/**
 * Whether an object matches one of the kinds in a union: changing only its `type` would turn a cancellation into an upgrade
 * that lacks the members of an upgrade.
 */
export function isOfOneKind(value: Variables, { kinds }: Shape): boolean {
  const objects = kinds.filter(({ properties }) => properties);
  return objects.length < 2 || objects.some((kind) => matches(kind, value));
}

function matches({ properties = {}, required = [] }: VariablesSchema, value: Variables): boolean {
  if (!required.every((name) => value[name] !== undefined)) return false;
  return Object.entries(properties).every(([name, member]) => {
    const actual = value[name];
    if (actual === undefined) return true;
    if (member.const !== undefined) return member.const === actual;
    return !member.enum || member.enum.some((each) => each === actual);
  });
}
