import type { Question } from "./variables.js";
import { nearest } from "../text/nearest.js";
import { entryOf } from "../values.js";

/** A variable, and the condition that a section tests on it instead of entering it. */
export interface VariableTest {
  readonly path: string;
  readonly test: Question;
}

/** The conditions of one word, as written in a section's name. */
export const QUESTION_WORDS = {
  "has-items": { kind: "has-items" },
  "is-present": { kind: "present" },
  "is-truthy": { kind: "truthy" },
} as const;

const OPERATORS = { over: ">", under: "<", "at-least": ">=", "at-most": "<=" } as const;

const QUESTION = /^(?<path>\S+)\s+(?<word>[a-z-]+)(?:\s+(?<literal>\S.*))?$/s;
/** A quoted string, a number, `true`, `false` or `null`. */
export const LITERAL = /^(?:"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|true|false|null)$/s;

/**
 * Parses the condition in a section's name; undefined for a plain name or an invalid condition.
 *
 * @example
 * readQuestion('status equals "paid"'); // { path: "status", test: { kind: "equals", value: "paid" } }
 * readQuestion("status"); // undefined
 */
export function readQuestion(name: string): VariableTest | undefined {
  const { path = "", word = "", literal } = QUESTION.exec(name)?.groups ?? {};
  if (literal === undefined) return isKey(word, QUESTION_WORDS) ? { path, test: QUESTION_WORDS[word] } : undefined;
  if (!LITERAL.test(literal)) return undefined;
  const value = valueOf(literal);
  if (word === "equals") return { path, test: { kind: "equals", value } };
  if (typeof value !== "number" || !isKey(word, OPERATORS)) return undefined;
  return { path, test: { kind: "compares", operator: OPERATORS[word], value } };
}

/** The name that a section's closing tag may have: for a condition, the variable alone is enough. */
export function subjectOf(name: string): string {
  return /^\S+/.exec(name)?.[0] ?? name;
}

function valueOf(literal: string): string | number | boolean | null {
  if (/^["']/.test(literal)) return literal.slice(1, -1);
  if (literal === "null") return null;
  if (literal === "true" || literal === "false") return literal === "true";
  return Number(literal);
}

function isKey<T extends object>(word: string, words: T): word is keyof T & string {
  return Object.hasOwn(words, word);
}

/** The condition that a section was probably meant to test, as its name should be written. */
interface SuggestedQuestion {
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
  const near = entryOf(SYNONYMS, word) ?? known.find((each) => each.replace("-", "") === word) ?? nearest(words, known);
  return near === undefined ? undefined : { name: `${about} ${near}`, negated: false };
}

const QUOTES = /^(?:["'`“”„‘’«»]|&(?:quot|apos|#39|#34);)+|(?:["'`“”„‘’«»]|&(?:quot|apos|#39|#34);)+$/g;

function quoted(text: string): string {
  if (LITERAL.test(text)) return text;
  const bare = text.replaceAll(QUOTES, "").trim();
  return bare.includes('"') ? `'${bare}'` : `"${bare}"`;
}
