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
  const report = (offset: number, message: string, hint: string) => problems.push({ message, offset, hint });
  let open = "{{";
  let close = "}}";
  let from = 0;
  const nextIndexOf = forwardSearch(text);

  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, from)) {
    NOT_WHITESPACE.lastIndex = start + open.length;
    const inner = NOT_WHITESPACE.exec(text)?.index ?? text.length;
    const sigil = text.charAt(inner);
    const kind = SIGILS[sigil] ?? "variable";
    const contentStart = kind === "variable" ? inner : inner + 1;
    const closing = (CLOSING_SIGILS[sigil] ?? "") + close;
    const contentEnd = nextIndexOf(closing, contentStart);
    const content = text.slice(contentStart, contentEnd < 0 ? contentStart : contentEnd);
    const nested = kind === "comment" || kind === "delimiters" ? -1 : content.indexOf(open);
    if (contentEnd < 0 || nested >= 0 || (sigil === "{" && content.includes(close))) {
      report(start, `The tag ${unclosedExcerpt(text, start, open)} is never closed.`, `Close it with ${closing}.`);
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
      else report(start, `${excerpt(text, tag)} does not set delimiters.`, VALID_DELIMITERS);
    } else if (tag.name === "" && kind !== "comment") {
      report(start, `The tag ${excerpt(text, tag)} is empty.`, "Write the name of a variable into it.");
    }
  }
  return { tags, problems };
}

const VALID_DELIMITERS = "Write two delimiters, separated by a space and without an equals sign: {{=<% %>=}}.";

/** A string with its tags replaced. */
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

/** Searches only forward. Each result is remembered, so that any text is scanned in linear time. */
function forwardSearch(text: string): (part: string, from: number) => number {
  const known = new Map<string, number>();
  return (part, from) => {
    const last = known.get(part);
    if (last !== undefined && (last < 0 || last >= from)) return last;
    const position = text.indexOf(part, from);
    known.set(part, position);
    return position;
  };
}

const EXCERPT_LENGTH = 40;

/** A tag's source for a message, shortened. */
export function excerpt(text: string, { start, end }: Span): string {
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

/** A tag without an end, up to the next tag or the end of its line. */
function unclosedExcerpt(text: string, start: number, open: string): string {
  const shown = text.slice(start, start + 4 * EXCERPT_LENGTH);
  const ends = [shown.indexOf(open, open.length), shown.indexOf("\n"), shown.length].filter((end) => end >= 0);
  return shorten(shown.slice(0, Math.min(...ends)));
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
