import type { SourcePosition } from "../diagnostic.js";
import { standaloneLines, takenSpans } from "./lines.js";
import { parse, type MustacheProblem } from "./parse.js";
import { positionsIn } from "../position.js";
import { scan } from "./scan.js";

/** A tag that was taken out of a text, and where it stood. */
export interface Tag {
  /** The tag as it was written, delimiters included. */
  readonly text: string;
  readonly at?: SourcePosition;
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

/**
 * Replaces every tag of a text by a token and appends the tags to the table. Comments are dropped, with their line
 * where nothing else stands on it.
 *
 * @example
 * const tags: TagTable = [];
 * protect("Hi {{name}}{{! who? }}", "/app/templates/hi.html", tags).text; // "Hi \uE0000\uE001"
 * tags; // [{ text: "{{name}}", at: { file: "/app/templates/hi.html", line: 1, column: 4 } }]
 *
 * The problems are those that `parse` finds, and characters of the text that could be taken for a token; names are the
 * matter of `checkNames`. What is not a whole tag stays as it is.
 */
export function protect(
  text: string,
  file: string,
  tags: TagTable,
): { readonly text: string; readonly problems: readonly MustacheProblem[] } {
  const found = scan(text).tags;
  const lines = standaloneLines(text, found).filter((line) => line.tags.every(({ kind }) => kind === "comment"));
  const taken = takenSpans(lines);
  const positionOf = positionsIn(text);
  let output = "";
  let from = 0;
  for (const tag of found) {
    const { start, end } = taken.get(tag) ?? tag;
    output += text.slice(from, start);
    from = end;
    if (tag.kind === "comment") continue;
    const number = tags.push({ text: text.slice(start, end), at: { file, ...positionOf(start) } }) - 1;
    output += token(number);
  }
  return { text: output + text.slice(from), problems: [...reservedCharacters(text), ...parse(text).problems] };
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
