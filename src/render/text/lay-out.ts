import type { SourcePosition } from "../../diagnostic.js";
import { token, type TagTable } from "../../mustache/tokens.js";
import type { Lists } from "../lists.js";
import { prefixOf, writeLine } from "./line.js";
import type { Item, Section, Sequence } from "./outline.js";
import { Gap, widest } from "./pieces.js";

/**
 * Lays lines and sections out, with the blank lines where they part paragraphs whether a section is shown never, once
 * or many times. Mustache takes a section's tag that is alone on its line away with the line.
 */
export function layOut(
  document: Sequence,
  tags: TagTable,
  hasItems: Lists["hasItems"],
): { readonly text: string; readonly tags: TagTable } {
  const writer = new Writer(tags, hasItems);
  writer.sequence(document, { gap: Gap.none, isBelow: false, isLast: true });
  return { text: writer.lines.join("\n").trimEnd(), tags: writer.tags };
}

interface Surroundings {
  /** Owed before the first line. */
  readonly gap: Gap;
  /** Whether there is something to read above, whatever is shown. */
  readonly isBelow: boolean;
  /** Whether nothing follows it. */
  readonly isLast: boolean;
}

interface Written {
  /** Owed after it. */
  readonly gap: Gap;
  /** Whether what follows it has something to read above, whatever is shown. */
  readonly isBelow: boolean;
}

class Writer {
  readonly lines: string[] = [];
  readonly tags: TagTable;
  readonly #hasItems: Lists["hasItems"];
  /** The names of the sections around. */
  readonly #open: string[] = [];
  #prefix = "";

  constructor(tags: TagTable, hasItems: Lists["hasItems"]) {
    this.tags = [...tags];
    this.#hasItems = hasItems;
  }

  sequence({ items, end }: Sequence, around: Surroundings): Written {
    let { gap, isBelow } = around;
    for (let index = 0; index < items.length;) {
      const item = items[index];
      if (!item) break;
      gap = widest(gap, item.gap);
      if (item.kind === "section" && item.isBlock) {
        const rest = { items: items.slice(index + 1), end };
        gap = this.#section(item, { gap, isBelow, isLast: around.isLast && rest.items.length === 0 }, rest);
        index += 1;
      } else {
        const line = lineAt(items, index);
        if (isBelow && gap === Gap.blankLine) this.#blankLine(prefixOf(item));
        this.#prefix = prefixOf(item);
        this.lines.push(writeLine(line));
        isBelow = true;
        gap = Gap.line;
        index += line.length;
      }
    }
    return { gap: widest(gap, end), isBelow };
  }

  #section(section: Section, around: Surroundings, rest: Sequence): Gap {
    return around.isBelow ? this.#sectionBelow(section, around, rest) : this.#sectionOnTop(section, around, rest);
  }

  /** A blank line belongs to what comes after it, and so goes into that section. */
  #sectionBelow(section: Section, { gap, isLast }: Surroundings, rest: Sequence): Gap {
    const { body, isList } = section;
    const first = leadingGap(body);
    const between = widest(first, trailingGap(body));
    let owed = isList ? widest(gap, between) : gap;
    if (owed === Gap.blankLine && first < Gap.blankLine) {
      if (trailingGap(body) < Gap.blankLine && beginsTightly(body, true) && beginsTightly(rest, isLast)) {
        this.#blankLine("");
        owed = Gap.line;
      } else if (isList && between < Gap.blankLine) {
        this.#blankLineOf(section);
        owed = Gap.line;
      }
    }
    return this.#write(section, { gap: owed, isBelow: true, isLast: isLast && !isList }).gap;
  }

  /** Where nothing is sure to be above, the blank line comes after what is before it, in that section again. */
  #sectionOnTop(section: Section, { isLast }: Surroundings, rest: Sequence): Gap {
    const { body, isList } = section;
    const trailing = trailingGap(body);
    const between = widest(leadingGap(body), trailing);
    const leaving = isLast ? Gap.none : widest(trailing, rest.items[0]?.gap ?? rest.end);
    const isApart = widest(leaving, isList ? between : Gap.none) === Gap.blankLine;
    const staysTogether = isList && between < Gap.blankLine;
    const around = { gap: Gap.none, isBelow: false, isLast: isLast && !isList };
    const { isBelow } = this.#write(section, around, isApart && !staysTogether);
    if (isBelow && isApart && staysTogether) this.#blankLineOf(section);
    return Gap.none;
  }

  #write({ opens, closes, name, body }: Section, around: Surroundings, endsWithBlankLine = false): Written {
    this.lines.push(opens);
    this.#open.push(name);
    const written = this.sequence(body, around);
    if (endsWithBlankLine && written.isBelow) this.#blankLine("");
    this.#open.pop();
    this.lines.push(closes);
    return written;
  }

  /** The one blank line of a list whose items stay together: in a section over whether it has items. */
  #blankLineOf({ tag }: Section): void {
    const name = this.#hasItems(tag);
    if (name === undefined || this.#open.includes(name)) return this.#blankLine("");
    const { at } = this.tags[tag] ?? {};
    this.lines.push(this.#token(`{{#${name}}}`, at));
    this.#blankLine("");
    this.lines.push(this.#token(`{{/${name}}}`, at));
  }

  #token(text: string, at: SourcePosition | undefined): string {
    return token(this.tags.push({ text, ...(at && { at }) }) - 1);
  }

  /** Within a quote, a blank line has the quote's mark. */
  #blankLine(prefix: string): void {
    const above = quoteMarks(this.#prefix);
    const below = quoteMarks(prefix);
    this.lines.push((above.length < below.length ? above : below).trimEnd());
  }
}

function quoteMarks(prefix: string): string {
  return /^(?:> )*/.exec(prefix)?.[0] ?? "";
}

function lineAt(items: readonly Item[], start: number): readonly Item[] {
  let end = start + 1;
  for (let item = items[end]; item && item.gap < Gap.line && !isBlock(item); item = items[end]) end += 1;
  return items.slice(start, end);
}

function isBlock(item: Item): boolean {
  return item.kind === "section" && item.isBlock;
}

/** Of the first line in a sequence, from its beginning. */
function leadingGap({ items, end }: Sequence): Gap {
  const [first] = items;
  if (!first) return end;
  return first.kind === "section" && first.isBlock ? widest(first.gap, leadingGap(first.body)) : first.gap;
}

/** Of the last line in a sequence, to its end. */
function trailingGap({ items, end }: Sequence): Gap {
  const last = items.at(-1);
  return last?.kind === "section" && last.isBlock ? widest(end, trailingGap(last.body)) : end;
}

/** Whether there is no blank line before the first line that is always shown; `otherwise` where there is no such line. */
function beginsTightly({ items }: Sequence, otherwise: boolean): boolean {
  for (const item of items) {
    if (item.gap === Gap.blankLine) return false;
    if (item.kind === "words" || !item.isBlock) return true;
    if (leadingGap(item.body) === Gap.blankLine || trailingGap(item.body) === Gap.blankLine) return false;
  }
  return otherwise;
}
