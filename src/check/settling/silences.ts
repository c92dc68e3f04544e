import { nearest } from "../../text/nearest.js";
import { positionsIn, type Position } from "../../text/position.js";
import { lastLineOfTag } from "../open-tag-lines.js";

/** A silencing comment; one entry for each rule that it names. */
export interface Silence {
  readonly file: string;
  /** Where the comment begins. */
  readonly at: Position;
  /** As written; empty where `problem` is given. */
  readonly rule: string;
  /** What is wrong with the comment itself, so that it silences nothing. */
  readonly problem?: string;
  /** The lines that it applies to. */
  readonly from: number;
  readonly to: number;
  /** Whether the file begins with it, so that it also applies to findings about the whole file. */
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

/** Matches silencing comments in a file; undefined for files without comments, such as JSON and images. */
function commentsIn(file: string): RegExp | undefined {
  if (/\.(?:html?|mjml|txt|svg)$/i.test(file)) return IN_MARKUP;
  return /\.(?:[cm]?[jt]sx?|css)$/i.test(file) ? IN_SCRIPT : undefined;
}

/** Whether a file with this name can contain silencing comments. */
export function canHoldSilences(file: string): boolean {
  return commentsIn(file) !== undefined;
}

/**
 * Reads the silencing comments of a source. A comment on its own line applies to the next line that is neither empty nor
 * such a comment, and if an element begins there, to all lines of its opening tag. Any other comment applies to its own
 * line.
 *
 * @example
 * readSilences("/app/a.html", "{{! lettershop-ignore image-alt: decoration }}\n<img src=x>");
 * // [{ file: "/app/a.html", at: { line: 1, column: 1 }, rule: "image-alt", from: 2, to: 2, isFirst: true }]
 */
export function readSilences(file: string, text: string): Silence[] {
  const comments = commentsIn(file);
  if (!comments) return [];
  const positionOf = positionsIn(text);
  const blank = text.replaceAll(comments, (comment) => comment.replaceAll(/[^\n]/g, " "));
  const lines = blank.split("\n");
  const isEmpty = (line: number): boolean => (lines[line - 1] ?? "").trim() === "";
  const silences = Array.from(text.matchAll(comments)).flatMap(({ index, 0: comment, ...groups }): Silence[] => {
    const at = positionOf(index);
    const last = positionOf(index + comment.length).line;
    const own = [at.line, last].find((line) => !isEmpty(line));
    let next = last + 1;
    while (next <= lines.length && isEmpty(next)) next += 1;
    const common = {
      file,
      at,
      from: own ?? next,
      to: own ?? lastLineOfTag(text, next),
      isFirst: blank.slice(0, index).trim() === "",
    };
    const rules = namesIn(groups[1] ?? groups[2] ?? groups[3] ?? "");
    if (rules.length === 0) return [{ ...common, rule: "", problem: "This comment names no rule." }];
    return rules.map((rule) => ({ ...common, rule }));
  });
  const misspelt = misspeltIn(text).map(({ index, word }): Silence => {
    const at = positionOf(index);
    const problem = `This comment says "${word}", which silences nothing.`;
    return { file, at, rule: "", problem, from: at.line, to: at.line, isFirst: false };
  });
  return [...silences, ...misspelt];
}

/** The first word of a comment. `//` in a URL does not begin one. */
const FIRST_WORDS =
  /(?:<!--|\{\{!(?:--)?|\/\*|(?<!:)\/\/)[ \t]*([A-Za-z]+(?:[-_][A-Za-z]+| (?:ignore|disable|silence|skip|off)\b)?)([\w-]*)/g;

/** What a misspelt comment may stand for, including terms of other tools. */
const MEANT = ["lettershop-ignore", "lettershop-disable", "lettershop-silence", "lettershop-skip", "lettershop-off"];

/** Comments that look like misspelt silencing comments. */
function misspeltIn(text: string): { readonly index: number; readonly word: string }[] {
  return Array.from(text.matchAll(FIRST_WORDS))
    .filter(([, word = "", rest = ""]) => {
      return word + rest !== "lettershop-ignore" && nearest(word, MEANT, 2) !== undefined;
    })
    .map(({ index, 1: word = "", 2: rest = "" }) => ({ index, word: word + rest }));
}

/** `a, b: reason` */
function namesIn(comment: string): string[] {
  const [names = ""] = comment.split(":");
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
