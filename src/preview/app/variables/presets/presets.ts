import type { Variables, VariablesSchema } from "../../../../mustache/variables.js";
import { counted } from "../../state/counts.js";
import { checkVariables } from "../schema/check.js";
import { isObject } from "../schema/resolve.js";
import { type Check, fitting } from "./fitting.js";
import { repaired } from "./repaired.js";
import { type Amounts, type Stress, stressed } from "./stress.js";
import { htmlText, longText, rightToLeftText } from "./texts.js";

/** A way to put a template under stress, with variables that its schema takes. */
export interface Preset {
  readonly name: string;
  /** What becomes of the variables, for a menu. */
  readonly note: string;
  /** Why it can do nothing with such variables; undefined where it may. */
  readonly obstacle: (schema: VariablesSchema) => string | undefined;
  /** @param check What else there is to hold to than the schema: limits, patterns, `derive`. */
  readonly apply: (schema: VariablesSchema, variables: Variables, check?: Check) => Promise<Variables>;
}

/** @param items How many items the preset for lists gives each. */
export function presetsWith(items: number): readonly Preset[] {
  return [
    preset("Long", "Texts ×8, long words", { text: longText, canBeCut: true, items: [12, 3] }),
    itemsPreset(items),
    preset("Empty", "Nothing optional", { isEmptying: true }),
    preset("Right to left", "Arabic, Hebrew", { text: rightToLeftText }),
    preset("HTML in values", "Tags, quotes, {{", { text: htmlText }),
  ];
}

export function itemsPreset(items: number): Preset {
  return preset(counted(items, "item"), "In each list", { items: [items, 3], isExact: true });
}

function preset(name: string, note: string, stress: Stress): Preset {
  return {
    name,
    note,
    obstacle: (schema) =>
      stress.text === undefined && !stress.isEmptying && !hasList(schema) ? "No lists here" : undefined,
    async apply(schema, variables, check = () => []) {
      const checkAll: Check = (made) => {
        const problems = checkVariables(schema, made);
        return problems.length > 0 ? problems : check(made);
      };
      // Of what does not fit, nobody can say how little of it would.
      const given = stress.isEmptying ? await repaired(variables, schema, checkAll) : variables;
      const make = (amountOf?: Amounts) => stressed(given, schema, stress, amountOf);
      return fitting(given, { make, canBeCut: stress.canBeCut === true || stress.isEmptying === true }, checkAll);
    },
  };
}

const hasList = (part: unknown): boolean => {
  if (Array.isArray(part)) return part.some(hasList);
  return isObject(part) && (part["type"] === "array" || Object.values(part).some(hasList));
};
