import type { Expression } from "./expression.js";
import { operandsOf } from "./expression-of.js";

/*
 * React doesn't escape the text of `<script>` and `<style>`, except for the element's own name after a `<`: `</script>` becomes
 * `</\u0073cript>`.
 */

export type RawElement = "script" | "style";

/** A pattern, and what it is replaced with. */
export type Replacement = readonly [source: string, replacement: string];

const START = String.raw`(<\/?)`;

/** What React replaces in the text of each element, with the flag `g`. */
export const OWN_NAMES: Readonly<Record<RawElement, readonly Replacement[]>> = {
  script: [
    [`${START}s([cC][rR][iI][pP][tT])`, "$1\\u0073$2"],
    [`${START}S([cC][rR][iI][pP][tT])`, "$1\\u0053$2"],
  ],
  style: [
    [`${START}s([tT][yY][lL][eE])`, "$1\\73 $2"],
    [`${START}S([tT][yY][lL][eE])`, "$1\\53 $2"],
  ],
};

/** Whether a pattern is one of these. */
export function isOfOwnName(source: string): boolean {
  return source.startsWith(START);
}

/** Whether the result is a text in which the element's own name was replaced. */
export function isWithoutOwnName(expression: Expression): boolean {
  if (expression.kind === "if") return isWithoutOwnName(expression.yes);
  return operandsOf(expression).some((part) => part.kind === "pattern" && isOfOwnName(part.source));
}
