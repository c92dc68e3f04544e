import type { SourcePosition } from "../diagnostic.js";
import { standaloneLines, takenSpans } from "./lines.js";
import { parseSource, type MustacheProblem, type MustacheTree } from "./parse.js";
import { positionsIn } from "../text/position.js";
import { scan, type ScannedTag } from "./scan.js";
import type { Question } from "./variables.js";

/** A tag that was replaced by a token, and its position in the source. */
export interface Tag {
  /** The tag as written, delimiters included. */
  readonly text: string;
  readonly at?: SourcePosition;
  /** The condition of a section that the compiler added, rather than the source. */
  readonly test?: Question;
  /** A note on how its file came to be included, for the end of messages; absent in a template's own body. */
  readonly note?: string;
}

/** The tags of one template; a tag's index is its token's number. Plain data that can be sent to a worker. */
export type TagTable = Tag[];

/** Matches every token, with the tag's number in the first group. Global: for `replace` and `matchAll`, not for `test`. */
export const TOKEN = /\uE000(\d+)\uE001/g;

const RESERVED = /[\uE000\uE001]/;

/**
 * The placeholder for tag `number` while HTML and CSS tools process the text; they treat it as a letter.
 *
 * @example
 * token(12); // "\uE00012\uE001"
 */
export function token(number: number): string {
  return `\uE000${number}\uE001`;
}

/** A text in which tokens replace the tags. */
export interface ProtectedText {
  readonly text: string;
  /** The text in contiguous pieces of the source, with their offsets in UTF-16 units. */
  readonly pieces: readonly { readonly text: string; readonly offset: number }[];
  /** The parsed source, before tags were replaced. */
  readonly tree: MustacheTree;
  readonly problems: readonly MustacheProblem[];
}

/**
 * Replaces every tag of a text with a token and appends the tags to the table. Comments are dropped, with their line if
 * nothing else is on it.
 *
 * @example
 * const tags: TagTable = [];
 * protect("Hi {{name}}{{! who? }}", "/app/templates/hi.html", tags).text; // "Hi \uE0000\uE001"
 * tags; // [{ text: "{{name}}", at: { file: "/app/templates/hi.html", line: 1, column: 4 } }]
 *
 * The problems are those of `parseSource`, and characters that could be mistaken for a token; `checkNames` checks names.
 * Incomplete tags stay unchanged.
 *
 * @param options.note A note on how the file came to be included, for messages.
 * @param options.keepsComments Whether comments are kept like other tags. Default false.
 */
export function protect(
  text: string,
  file: string,
  tags: TagTable,
  { note = "", keepsComments = false }: { readonly note?: string; readonly keepsComments?: boolean } = {},
): ProtectedText {
  const scanned = scan(text).tags;
  const isDropped = ({ kind }: ScannedTag): boolean => kind === "comment" && !keepsComments;
  const lines = standaloneLines(text, scanned).filter((line) => line.tags.every(isDropped));
  const taken = takenSpans(lines);
  const positionOf = positionsIn(text);
  const pieces: { text: string; offset: number }[] = [];
  const noted = note === "" ? {} : { note };
  let from = 0;
  for (const tag of scanned) {
    const { start, end } = taken.get(tag) ?? tag;
    if (start > from) pieces.push({ text: text.slice(from, start), offset: from });
    from = end;
    if (isDropped(tag)) continue;
    const number = tags.push({ text: text.slice(start, end), at: { file, ...positionOf(start) }, ...noted }) - 1;
    pieces.push({ text: token(number), offset: start });
  }
  pieces.push({ text: text.slice(from), offset: from });
  const tree = parseSource(text);
  return {
    text: pieces.map((piece) => piece.text).join(""),
    pieces,
    tree,
    problems: [...reservedCharacters(text), ...tree.problems],
  };
}

function reservedCharacters(text: string): MustacheProblem[] {
  const offset = text.search(RESERVED);
  if (offset < 0) return [];
  const code = text.charCodeAt(offset).toString(16).toUpperCase();
  return [
    {
      message: `The character U+${code} is reserved for compiling.`,
      offset,
      hint: `Write it as an entity, &#x${code};, or remove it: it is a private-use character that fonts show differently.`,
    },
  ];
}

/**
 * Puts the tags back in place of their tokens.
 *
 * @example
 * restore("Hi \uE0000\uE001", [{ text: "{{name}}" }], "html"); // "Hi {{name}}"
 * restore("Hi \uE0000\uE001", [{ text: "{{name}}" }], "text"); // "Hi {{{name}}}"
 *
 * `html` restores each tag as written. `text` is for text bodies and subjects, where nothing may be escaped: every tag
 * that prints a variable becomes `{{{name}}}`. A token without a tag in the table stays.
 */
export function restore(text: string, tags: readonly Tag[], as: "html" | "text"): string {
  if (!text.includes("\uE000")) return text;
  return text.replace(TOKEN, (whole, number: string) => {
    const tag = tags[Number(number)];
    if (!tag) return whole;
    return as === "html" ? tag.text : unescaped(tag.text);
  });
}

const PRINTS = /^\{\{\s*(?:\{(?<braced>.*)\}|&(?<marked>.*)|(?<plain>[^#^/!>=].*))\}\}$/s;

function unescaped(tag: string): string {
  const { braced, marked, plain } = PRINTS.exec(tag)?.groups ?? {};
  const name = braced ?? marked ?? plain;
  return name === undefined ? tag : `{{{${name.trim()}}}}`;
}
