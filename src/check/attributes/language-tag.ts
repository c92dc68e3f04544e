import { nearest } from "../../nearest.js";

/** RFC 5646, without the few tags that are older than it. */
const TAG =
  /^(?:[a-z]{2,3}(?:-[a-z]{3}){0,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?$/i;
const OF_ONES_OWN = /^[ix]-/i;

/**
 * Whether a text names a language as html does.
 *
 * @example
 * isLanguageTag("pt-BR"); // true
 * isLanguageTag("english"); // false
 * isLanguageTag("en_US"); // false
 */
export function isLanguageTag(text: string): boolean {
  if (OF_ONES_OWN.test(text)) return true;
  if (!TAG.test(text)) return false;
  const [language = ""] = text.toLowerCase().split("-");
  // Of the languages with three letters, there are some that are not known here.
  return language.length > 2 || nameOf(language) !== undefined;
}

/**
 * The tag that somebody meant who wrote a name, or a sign that does not belong there.
 *
 * @example
 * languageTagFor("english"); // "en"
 * languageTagFor("en_US"); // "en-US"
 *
 * @param mostSlips How many letters of a longer name may be wrong.
 */
export function languageTagFor(text: string, mostSlips = 1): string | undefined {
  const dashed = text
    .trim()
    .replaceAll(/[_\s]+/g, "-")
    .replaceAll(/-{2,}/g, "-")
    .replaceAll(/^-|-$/g, "");
  if (dashed !== text && isLanguageTag(dashed)) return dashed;
  if (text.length < 4) return undefined;
  const names = codes();
  const name = nearest(text.toLowerCase(), names.keys(), text.length < 6 ? 0 : mostSlips);
  return name === undefined ? undefined : names.get(name);
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz".split("");
let known: ReadonlyMap<string, string> | undefined;
let display: Intl.DisplayNames | undefined;

/** Every language of two letters by its name, those with a newer code included. */
function codes(): ReadonlyMap<string, string> {
  known ??= new Map(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code): [string, string][] => {
      const name = nameOf(code);
      return name === undefined ? [] : [[name.toLowerCase(), code]];
    }),
  );
  return known;
}

function nameOf(code: string): string | undefined {
  display ??= new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  return display.of(code);
}
