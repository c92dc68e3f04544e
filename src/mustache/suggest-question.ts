import { nearest } from "../text/nearest.js";
import { LITERAL, QUESTION_WORDS } from "./condition-forms.js";

/** The condition that a section was probably meant to test, as its name should be written. */
export interface SuggestedQuestion {
  readonly name: string;
  /** Whether it is negated: an inverted section. */
  readonly negated: boolean;
}

const NAME = String.raw`(?<name>[^\s=!<>()"']+)`;
const LENGTH = new RegExp(String.raw`^${NAME}\.length(?:\s*(?<operator>[<>!=]+)\s*[01])?$`);
const CALL = new RegExp(
  String.raw`^\(?\s*(?<operator>eq|ne|is|equals|if_?(?:eq|equals)|isEqual)\s+${NAME}\s+(?<literal>[^()]+?)\s*\)?$`,
  "si",
);
const COMPARISON = new RegExp(String.raw`^${NAME}\s*(?<operator>[!=]={0,2})\s*(?<literal>\S.*)$`, "s");
const ORDER = new RegExp(String.raw`^${NAME}\s*(?<operator>[<>]=?)\s*(?<literal>-?\d+(?:\.\d+)?)$`);
const ORDERS: Readonly<Record<string, string>> = { ">": "over", "<": "under", ">=": "at-least", "<=": "at-most" };
const WORDS = new RegExp(String.raw`^${NAME}\s+(?:equals?|is|eq)\s+(?<text>\S.*)$`, "s");
const WORD = new RegExp(String.raw`^${NAME}\s+(?<words>\S.*)$`, "s");

/** In lower case, without word separators. */
const SYNONYMS: Readonly<Record<string, keyof typeof QUESTION_WORDS>> = {
  any: "has-items",
  notempty: "has-items",
  isnotempty: "has-items",
  nonempty: "has-items",
  exists: "is-present",
  isset: "is-present",
  isdefined: "is-present",
  istrue: "is-truthy",
};

/** Names in hostile templates can have any length; these patterns are for names that people write. */
const LONGEST = 250;

/**
 * The condition that the author most likely meant, if a section's name is written in another way, or in the syntax of
 * another template language.
 * @example
 * suggestQuestion("items hasItem"); // { name: "items has-items", negated: false }
 * suggestQuestion("status != 'paid'"); // { name: "status equals 'paid'", negated: true }
 */
export function suggestQuestion(written: string): SuggestedQuestion | undefined {
  if (written.length > LONGEST) return undefined;
  const length = LENGTH.exec(written)?.groups;
  if (length)
    return { name: `${length["name"]} has-items`, negated: /^(?:={1,3}|<=?)$/.test(length["operator"] ?? "") };
  const { name, operator = "", literal } = (CALL.exec(written) ?? COMPARISON.exec(written))?.groups ?? {};
  // In those languages, a word without quotes is a variable.
  if (literal !== undefined && LITERAL.test(literal))
    return { name: `${name} equals ${literal}`, negated: /^(?:!|ne)/i.test(operator) };
  const order = ORDER.exec(written)?.groups;
  if (order) return { name: `${order["name"]} ${ORDERS[order["operator"] ?? ""]} ${order["literal"]}`, negated: false };
  const { name: subject, text } = WORDS.exec(written)?.groups ?? {};
  if (text !== undefined) return { name: `${subject} equals ${quoted(text)}`, negated: false };
  const { name: about, words = "" } = WORD.exec(written)?.groups ?? {};
  const word = words.replace(/[\s_-]/g, "").toLowerCase();
  const known = Object.keys(QUESTION_WORDS);
  const near = SYNONYMS[word] ?? known.find((each) => each.replace("-", "") === word) ?? nearest(words, known);
  return near === undefined ? undefined : { name: `${about} ${near}`, negated: false };
}

const QUOTES = /^(?:["'`“”„‘’«»]|&(?:quot|apos|#39|#34);)+|(?:["'`“”„‘’«»]|&(?:quot|apos|#39|#34);)+$/g;

function quoted(text: string): string {
  if (LITERAL.test(text)) return text;
  const bare = text.replaceAll(QUOTES, "").trim();
  return bare.includes('"') ? `'${bare}'` : `"${bare}"`;
}
