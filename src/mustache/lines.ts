import { scan, type ScannedTag, type Span } from "./scan.js";

/** A line that contains only tags that print nothing: rendering drops the whole line. */
export interface StandaloneLine extends Span {
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
