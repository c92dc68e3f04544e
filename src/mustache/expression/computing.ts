import type { Computing } from "../complete.js";
import type { VariablesContract } from "../variables.js";
import { evaluator } from "./evaluate.js";
import { type MakeFunctions, packageFunctions } from "./package-functions.js";

export interface ComputedTemplate {
  readonly contract: Pick<VariablesContract, "conditions">;
  /** Makes the functions of packages that it needs. */
  readonly functions?: MakeFunctions | undefined;
}

/** How to compute the values of a template for a locale and a time zone, with functions of packages. */
export function computingOf(
  { contract: { conditions }, functions: make }: ComputedTemplate,
  { locale, timeZone }: Pick<Computing, "locale" | "timeZone">,
): Computing {
  const functions = make ? packageFunctions({ make, conditions, locale, timeZone }) : {};
  return { locale, timeZone, functions, evaluator };
}
