import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import { type Path, stepsOf, valueAt, withValue } from "../path.js";
import { checkVariables } from "../schema/check.js";
import type { Check } from "./fitting.js";
import { repaired } from "./repaired.js";

/**
 * Changes a new value until the schema allows it, including limits and patterns: the smallest value that can be
 * guessed, otherwise the value of the item before it.
 */
export async function allowed(
  variables: Variables,
  schema: VariablesSchema,
  added: Path,
  check: Check,
): Promise<Variables> {
  const checkAdded: Check = async (made) => {
    const problems = checkVariables(schema, made);
    const all = problems.length > 0 ? problems : await check(made);
    return all.filter(({ path }) => added.every((step, index) => path[index] === step));
  };
  const made = await repaired(variables, schema, checkAdded);
  const itemBeforeAdded = itemBefore(variables, added);
  return (await checkAdded(made)).reduce((all, problem) => {
    const path = stepsOf(problem.path);
    const value = valueAt(itemBeforeAdded, path.slice(added.length));
    return value === undefined ? all : withValue(all, path, value);
  }, made);
}

function itemBefore(variables: Variables, added: Path): unknown {
  const index = added.at(-1);
  return typeof index === "number" && index > 0 ? valueAt(variables, [...added.slice(0, -1), index - 1]) : undefined;
}
