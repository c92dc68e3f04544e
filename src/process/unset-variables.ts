import { ALL_NAMES } from "./module-inputs.js";

/** Prefixes of variables that project code can read: lettershop's, and those of variables that frameworks include in pages. */
export const PASSED_PREFIXES = ["TEMPLATES_", "NEXT_PUBLIC_", "VITE_", "PUBLIC_", "REACT_APP_"];

/** Maximum number of names in a hint. */
const MOST_NAMED = 3;

/**
 * Explains why variables that project code needs are not set.
 *
 * @example
 * explainUnset(["DATABASE_URL"]); // "It reads DATABASE_URL, which is not set here: …"
 */
export function explainUnset(names: readonly string[]): string {
  const named = names.filter((name) => name !== ALL_NAMES);
  const more = named.length - MOST_NAMED;
  const shown = AND.format([...named.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])]);
  const state = named.length === 1 ? "which is not set" : "which are not set";
  const what = named.length === 0 ? "all environment variables" : `${shown}, ${state} here`;
  return `It reads ${what}: commands pass to project code only variables whose names begin with ${OR.format(PASSED_PREFIXES)}, and no secrets.`;
}

const AND = new Intl.ListFormat("en-GB");
const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });
