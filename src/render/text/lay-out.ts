import { prefixOf, writeLine } from "./line.js";
import {
  type ConditionTags,
  isChoice,
  type Item,
  type ListTags,
  type OutlineSection,
  type Sequence,
} from "./outline.js";
import { Gap, widest } from "./pieces.js";

/**
 * Lays out lines and sections, with blank lines between paragraphs whether a section is shown zero, one or many times.
 * Mustache removes the whole line of a section tag that is alone on its line.
 */
export function layOut(document: Sequence, listTags: ListTags): string {
  const writer = new Writer(listTags);
  writer.sequence(asLines(document, listTags), { gap: Gap.none, isBelow: false, isLast: true });
  return writer.lines.join("\n").trimEnd();
}

interface Surroundings {
  /** Needed before the first line. */
  readonly gap: Gap;
  /** Whether there is always text above. */
  readonly isBelow: boolean;
  /** Whether nothing follows. */
  readonly isLast: boolean;
}

interface Written {
  /** Needed after it. */
  readonly gap: Gap;
  /** Whether there is always text above what follows. */
  readonly isBelow: boolean;
}

/** A sequence from one of its items on. Avoids copying a long sequence for each section in it. */
interface Rest extends Sequence {
  readonly from: number;
}

class Writer {
  readonly lines: string[] = [];
  readonly #listTags: ListTags;
  /** The names of the enclosing sections. */
  readonly #open: string[] = [];
  #prefix = "";

  constructor(listTags: ListTags) {
    this.#listTags = listTags;
  }

  sequence({ items, end }: Sequence, around: Surroundings): Written {
    let { gap, isBelow } = around;
    let above: OutlineSection | undefined;
    for (let index = 0; index < items.length;) {
      const item = items[index];
      if (!item) break;
      gap = widest(gap, item.gap);
      if (above && gap === Gap.blankLine) {
        // If the list has no items, its own line is the blank one.
        this.#blankLineOf(above);
        gap = Gap.line;
      }
      above = undefined;
      if (item.kind === "section" && item.isBlock) {
        const next = { items, end, from: index + 1 };
        if (isBelow && gap === Gap.blankLine && fitsAll(item, next, around.isLast)) {
          this.#blankLine("");
          gap = Gap.line;
        }
        const choice = choiceAt(item, items[index + 1]);
        index += choice.length;
        const rest = { items, end, from: index };
        const isLast = around.isLast && index >= items.length;
        const after = choice.map((section) => {
          const owed = section === item ? gap : widest(gap, section.gap);
          return this.#section(section, { gap: owed, isBelow, isLast }, rest);
        });
        gap = after.reduce(widest);
      } else {
        const line = lineAt(items, index);
        const list = soleList(line);
        if (isBelow && gap === Gap.blankLine) this.#blankLineOf(list, prefixOf(item));
        this.#prefix = prefixOf(item);
        this.lines.push(writeLine(line));
        index += line.length;
        isBelow = true;
        gap = Gap.line;
        above = list;
      }
    }
    return { gap: widest(gap, end), isBelow };
  }

  #section(section: OutlineSection, around: Surroundings, rest: Rest): Gap {
    return around.isBelow ? this.#sectionBelow(section, around) : this.#sectionOnTop(section, around, rest);
  }

  /** A blank line belongs to what follows it, and so goes into that section. */
  #sectionBelow(section: OutlineSection, { gap, isLast }: Surroundings): Gap {
    const { body, isList } = section;
    const between = widest(leadingGap(body), trailingGap(body));
    let owed = isList ? widest(gap, between) : gap;
    if (owed === Gap.blankLine && isList && between < Gap.blankLine) {
      this.#blankLineOf(section);
      owed = Gap.line;
    }
    return this.#write(section, { gap: owed, isBelow: true, isLast: isLast && !isList }).gap;
  }

  /** If there may be no text above, the blank line comes after the text before it, again inside its section. */
  #sectionOnTop(section: OutlineSection, { isLast }: Surroundings, rest: Rest): Gap {
    const { body, isList } = section;
    const trailing = trailingGap(body);
    const between = widest(leadingGap(body), trailing);
    const leaving = isLast ? Gap.none : widest(trailing, rest.items[rest.from]?.gap ?? rest.end);
    const isApart = widest(leaving, isList ? between : Gap.none) === Gap.blankLine;
    const areTogether = isList && between < Gap.blankLine;
    const around = { gap: Gap.none, isBelow: false, isLast: isLast && !isList };
    const whole = isApart && !areTogether ? { ...section, body: { ...body, end: Gap.blankLine } } : section;
    const { isBelow } = this.#write(whole, around, whole !== section);
    if (isBelow && isApart && areTogether) this.#blankLineOf(section);
    return Gap.none;
  }

  #write({ opens, closes, name, body }: OutlineSection, around: Surroundings, endsWithBlankLine = false): Written {
    this.lines.push(opens);
    this.#open.push(name);
    const written = this.sequence(body, around);
    if (endsWithBlankLine && written.isBelow) this.#blankLine("");
    this.#open.pop();
    this.lines.push(closes);
    return written;
  }

  /** A blank line next to a list whose items stay together: in a section that tests whether it has items. */
  #blankLineOf(list: OutlineSection | undefined, prefix = ""): void {
    const section = list && this.#listTags.hasItems(list.tag);
    if (!section || this.#open.includes(section.name)) return this.#blankLine(prefix);
    this.lines.push(section.opens);
    this.#blankLine(prefix);
    this.lines.push(section.closes);
  }

  /** In a quote, a blank line has the quote's mark. */
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

