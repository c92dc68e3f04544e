import { typoOf } from "../css/typo.js";
import type { Grammar } from "../css/values.js";
import type { Mistake } from "../mistake.js";

/**
 * What is wrong with a colour in an attribute, as in `bgcolor`. Browsers make some colour of every text there, by rules that
 * take letters for digits; mail clients differ in that.
 *
 * @example
 * mistakeInColour("bgcolor", "#12345", await loadGrammar()); // { message: "…", hint: "… `#12345` has 5." }
 */
export function mistakeInColour(attribute: string, value: string, grammar: Grammar): Mistake | undefined {
  const colour = value.toLowerCase();
  if (/^#?(?:[\da-f]{3}|[\da-f]{6})$/.test(colour) || colour === "transparent") return undefined;
  const message = `\`${value}\` is no value of \`${attribute}\`: mail clients make some other colour of it, or none.`;
  const digits = /^#([\da-f]+)$/.exec(colour)?.[1];
  if (digits !== undefined)
    return { message, hint: `A colour has 3 or 6 digits here; \`${value}\` has ${digits.length}.` };
  if (colour.startsWith("#")) return { message, hint: "A colour's digits are 0 to 9 and a to f." };
  if (/^[a-z]+$/.test(colour)) {
    const words = grammar.wordsOf("color");
    if (grammar.takes("color", colour) && !NOT_HERE.test(colour)) return undefined;
    const meant = NOT_HERE.test(colour) ? undefined : (typoOf(colour, words) ?? anagram(colour));
    if (meant !== undefined) return { message, hint: `Did you mean \`${meant}\`?` };
  }
  return { message, hint: "Write a colour such as `#ffffff`; what only CSS knows stands in `style`." };
}

const NOT_HERE = /^(?:none|inherit|initial|unset|revert|currentcolor)$/;

/** A colour is seldom longer than its mistakes: the letters of one, in another order, are that colour. */
function anagram(colour: string): string | undefined {
  const sorted = (text: string): string => text.split("").toSorted().join("");
  return SHORT.find((name) => sorted(name) === sorted(colour));
}

const SHORT = ["red", "tan", "blue", "gray", "grey", "black", "white", "green"];
