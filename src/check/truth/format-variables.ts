import type { Variables } from "../../mustache/variables.js";

/** Maximum number of characters in a message: of one string, and of all variables. */
const LONGEST_TEXT = 24;
const LONGEST = 160;

/**
 * Variables as JSON for a message, with long strings cut.
 *
 * @example
 * formatVariables({ name: "w".repeat(200) }); // '{"name":"wwwwwwwwwwwwwwwwwwwwwwww…"}'
 */
export function formatVariables(variables: Variables): string {
  const words = JSON.stringify(variables, (_, value: unknown) =>
    typeof value === "string" && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value,
  );
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