/** A section, and the next one if it is its inverse: one of the two is shown. */
function choiceAt(section: OutlineSection, next: Item | undefined): readonly OutlineSection[] {
  return next?.kind === "section" && next.isBlock && isChoice(section, next) ? [section, next] : [section];
}

/** Whether one blank line before a section is right whether it is shown or not, whatever follows. */
function fitsAll({ body }: OutlineSection, next: Rest, isLast: boolean): boolean {
  const isTight = widest(leadingGap(body), trailingGap(body)) < Gap.blankLine;
  const isFollowed = next.from < next.items.length;
  return isTight && beginsTightly({ ...body, from: 0 }, true) && beginsTightly(next, isLast && !isFollowed);
}

/** The list, if it is the only item on a line. */
function soleList([item, ...others]: readonly Item[]): OutlineSection | undefined {
  return item?.kind === "section" && item.isList && others.length === 0 ? item : undefined;
}

function isBlock(item: Item): boolean {
  return item.kind === "section" && item.isBlock;
}

/** The gap before the first line of a sequence. */
function leadingGap({ items, end }: Sequence): Gap {
  const [first] = items;
  if (!first) return end;
  return first.kind === "section" && first.isBlock ? widest(first.gap, leadingGap(first.body)) : first.gap;
}

/** The gap after the last line of a sequence. */
function trailingGap({ items, end }: Sequence): Gap {
  const last = items.at(-1);
  return last?.kind === "section" && last.isBlock ? widest(end, trailingGap(last.body)) : end;
}

/** Whether no blank line precedes the first line that is always shown; `otherwise` if there is no such line. */
function beginsTightly({ items, from }: Rest, otherwise: boolean): boolean {
  for (let index = from, item = items[index]; item; index += 1, item = items[index]) {
    if (item.gap === Gap.blankLine) return false;
    if (item.kind === "words" || !item.isBlock) return true;
    if (leadingGap(item.body) === Gap.blankLine || trailingGap(item.body) === Gap.blankLine) return false;
  }
  return otherwise;
}

/**
 * Decides which sections contain whole lines, and put their tags on separate lines: those with line ends in them, and those
 * that are the only item on a line, so that no empty line is left if they are not shown.
 */
function asLines({ items, end }: Sequence, listTags: ListTags): Sequence {
  const result: Item[] = [];
  for (const line of linesOf(items)) {
    for (const item of staysTogether(line) ? withSpaces(line, Gap.none, listTags) : separated(line, listTags)) {
      const isNextToBlock = [item, result.at(-1)].some((each) => each !== undefined && isBlock(each));
      result.push(isNextToBlock ? { ...item, gap: widest(item.gap, Gap.line) } : item);
    }
  }
  return { items: result, end: widest(end, Gap.line) };
}

function linesOf(items: readonly Item[]): Item[][] {
  const lines: Item[][] = [];
  for (const item of items) {
    const line = lines.at(-1);
    const before = line?.at(-1);
    if (!line || item.gap >= Gap.line || isBlock(item) || (before && isBlock(before))) lines.push([item]);
    else line.push(item);
  }
  return lines;
}

/** Whether something is always shown, or a list item has a bullet anyway, or the sections are parts of a phrase. */
function staysTogether(line: readonly Item[]): boolean {
  const [first, ...others] = line;
  return isSure(line) || isPhrase(line) || (first !== undefined && others.length > 0 && hasBullet(first));
}

