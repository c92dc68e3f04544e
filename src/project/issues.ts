import type { z } from "zod";
import { valueAt } from "../mustache/parse-variables.js";
import { nearest } from "../text/nearest.js";

/** What does not match a schema, and where. Plain data: it crosses threads. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  /** `expected a number, found "12"` */
  readonly message: string;
}

/**
 * @example
 * describeIssue({ path: ["lines", 0, "price"], message: 'expected a number, found "12"' });
 * // 'lines[0].price: expected a number, found "12".'
 */
export function describeIssue({ path, message }: Issue): string {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return path.length === 0 ? sentence : `${pathText(path)}: ${sentence}`;
}

/** `lines[0].price` */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

type ZodIssue = z.core.$ZodIssue;

/** Describes a zod issue in words that designers understand, too: what was expected, and what was found. */
export function issuesOf(issue: ZodIssue, value: unknown): Issue[] {
  const { path } = issue;
  // One issue for each unknown key, so that each has its own position.
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...path, key], message: "not a variable of the template" }));
  }
  const within = innerIssues(issue);
  if (within.length > 0) {
    return within.flatMap((inner) => issuesOf({ ...inner, path: [...path, ...inner.path] }, value));
  }
  const actual = valueAt(value, path);
  const expected = expectation(issue);
  // If a list is too long or too short, report its length.
  const isLength = issue.code === "too_small" || issue.code === "too_big";
  const isList = Array.isArray(actual) && actual.length > 0;
  const what = isLength && isList ? `a list of ${actual.length}` : describeValue(actual);
  const near =
    issue.code === "invalid_value" && typeof actual === "string" ? nearest(actual, texts(issue.values)) : undefined;
  const question = near === undefined ? "" : ` (did you mean ${JSON.stringify(near)}?)`;
  return [{ path, message: `${expected}, found ${what}${question}` }];
}

/** The nested issues of a union whose branches, except one, have an altogether different kind. */
function innerIssues(issue: ZodIssue): readonly ZodIssue[] {
  if (issue.code === "invalid_element") return issue.issues;
  if (issue.code !== "invalid_union") return [];
  const candidates = issue.errors.filter((branch) => branch.length > 0 && branch.every(({ path }) => path.length > 0));
  return candidates.length === 1 ? (candidates[0] ?? []) : [];
}

function expectation(issue: ZodIssue): string {
  if (!isDefault(issue.message)) return issue.message;
  if (issue.code === "invalid_type") return `expected ${KINDS[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `expected ${either(issue.values.map((value) => describeValue(value)))}`;
  if (issue.code === "invalid_format") {
    const rule = issue.pattern === undefined ? `in the format ${issue.format}` : `that matches ${issue.pattern}`;
    return `expected ${FORMATS[issue.format] ?? `a string ${rule}`}`;
  }
  if (issue.code === "invalid_union") {
    const branches = issue.errors.flatMap((branch) => (branch[0] ? [expectation(branch[0])] : []));
    const all = branches.map((branch) => branch.replace(/^expected /, ""));
    return all.length > 0 ? `expected ${either([...new Set(all)])}` : "matches none of the allowed types";
  }
  if (issue.code === "too_small")
    return `expected ${sized(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}`;
  if (issue.code === "too_big")
    return `expected ${sized(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}`;
  return issue.message.replace(/^[^:]+: (?=expected)/, "");
}

/** `a string of at least 2 characters` */
function sized(origin: string, bound: string, limit: number | bigint): string {
  const measured = { string: ["a string", "character"], array: ["a list", "item"], set: ["a list", "item"] }[origin];
  if (measured) return `${measured[0]} of ${bound} ${limit} ${measured[1]}${Number(limit) === 1 ? "" : "s"}`;
  return origin === "date" ? `a date of ${bound} ${new Date(Number(limit)).toISOString()}` : `${bound} ${limit}`;
}

/** Whether a message is zod's own rather than one from the schema. */
function isDefault(message: string): boolean {
  return /^(?:Invalid |Too (?:small|big):)/.test(message);
}

const A_DATE = 'a date as a string, such as "2026-03-14T09:30:00Z"';

/** Names of zod's kinds and of a schema's types for messages, in words that designers understand, too. */
export const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  date: A_DATE,
  Date: A_DATE,
  bigint: 'a whole number as a string, such as "1250"',
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

const FORMATS: Readonly<Record<string, string>> = {
  email: "an email address",
  url: "a URL, such as https://example.com",
  datetime: 'a date and time, such as "2026-03-14T09:30:00Z"',
  date: 'a date, such as "2026-03-14"',
  time: 'a time, such as "09:30:00"',
  duration: 'a duration, such as "PT15M"',
};

export function either(choices: readonly string[]): string {
  const last = choices.at(-1) ?? "nothing";
  return choices.length > 1 ? `${choices.slice(0, -1).join(", ")} or ${last}` : last;
}

function texts(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === "string");
}

const EXCERPT_LENGTH = 40;

export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (value instanceof Date) return "a Date";
  if (typeof value === "object" && value !== null) return "an object";
  // Only values in a schema may be something that JSON does not have.
  const text = typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? "nothing");
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text;
}
