import type { ListTags } from "./list-tags.js";
import type { Item, Section, Sequence } from "./outline.js";
import { Gap, widest } from "./pieces.js";

/**
 * Decides which sections hold whole lines, and have their tags on lines of their own: those with line ends in them, and
 * those that are all there is on a line, so that no empty line is left where they are not shown.
 */
export function asLines({ items, end }: Sequence, own: ListTags): Sequence {
  const result: Item[] = [];
  for (const line of linesOf(items)) {
    for (const item of isSure(line) || isPhrase(line) ? withSpaces(line, own) : alone(line, own)) {
      const before = result.at(-1);
      const isApart = item.kind === "section" && item.isBlock;
      const isAfterBlock = before?.kind === "section" && before.isBlock;
      const gap = isApart || isAfterBlock ? widest(item.gap, Gap.line) : item.gap;
      result.push(isApart ? { ...item, gap, body: asLines(item.body, own) } : { ...item, gap });
    }
  }
  return { items: result, end: widest(end, Gap.line) };
}

function linesOf(items: readonly Item[]): Item[][] {
  const lines: Item[][] = [];
  for (const item of items) {
    const line = lines.at(-1);
    const before = line?.at(-1);
    if (!line || item.gap >= Gap.line || holdsLines(item) || (before && holdsLines(before))) lines.push([item]);
    else line.push(item);
  }
  return lines;
}

function holdsLines(item: Item): boolean {
  return item.kind === "section" && item.isBlock;
}

/** Whether there is something on a line whatever is shown: words, or a section and its inverse. */
function isSure(line: readonly Item[]): boolean {
  return line.some((item, index) => {
    if (item.kind === "words") return true;
    const next = line[index + 1];
    const isChoice = next?.kind === "section" && item.name === next.name && item.isInverted !== next.isInverted;
    return isChoice && !item.isBlock && !next.isBlock && isSureIn(item) && isSureIn(next);
  });
}

function isSureIn({ body, isList }: Section): boolean {
  return !isList && isSure(body.items);
}

/** Whether a line's sections are parts of one phrase, which punctuation parts. */
function isPhrase(line: readonly Item[]): boolean {
  return line.length > 1 && !line.some(holdsLines) && line.some((item) => /^[,;|/·•&]|[,;|/·•&]$/.test(wordsIn(item)));
}

function wordsIn(item: Item): string {
  return item.kind === "words" ? item.text : item.body.items.map(wordsIn).join(" ");
}

/** Each of a line's sections on lines of its own. */
function alone(line: readonly Item[], own: ListTags): Item[] {
  return line.map((item) => {
    if (item.kind === "words") return item;
    const isOnOneLine = item.isList && !item.isBlock && (isSure(item.body.items) || isPhrase(item.body.items));
    const list = isOnOneLine ? partedOnLine(item, own) : item;
    const whole = isOnOneLine ? around(list, own) : list;
    return whole && { ...whole, isBlock: true };
  });
}
