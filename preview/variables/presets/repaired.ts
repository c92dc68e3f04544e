import type { Variables, VariablesSchema } from "../../../src/mustache/variables.js";
import { stepsOf } from "../path.js";
import { blankOf } from "../schema/blank.js";
import { isObject } from "../../state/json.js";
import { itemSchema, kindOf, memberSchema, wayOf, waysOf } from "../schema/resolve.js";
import type { Check } from "./fitting.js";

/** Number of attempts. Each doubles the lists, and schemas hardly ever require more items than that. */
const ROUNDS = 5;

/** Fills in values that are missing or too short, as well as can be guessed. */
export async function repaired(variables: Variables, root: VariablesSchema, check: Check): Promise<Variables> {
  let made = variables;
  for (let round = 0; round < ROUNDS; round += 1) {
    const problems = await check(made);
    if (problems.length === 0) break;
    for (const { path } of problems) {
      const next = path.length === 0 ? made : replaced(made, root, stepsOf(path));
      if (isObject(next)) made = next;
    }
  }
  return made;

  function replaced(value: unknown, part: VariablesSchema, [step, ...rest]: readonly (string | number)[]): unknown {
    const schema = wayOf(value, waysOf(part, root), root);
    if (step === undefined) return enough(value, schema);
    if (typeof step === "number") {
      if (!Array.isArray(value)) return value;
      return value.map((item, index) => (index === step ? replaced(item, itemSchema(schema, index), rest) : item));
    }
    const member = isObject(value) ? memberSchema(schema, step) : undefined;
    if (!isObject(value) || member === undefined) return value;
    return { ...value, [step]: replaced(value[step], member, rest) };
  }

  function enough(value: unknown, schema: VariablesSchema): unknown {
    const kind = kindOf(schema);
    if (kind === "list" && Array.isArray(value) && schema.prefixItems === undefined) {
      const more = Array.from({ length: Math.max(1, value.length) }, () => blankOf(itemSchema(schema, 0), root));
      return [...value, ...more];
    }
    const blank = blankOf(schema, root);
    if (kind === "number" && blank === value) return 1;
    return kind === "text" && schema.format === undefined && value === "" ? "Placeholder text" : blank;
  }
}
