import { nearest } from "../text/nearest.js";

/** A range of a string in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A Mustache problem in a string, and its position. */
export interface MustacheProblem {
  /** What is wrong, in one sentence that names the tag. */
  readonly message: string;
  /** The start of the tag that the problem is about, in UTF-16 units. */
  readonly offset: number;
  /** What to do next. */
  readonly hint?: string;
}

export type TagKind =
  | "variable"
  | "unescaped"
  | "section"
  | "inverted"
  | "close"
  | "comment"
  | "partial"
  | "delimiters";

/** One tag in the text, before sections are matched. */
export interface ScannedTag extends Span {
  readonly kind: TagKind;
  /** The content between the delimiters, without the sigil and the whitespace around it. */
  readonly name: string;
}

const SIGILS: Readonly<Record<string, TagKind>> = {
  "{": "unescaped",
  "&": "unescaped",
  "#": "section",
  "^": "inverted",
  "/": "close",
  "!": "comment",
  ">": "partial",
  "=": "delimiters",
};

const CLOSING_SIGILS: Readonly<Record<string, string>> = { "{": "}", "=": "=" };
const NOT_WHITESPACE = /\S/g;

/** Finds every tag of a string in one pass. Never throws: an incomplete tag is a problem, and stays text. */
export function scan(text: string): { readonly tags: ScannedTag[]; readonly problems: MustacheProblem[] } {
  const tags: ScannedTag[] = [];
  const problems: MustacheProblem[] = [];
  let open = "{{";
  let close = "}}";
  let from = 0;
  const endings = new Occurrences(text);

  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, from)) {
    NOT_WHITESPACE.lastIndex = start + open.length;
    const inner = NOT_WHITESPACE.exec(text)?.index ?? text.length;
    const sigil = text.charAt(inner);
    const kind = SIGILS[sigil] ?? "variable";
    const contentStart = kind === "variable" ? inner : inner + 1;
    const closing = (CLOSING_SIGILS[sigil] ?? "") + close;
    const contentEnd = endings.next(closing, contentStart);
    const content = text.slice(contentStart, contentEnd < 0 ? contentStart : contentEnd);
    const nested = kind === "comment" || kind === "delimiters" ? -1 : content.indexOf(open);
    if (contentEnd < 0 || nested >= 0 || (sigil === "{" && content.includes(close))) {
      problems.push(unclosedTag(text, start, { open, closing }));
      from = contentStart + Math.max(0, nested);
      continue;
    }

    from = contentEnd + closing.length;
    const tag: ScannedTag = { kind, name: content.trim(), start, end: from };
    tags.push(tag);
    if (kind === "delimiters") {
      const pair = tag.name.split(/\s+/);
      const [first, second] = pair;
      if (first && second && pair.length === 2 && !tag.name.includes("=")) [open, close] = [first, second];
      else problems.push(badDelimiters(text, tag));
    } else if (tag.name === "" && kind !== "comment") {
      problems.push(emptyTag(text, tag));
    }
  }
  return { tags, problems };
}

/**
 * A string with its tags replaced.
 *
 * @example
 * replaceTags("Hi {{name}}!", () => "…"); // "Hi …!"
 */
export function replaceTags(text: string, replacement: (tag: ScannedTag, written: string) => string): string {
  if (!text.includes("{{")) return text;
  let replaced = "";
  let from = 0;
  for (const tag of scan(text).tags) {
    replaced += text.slice(from, tag.start) + replacement(tag, text.slice(tag.start, tag.end));
    from = tag.end;
  }
  return replaced + text.slice(from);
}

/** A string without the tags of sections and comments: the others print something. */
export function withoutSectionTags(text: string): string {
  return replaceTags(text, ({ kind }, written) => (PRINTS_NOTHING.has(kind) ? "" : written));
}

const PRINTS_NOTHING: ReadonlySet<TagKind> = new Set(["section", "inverted", "close", "comment"]);

/** A string in which all tags that print the same variable are written alike. */
export function withPlainTags(text: string): string {
  return replaceTags(text, ({ kind, name }, written) =>
    kind === "variable" || kind === "unescaped" ? `{{${name}}}` : written,
  );
}

/** Whether a section begins in a string. */
export function hasSection(text: string): boolean {
  return text.includes("{{") && scan(text).tags.some(({ kind }) => kind === "section" || kind === "inverted");
}

/** Forward-only searches: each result is remembered, so that any text is scanned in linear time. */
class Occurrences {
  readonly #text: string;
  readonly #known = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The next position of `part`, or -1. */
  next(part: string, from: number): number {
    const known = this.#known.get(part);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const position = this.#text.indexOf(part, from);
    this.#known.set(part, position);
    return position;
  }
}

/** The part of a tag that a message about it needs. */
interface Named extends Span {
  readonly name: string;
}

const EXCERPT_LENGTH = 40;
/** Comparing takes time proportional to the product of both lengths, and names in hostile templates can have any length. */
const LONGEST_COMPARED = 250;

/** A tag's source for a message, shortened. */
function excerpt(text: string, { start, end }: Span): string {
  return shorten(text.slice(start, end));
}

