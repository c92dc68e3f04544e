import type { Variables, VariablesSchema } from "../../../../mustache/variables.js";
import { checkVariables } from "../schema/check.js";
import { isObject } from "../schema/resolve.js";
import { type Stress, stressed } from "./stress.js";
import { emptyText, htmlText, longText, rightToLeftText } from "./texts.js";

/** A way to put a template under stress, with variables that its schema takes. */
export interface Preset {
  readonly name: string;
  /** What becomes of the variables, for a menu. */
  readonly note: string;
  readonly apply: (schema: VariablesSchema, variables: Variables) => Variables;
}

export const presets: readonly Preset[] = [
  preset("Long", "Texts ×8, long words", { text: longText, items: [12, 3] }),
  preset("Many items", "Lists of 60", { items: [60, 3] }),
  preset("Empty", "Nothing optional", { text: emptyText, items: "none", leavesOut: true }),
  preset("Right to left", "Arabic, Hebrew", { text: rightToLeftText }),
  preset("HTML in values", "Tags, quotes, {{", { text: htmlText }),
];

function preset(name: string, note: string, stress: Stress): Preset {
  return {
    name,
    note,
    apply(schema, variables) {
      const all = stressed(variables, schema, stress);
      if (fits(schema, all) || !fits(schema, variables)) return all;
      // A choice of the schema would not be clear any more: what can be changed is.
      return Object.keys(variables).reduce((made, member) => {
        const { [member]: _, ...without } = made;
        const next = Object.hasOwn(all, member) ? { ...made, [member]: all[member] } : without;
        return fits(schema, next) ? next : made;
      }, variables);
    },
  };
}

function fits(schema: VariablesSchema, variables: Variables): boolean {
  return isObject(variables) && checkVariables(schema, variables).length === 0;
}
