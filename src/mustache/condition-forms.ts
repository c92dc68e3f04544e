import type { Question } from "./variables.js";

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

/**
 * The name that a section's closing tag may have: for a condition, the variable alone is enough.
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
