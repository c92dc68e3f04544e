import type { SourcePosition } from "../diagnostic.js";
import { standaloneLines, takenSpans } from "./lines.js";
import { parseSource, type MustacheProblem, type MustacheTree } from "./parse.js";
import { positionsIn } from "../position.js";
import { scan, type ScannedTag } from "./scan.js";
import type { Question } from "./variables.js";

/** A tag that was taken out of a text, and where it stood. */
export interface Tag {
  /** The tag as it was written, delimiters included. */
  readonly text: string;
  readonly at?: SourcePosition;
  /** What its section asks instead of entering its variable, where the compiler asks, and not the source. */
  readonly asks?: Question;
  /** How its file came to be read, to end a message with; absent in a template's own body. */
  readonly note?: string;
}

/** The tags of one template; a tag's index is its token's number. Plain data, so that a worker can send it. */
export type TagTable = Tag[];

/** Every token of a text, the tag's number in the first group. Global: for `replace` and `matchAll`, not for `test`. */
export const TOKEN = /\uE000(\d+)\uE001/g;

const RESERVED = /[\uE000\uE001]/;

/**
 * The token of tag `number`: what stands for it while tools for HTML and CSS are at work, which take it for a letter.
 *
 * @example
 * token(12); // "\uE00012\uE001"
 */
export function token(number: number): string {
  return `\uE000${number}\uE001`;
}

/** A text whose tags are tokens. */
export interface ProtectedText {
  readonly text: string;
  /** The same in pieces, each of which was written in one piece, and where: in UTF-16 units. */
  readonly pieces: readonly { readonly text: string; readonly offset: number }[];
  /** What was read, before any tag was taken out. */
  readonly tree: MustacheTree;
  readonly problems: readonly MustacheProblem[];
}

/**
 * Replaces every tag of a text by a token and appends the tags to the table. Comments are dropped, with their line
 * where nothing else stands on it.
 *
 * @example
 * const tags: TagTable = [];
 * protect("Hi {{name}}{{! who? }}", "/app/templates/hi.html", tags).text; // "Hi \uE0000\uE001"
 * tags; // [{ text: "{{name}}", at: { file: "/app/templates/hi.html", line: 1, column: 4 } }]
 *
 * The problems are those that `parseSource` finds, and characters of the text that could be taken for a token; names are the
 * matter of `checkNames`. What is not a whole tag stays as it is.
 *
 * @param options.note How the file came to be read, where that is to be told.
 * @param options.keepsComments Whether comments are tags like others. Default false.
 */
export function protect(
  text: string,
  file: string,
  tags: TagTable,
  { note = "", keepsComments = false }: { readonly note?: string; readonly keepsComments?: boolean } = {},
): ProtectedText {
  const found = scan(text).tags;
  const isDropped = ({ kind }: ScannedTag): boolean => kind === "comment" && !keepsComments;
  const lines = standaloneLines(text, found).filter((line) => line.tags.every(isDropped));
  const taken = takenSpans(lines);
  const positionOf = positionsIn(text);
  const pieces: { text: string; offset: number }[] = [];
  const noted = note === "" ? {} : { note };
  let from = 0;
  for (const tag of found) {
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
      hint: `Write it as an entity, &#x${code};, or remove it: it is a private character that fonts give different pictures.`,
    },
  ];
}

/**
 * Puts the tags back where their tokens are.
 *
 * @example
 * restore("Hi \uE0000\uE001", [{ text: "{{name}}" }], "html"); // "Hi {{name}}"
 * restore("Hi \uE0000\uE001", [{ text: "{{name}}" }], "text"); // "Hi {{{name}}}"
 *
 * `html` gives each tag as it was written. `text` is for text bodies and subjects, where nothing may be escaped:
 * whatever prints a variable becomes `{{{name}}}`. A token whose tag is not in the table stays.
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