/** Whether there is always something on a line: words, or a section and its inverse. */
function isSure(line: readonly Item[]): boolean {
  return line.some((item, index) => {
    if (item.kind === "words") return true;
    const next = line[index + 1];
    if (next?.kind !== "section" || !isChoice(item, next)) return false;
    return [item, next].every(({ body, isList }) => !isList && isSure(body.items));
  });
}

/** Whether punctuation separates a line's sections. */
function isPhrase(line: readonly Item[]): boolean {
  return line.length > 1 && line.some((item) => SEPARATED.test(wordsIn(item)));
}

const SEPARATED = /^[,;|/·•&]|[,;|/·•&]$/;
const SEPARATOR = /[,;|/·•&]$/;

/** Without words that a list repeats. */
function wordsIn(item: Item): string {
  if (item.kind === "words") return item.text;
  return item.isList ? "" : item.body.items.map(wordsIn).join(" ");
}

/** Whether an item begins with a list item. */
function hasBullet(item: Item): boolean {
  if (item.kind === "words") return /[-.] $/.test(item.prefix);
  const [first] = item.body.items;
  return first !== undefined && hasBullet(first);
}

/** Puts each of a line's sections on separate lines. */
function separated(line: readonly Item[], listTags: ListTags): Item[] {
  return line.map((item) => {
    if (item.kind === "words") return item;
    const { body, isList } = item;
    if (!isList || item.isBlock || !staysTogether(body.items))
      return { ...item, isBlock: true, body: asLines(body, listTags) };
    const list = parted(item, listTags);
    const whole = whereItHasItems(list, listTags);
    return whole ? { ...whole, isBlock: true, body: { ...whole.body, end: Gap.line } } : list;
  });
}

/** Around a list that repeats without a space, its neighbours' spaces move into it, so that no double space is left if it is empty. */
function withSpaces(items: readonly Item[], end: Gap, listTags: ListTags): Item[] {
  return items.map((item, index) => {
    if (item.kind === "words") return item;
    const { body } = item;
    const inner = { ...item, body: { ...body, items: withSpaces(body.items, body.end, listTags) } };
    const hasAdjacentSpace = item.gap === Gap.space || (items[index + 1]?.gap ?? end) === Gap.space;
    return item.isList && hasAdjacentSpace && !repeatsSeparated(body)
      ? (whereItHasItems(inner, listTags) ?? inner)
      : inner;
  });
}

function repeatsSeparated({ items, end }: Sequence): boolean {
  return items[0]?.gap === Gap.space || end === Gap.space;
}

/** A list on its own line. Its separator is put into a section that excludes the last item. */
function parted(list: OutlineSection, listTags: ListTags): OutlineSection {
  const { items, end } = list.body;
  const last = items.at(-1);
  const separator = last?.kind === "words" ? (SEPARATOR.exec(last.text)?.[0] ?? "") : "";
  const isNotLast = separator !== "" || repeatsSeparated(list.body) ? listTags.isNotLast(list.tag) : undefined;
  const inner = withSpaces(items, end, listTags);
  if (!isNotLast) return { ...list, body: { items: inner, end } };
  const mark: Item[] = separator === "" ? [] : [{ kind: "words", gap: Gap.none, text: separator, prefix: "" }];
  const between = { items: mark, end: repeatsSeparated(list.body) ? Gap.space : Gap.none };
  const bare = inner.map((item, index) => {
    const gap = index === 0 ? Gap.none : item.gap;
    const isCut = item.kind === "words" && index === items.length - 1;
    return isCut ? { ...item, gap, text: item.text.slice(0, item.text.length - separator.length) } : { ...item, gap };
  });
  return { ...list, body: { items: [...bare, sectionOf(isNotLast, list, between)], end: Gap.none } };
}

function whereItHasItems(list: OutlineSection, listTags: ListTags): OutlineSection | undefined {
  const section = listTags.surelyHasItems(list.tag);
  const body = { items: [{ ...list, gap: Gap.none }], end: Gap.none };
  return section && { ...sectionOf(section, list, body), gap: list.gap };
}

function sectionOf({ sigil, ...names }: ConditionTags, { tag }: OutlineSection, body: Sequence): OutlineSection {
  const isInverted = sigil === "^";
  return { kind: "section", ...names, isInverted, isList: false, isBlock: false, gap: Gap.none, tag, body };
}
