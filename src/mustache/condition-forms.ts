import type { Question } from "./variables.js";

/** A variable, and what a section asks of it instead of entering it. */
export interface Asked {
  readonly path: string;
  readonly test: Question;
}

/** What can be asked in one word, as it is written. */
export const QUESTION_WORDS = {
  "has-items": { kind: "has-items" },
  "is-present": { kind: "present" },
  "is-truthy": { kind: "truthy" },
} as const;

const OPERATORS = { over: ">", under: "<", "at-least": ">=", "at-most": "<=" } as const;

const QUESTION = /^(?<path>\S+)\s+(?<word>[a-z-]+)(?:\s+(?<literal>\S.*))?$/s;
/** A text in quotes, a number, `true`, `false` or `null`. */
export const LITERAL = /^(?:"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|true|false|null)$/s;

/**
 * What a section's name asks; undefined where it is a plain name, or none that a section can have.
 *
 * @example
 * readQuestion('status equals "paid"'); // { path: "status", test: { kind: "equals", value: "paid" } }
 * readQuestion("status"); // undefined
 */
export function readQuestion(name: string): Asked | undefined {
  const { path = "", word = "", literal } = QUESTION.exec(name)?.groups ?? {};
  if (literal === undefined) return isKey(word, QUESTION_WORDS) ? { path, test: QUESTION_WORDS[word] } : undefined;
  if (!LITERAL.test(literal)) return undefined;
  const value = valueOf(literal);
  if (word === "equals") return { path, test: { kind: "equals", value } };
  if (typeof value !== "number" || !isKey(word, OPERATORS)) return undefined;
  return { path, test: { kind: "compares", operator: OPERATORS[word], value } };
}

/**
 * The name of a section as its closing tag may have it: of one that asks something, what it asks about is enough.
 *
 * @example
 * subjectOf("items has-items"); // "items"
 */
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