/** A string for a message: on one line, and cut if it is long. */
export function shorten(text: string): string {
  const line = text
    .slice(0, 4 * EXCERPT_LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
}

function emptyTag(text: string, tag: Span): MustacheProblem {
  return {
    message: `The tag ${excerpt(text, tag)} is empty.`,
    offset: tag.start,
    hint: "Write the name of a variable into it.",
  };
}

function unclosedTag(
  text: string,
  start: number,
  { open, closing }: { open: string; closing: string },
): MustacheProblem {
  const shown = text.slice(start, start + 4 * EXCERPT_LENGTH);
  const ends = [shown.indexOf(open, open.length), shown.indexOf("\n"), shown.length].filter((end) => end >= 0);
  return {
    message: `The tag ${shorten(shown.slice(0, Math.min(...ends)))} is never closed.`,
    offset: start,
    hint: `Close it with ${closing}.`,
  };
}

function badDelimiters(text: string, tag: Span): MustacheProblem {
  return {
    message: `${excerpt(text, tag)} does not set delimiters.`,
    offset: tag.start,
    hint: "Write two delimiters, separated by a space and without an equals sign: {{=<% %>=}}.",
  };
}

export function unclosedSection(text: string, opening: Named): MustacheProblem {
  return {
    message: `The section ${excerpt(text, opening)} is never closed.`,
    offset: opening.start,
    hint: `Add {{/${opening.name}}} where it ends.`,
  };
}

export function crossedSection(text: string, inner: Named, closing: Named): MustacheProblem {
  return {
    message: `The section ${excerpt(text, inner)} is still open where ${excerpt(text, closing)} closes the one around it.`,
    offset: inner.start,
    hint: `Put {{/${inner.name}}} before ${excerpt(text, closing)}.`,
  };
}

/** Whether a closing tag without an open section is most likely a typo of this one. */
export function isMisspelt(closing: Named, opening: Named): boolean {
  if (isHelper(closing, opening)) return true;
  return closing.name.length <= LONGEST_COMPARED && nearest(closing.name, [opening.name]) !== undefined;
}

/** Handlebars' `{{#if user}} … {{/if}}`. */
function isHelper(closing: Named, opening: Named): boolean {
  return /^\s/.test(opening.name.slice(closing.name.length)) && opening.name.startsWith(closing.name);
}

export function mismatchedClose(text: string, opening: Named, closing: Named): MustacheProblem {
  const hint = isHelper(closing, opening)
    ? `Mustache has no "${closing.name}": both tags contain the same variable name.`
    : `Write {{/${opening.name}}}.`;
  return {
    message: `${excerpt(text, closing)} does not close ${excerpt(text, opening)}.`,
    offset: closing.start,
    hint,
  };
}

export function unopenedSection(text: string, closing: Named): MustacheProblem {
  return {
    message: `${excerpt(text, closing)} closes a section that is not open here.`,
    offset: closing.start,
    hint: `Remove it, or add {{#${closing.name}}} where the section begins.`,
  };
}

/** A line that contains only tags that print nothing: rendering drops the whole line. */
interface StandaloneLine extends Span {
  readonly tags: readonly ScannedTag[];
}

// Only spaces and tabs: a no-break space is content.
const BLANK = /^[ \t]*$/;
const BLANK_TO_LINE_END = /[ \t]*(?:\r?\n|$)/y;

/**
 * The standalone lines of a text. The specification only covers a single tag on its line; like mustache.js, this allows
 * several. A tag may itself span lines: only line breaks between tags count.
 */
export function standaloneLines(text: string, tags: readonly ScannedTag[]): StandaloneLine[] {
  const lines: StandaloneLine[] = [];
  let first = 0;
  for (const [index, tag] of tags.entries()) {
    const next = tags[index + 1];
    if (next && !text.slice(tag.end, next.start).includes("\n")) continue;
    const line = standaloneLine(text, tags.slice(first, index + 1));
    if (line) lines.push(line);
    first = index + 1;
  }
  return lines;
}

function standaloneLine(text: string, tags: readonly ScannedTag[]): StandaloneLine | undefined {
  const [first] = tags;
  if (!first) return undefined;
  const start = text.lastIndexOf("\n", first.start - 1) + 1;
  let from = start;
  for (const tag of tags) {
    if (tag.kind === "variable" || tag.kind === "unescaped") return undefined;
    if (!BLANK.test(text.slice(from, tag.start))) return undefined;
    from = tag.end;
  }
  BLANK_TO_LINE_END.lastIndex = from;
  return BLANK_TO_LINE_END.test(text) ? { start, end: BLANK_TO_LINE_END.lastIndex, tags } : undefined;
}

/** The span that each tag of these lines removes from the text: itself and the whitespace around it. */
export function takenSpans(lines: readonly StandaloneLine[]): ReadonlyMap<ScannedTag, Span> {
  const spans = new Map<ScannedTag, Span>();
  for (const line of lines) {
    let start = line.start;
    for (const [index, tag] of line.tags.entries()) {
      spans.set(tag, { start, end: index === line.tags.length - 1 ? line.end : tag.end });
      start = tag.end;
    }
  }
  return spans;
}

/**
 * Puts tags that share a standalone line on separate lines: the specification only covers a single tag, so some engines
 * drop such a line and others leave an empty one.
 *
 * @example
 * separateTags("{{#a}}\nyes\n{{/a}}{{^a}}\nno\n{{/a}}\n"); // "{{#a}}\nyes\n{{/a}}\n{{^a}}\nno\n{{/a}}\n"
 */
export function separateTags(text: string): string {
  let separated = "";
  let from = 0;
  for (const { tags } of standaloneLines(text, scan(text).tags)) {
    for (const [index, { start, end }] of tags.entries()) {
      separated += index === 0 ? text.slice(from, end) : `\n${text.slice(start, end)}`;
      from = end;
    }
  }
  return separated + text.slice(from);
}
