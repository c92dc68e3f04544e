import path from "node:path";
import { nearest } from "../../nearest.js";
import { positionsIn, type Position } from "../../position.js";
import { lastLineOfTag } from "../open-tag-lines.js";

/** A comment in a source that silences rules for what stands after it. */
export interface Silence {
  readonly file: string;
  /** Where the comment begins. */
  readonly at: Position;
  /** What stands in the place of `lettershop-ignore` where that is misspelt: it silences nothing. */
  readonly misspelt?: string;
  /** What it names as rules, as written. */
  readonly rules: readonly string[];
  /** The lines that it is for. */
  readonly from: number;
  readonly to: number;
  /** It is what the file begins with: it is also for findings about the file as a whole. */
  readonly isFirst: boolean;
}

const WORD = String.raw`\s*lettershop-ignore(?![\w-])`;
const IN_MARKUP = new RegExp(
  [`<!--${WORD}([^]*?)-->`, `\\{\\{!(?:--)?${WORD}([^]*?)(?:--)?\\}\\}`, `/\\*${WORD}([^]*?)\\*/`].join("|"),
  "g",
);
const IN_SCRIPT = new RegExp(
  [`\\{\\s*/\\*${WORD}([^]*?)\\*/\\s*\\}`, `/\\*${WORD}([^]*?)\\*/`, `//${WORD}(.*)`].join("|"),
  "g",
);

/** The comments of each kind of file. What is not listed has none: JSON, images. */
const COMMENTS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries([".html", ".htm", ".mjml", ".txt", ".svg"].map((extension) => [extension, IN_MARKUP])),
  ...Object.fromEntries(
    [".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".css"].map((extension) => [extension, IN_SCRIPT]),
  ),
};

/** Whether a file of this name can hold silencing comments. */
export function canHoldSilences(file: string): boolean {
  return Object.hasOwn(COMMENTS, path.extname(file).toLowerCase());
}

/**
 * The silencing comments of a source. One on lines of its own is for the next line that is neither empty nor such a
 * comment, and, where an element begins there, for all lines of its opening tag; one beside something else is for its
 * own line.
 *
 * @example
 * readSilences("/app/a.html", "{{! lettershop-ignore image-alt: decoration }}\n<img src=x>");
 * // [{ file: "/app/a.html", at: { line: 1, column: 1 }, rules: ["image-alt"], from: 2, to: 2, isFirst: true }]
 */
export function readSilences(file: string, text: string): Silence[] {
  const comments = COMMENTS[path.extname(file).toLowerCase()];
  const misspelt = comments ? readMisspelt(file, text) : [];
  if (!comments || !text.includes("lettershop-ignore")) return misspelt;
  const positionOf = positionsIn(text);
  const found = Array.from(text.matchAll(comments), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    rules: namesIn(match.slice(1).find((group) => group !== undefined) ?? ""),
  }));
  // The last first: one that another follows is for what that one is for.
  const blank = found.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + blanked(rest.slice(start, end)) + rest.slice(end),
    text,
  );
  const lines = blank.split("\n");
  const isEmpty = (line: number): boolean => (lines[line - 1] ?? "").trim() === "";
  const silences = found.map(({ start, end, rules }): Silence => {
    const at = positionOf(start);
    const isFirst = blank.slice(0, start).trim() === "";
    const last = positionOf(end).line;
    if (!isEmpty(at.line)) return { file, at, rules, from: at.line, to: at.line, isFirst };
    if (!isEmpty(last)) return { file, at, rules, from: last, to: last, isFirst };
    let next = last + 1;
    while (next <= lines.length && isEmpty(next)) next += 1;
    return { file, at, rules, from: next, to: lastLineOfTag(text, next), isFirst };
  });
  return [...silences, ...misspelt];
}

/** What a comment begins with; in an address, two slashes begin none. */
const FIRST_WORDS = /(?:<!--|\{\{!(?:--)?|\/\*|(?<!:)\/\/)[ \t]*([A-Za-z]+(?:[-_][\w-]*)?)(?:[ \t]+([a-z]+)\b)?/g;

/** Comments that were meant to silence something, and are none of those that do. */
function readMisspelt(file: string, text: string): Silence[] {
  const positionOf = positionsIn(text);
  return Array.from(text.matchAll(FIRST_WORDS)).flatMap(({ index, 1: first = "", 2: second = "" }): Silence[] => {
    const isApart = isNearly(first, "lettershop") && WAYS.has(second);
    if (!isApart && !isMisspelt(first)) return [];
    const at = positionOf(index);
    const misspelt = isApart ? `${first} ${second}` : first;
    return [{ file, at, misspelt, rules: [], from: at.line, to: at.line, isFirst: false }];
  });
}

/** What other tools call it. */
const WAYS: ReadonlySet<string> = new Set(["ignore", "disable", "silence", "skip", "off"]);

function isMisspelt(word: string): boolean {
  if (word === "lettershop-ignore") return false;
  const [name = "", way] = word.toLowerCase().split(/[-_]/);
  if (way === undefined) return isNearly(name, "lettershopignore");
  return isNearly(name, "lettershop") && nearest(way, WAYS, 2) !== undefined;
}

function isNearly(word: string, wanted: string): boolean {
  return nearest(word.toLowerCase(), [wanted], 2) !== undefined;
}

function blanked(comment: string): string {
  return comment.replace(/[^\n]/g, " ");
}

/** `a, b: reason` */
function namesIn(comment: string): string[] {
  const [names = ""] = comment.split(":");
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
