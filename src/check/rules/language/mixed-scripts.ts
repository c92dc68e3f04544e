import type { Rule } from "../../rule.js";
import { onceEach } from "../../once-each.js";
import { withoutTags } from "./plain.js";
import { wordingsOf } from "./wordings.js";

export const mixedScripts: Rule = {
  id: "mixed-scripts",
  summary: "A word has letters of another alphabet that look like its own.",
  severity: "warning",
  checkTemplate: (checked) =>
    onceEach(
      wordingsOf(checked).flatMap(({ text, at }) =>
        (FOREIGN.test(text) ? (withoutTags(text).match(/[\p{L}\p{M}]{3,}/gu) ?? []) : []).flatMap((word) => {
          const foreign = lookAlikes(word);
          if (foreign === undefined) return [];
          return [
            {
              message: `"${word}" has ${foreign.map(described).join(" and ")}, which ${foreign.length === 1 ? "looks" : "look"} like another letter: filters take that for an attempt to deceive.`,
              at: at(word),
              hint: "Write the word with the letters of one alphabet.",
            },
          ];
        }),
      ),
    ),
};

const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Letters of Cyrillic and Greek that look like Latin ones. */
const LIKE_LATIN = new Set("асеорхуіјѕһԁԛԝАВЕКМНОРСТХУІЈЅαονρυχκιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ");

/**
 * The letters of a word that pretend to be others.
 *
 * @example
 * lookAlikes("раypal"); // ["р", "а"]
 */
export function lookAlikes(word: string): string[] | undefined {
  if (!/\p{Script=Latin}/u.test(word)) return undefined;
  const foreign = word.match(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu) ?? [];
  return foreign.length > 0 && foreign.every((letter) => LIKE_LATIN.has(letter)) ? [...new Set(foreign)] : undefined;
}

function described(letter: string): string {
  const script = /\p{Script=Greek}/u.test(letter) ? "Greek" : "Cyrillic";
  return `the ${script} "${letter}" (U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")})`;
}
