import {
  isChoice,
  type Item,
  type ListTags,
  type OutlineSection,
  type ConditionTags,
  type Sequence,
} from "./outline.js";
import { Gap, widest } from "./pieces.js";

/**
 * Decides which sections contain whole lines, and put their tags on separate lines: those with line ends in them, and those
 * that are the only item on a line, so that no empty line is left if they are not shown.
 */
export function asLines({ items, end }: Sequence, listTags: ListTags): Sequence {
  const result: Item[] = [];
  for (const line of linesOf(items)) {
    for (const item of staysTogether(line) ? withSpaces(line, Gap.none, listTags) : apart(line, listTags)) {
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

function isBlock(item: Item): boolean {
  return item.kind === "section" && item.isBlock;
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
function apart(line: readonly Item[], listTags: ListTags): Item[] {
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
