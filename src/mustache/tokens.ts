import type { SourcePosition } from "../diagnostic.js";
import { type MustacheProblem, scan, type ScannedTag, standaloneLines, takenSpans } from "./scan.js";
import { type MustacheTree, parseSource } from "./parse.js";
import { positionsIn } from "../text/position.js";
import type { Question } from "./variables.js";

/** A tag that was replaced by a token, and its position in the source. */
export interface Tag {
  /** The tag as written, delimiters included. */
  readonly text: string;
  readonly at?: SourcePosition;
  /** The condition of a section that the compiler added, rather than the source. */
  readonly test?: Question;
  /** Of a tag that prints computed HTML: whether that has lines of its own. */
  readonly layout?: HtmlLayout;
  /** A note on how its file came to be included, for the end of messages; absent in a template's own body. */
  readonly note?: string;
}

/** Whether HTML has lines of its own, or is part of a line. */
export type HtmlLayout = "block" | "inline";

/** The tags of one template; a tag's index is its token's number. Plain data that can be sent to a worker. */
export type TagTable = Tag[];

/** Matches every token, with the tag's number in the first group. Global: for `replace` and `matchAll`, not for `test`. */
export const TOKEN = /\uE000(\d+)\uE001/g;

const RESERVED = /[\uE000\uE001]/;

/** The placeholder for tag `number` while HTML and CSS tools process the text; they treat it as a letter. */
export function token(number: number): string {
  return `\uE000${number}\uE001`;
}

/** A string in which tokens replace the tags. */
export interface ProtectedText {
  readonly text: string;
  /** The text in contiguous pieces of the source, with their offsets in UTF-16 units. */
  readonly pieces: readonly { readonly text: string; readonly offset: number }[];
  /** The parsed source, before tags were replaced. */
  readonly tree: MustacheTree;
  readonly problems: readonly MustacheProblem[];
}

/**
 * Replaces every tag of a string with a token and appends the tags to the table. Comments are dropped, with their line if
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

/** A token in a string. */
export interface TokenAt {
  /** The tag's number. */
  readonly tag: number;
  readonly offset: number;
}

const [OPENING, CLOSING] = ["\uE000", "\uE001"];
const IS_NUMBER = /^\d+$/;

export function tokensIn(text: string): TokenAt[] {
  const tokens: TokenAt[] = [];
  // Not with a regular expression: every match would allocate an object, and whole bodies are searched several times.
  for (let offset = text.indexOf(OPENING); offset >= 0; offset = text.indexOf(OPENING, offset + 1)) {
    const number = text.slice(offset + 1, Math.max(0, text.indexOf(CLOSING, offset)));
    if (IS_NUMBER.test(number)) tokens.push({ tag: Number(number), offset });
  }
  return tokens;
}

/** The numbers of the tags in a string, in order. */
export function tagsIn(text: string): number[] {
  return tokensIn(text).map(({ tag }) => tag);
}

/** Cached, because each tag is looked up many times. */
const known = new WeakMap<Tag, ScannedTag>();

function scanTag(tag: Tag | undefined): ScannedTag | undefined {
  const scannedTag = tag && (known.get(tag) ?? scan(tag.text).tags[0]);
  if (scannedTag) known.set(tag, scannedTag);
  return scannedTag;
}

/** What a tag does: open a section (inverted or not), close one, or print. */
export function roleOf(tag: Tag | undefined): "opens" | "closes" | "prints" {
  const kind = scanTag(tag)?.kind;
  if (kind === "section" || kind === "inverted") return "opens";
  return kind === "close" ? "closes" : "prints";
}

/** Whether a tag opens an inverted section. */
export function isInverted(tag: Tag | undefined): boolean {
  return scanTag(tag)?.kind === "inverted";
}

/** Whether a tag prints a value as text, with HTML escaped. */
export function printsText(tag: Tag | undefined): boolean {
  return scanTag(tag)?.kind === "variable";
}

/** How many more sections are open after a string than before it. */
export function sectionsOpened(text: string, tags: TagTable): number {
  const roles = tokensIn(text).map(({ tag }) => roleOf(tags[tag]));
  return roles.filter((role) => role === "opens").length - roles.filter((role) => role === "closes").length;
}

/** The name in a tag. */
export function tagName(tag: Tag | undefined): string {
  return scanTag(tag)?.name ?? "";
}

/** The names of the sections that these tags open and that open a scope; inverted ones don't. */
export function scopeNames(opening: readonly number[], tags: TagTable): string[] {
  return opening
    .map((tag) => tags[tag])
    .filter((tag) => scanTag(tag)?.kind === "section")
    .map(tagName);
}

/** The first tag whose section isn't entirely among these tags; undefined if all sections are complete. */
export function halfSection(numbers: Iterable<number>, tags: TagTable): number | undefined {
  return halfSections(numbers, tags)[0];
}

/** The tags whose sections aren't entirely among these tags, in order. */
export function halfSections(numbers: Iterable<number>, tags: TagTable): number[] {
  const closed: number[] = [];
  const open: number[] = [];
  for (const number of numbers) {
    const role = roleOf(tags[number]);
    if (role === "opens") open.push(number);
    else if (role === "closes" && open.pop() === undefined) closed.push(number);
  }
  return [...closed, ...open];
}

/** For each tag, the sections around it, outermost first, as numbers of their opening tags. */
export function enclosingSections(
  numbers: Iterable<number>,
  tags: TagTable,
): { tag: number; around: readonly number[] }[] {
  const open: number[] = [];
  return Array.from(numbers, (tag) => {
    const role = roleOf(tags[tag]);
    if (role === "closes") open.pop();
    const around = [...open];
    if (role === "opens") open.push(tag);
    return { tag, around };
  });
}

/**
 * A tokenised string with sections filled: the tags of a filled section are removed.
 *
 * @param timesOf How often a section is shown, by the number of its opening tag; undefined for one that stays as it is.
 */
export function fillSections(text: string, tags: TagTable, timesOf: (opening: number) => number | undefined): string {
  const open: { readonly times: number | undefined; readonly start: number }[] = [];
  let filled = "";
  let from = 0;
  for (const { tag, offset } of tokensIn(text)) {
    const role = roleOf(tags[tag]);
    if (role === "prints") continue;
    const times = role === "opens" ? timesOf(tag) : open.at(-1)?.times;
    const end = offset + token(tag).length;
    filled += text.slice(from, times === undefined ? end : offset);
    from = end;
    if (role === "opens") open.push({ times, start: filled.length });
    const section = role === "closes" ? open.pop() : undefined;
    if (section && times !== undefined)
      filled = filled.slice(0, section.start) + filled.slice(section.start).repeat(times);
  }
  return filled + text.slice(from);
}

/** A string with tokens instead of tags, and the tags. */
export interface Tokenised {
  readonly text: string;
  readonly tags: TagTable;
}

/** The source position of a place in the text: that of the tag there, or of the nearest one before it. */
export function positionNear({ text, tags }: Tokenised, offset: number): SourcePosition | undefined {
  const near = tokensIn(text).findLast((each) => each.offset <= offset && tags[each.tag]?.at);
  return tags[near?.tag ?? -1]?.at;
}

/** Finds the tag that begins at an offset of the restored text. */
export function tagAt({ text, tags }: Tokenised, as: "html" | "text", offset: number): number | undefined {
  let restored = 0;
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    restored += match.index - from;
    if (restored >= offset) return Number(match[1]);
    restored += restore(match[0], tags, as).length;
    from = match.index + match[0].length;
  }
  return undefined;
}
