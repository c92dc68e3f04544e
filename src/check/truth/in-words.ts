import type { Variables } from "../../mustache/variables.js";

/** Characters of a text, and of all variables, that a message has room for. */
const LONGEST_TEXT = 24;
const LONGEST = 160;

/**
 * @example
 * inWords({ name: "w".repeat(200) }); // '{"name":"wwwwwwwwwwwwwwwwwwwwwwww…"}'
 */
export function inWords(variables: Variables): string {
  const words = JSON.stringify(variables, (_, value: unknown) =>
    typeof value === "string" && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value,
  );
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
