import { isChoice, type Item, type OutlineSection } from "./outline.js";
import { Gap } from "./pieces.js";

/** Writes one line: words, and sections that begin and end in it. */
export function writeLine(items: readonly Item[]): string {
  const [first, ...others] = items;
  if (!first) return "";
  const prefix = prefixOf(first);
  const bullet = prefix.trimEnd();
  if (first.kind === "words" || bullet === "") return (prefix + writeItems(items, WHOLE_LINE)).trimEnd();
  // If nothing of the item is shown, its bullet has no space after it.
  const start: Item = { kind: "words", gap: Gap.none, text: bullet, prefix: "" };
  return writeItems([start, { ...first, gap: Gap.space }, ...others], WHOLE_LINE).trimEnd();
}

/** The prefix of a line that begins with this item. */
export function prefixOf(item: Item): string {
  if (item.kind === "words") return item.prefix;
  const [first] = item.body.items;
  return first ? prefixOf(first) : "";
}

/** Whether the line begins before the first item, and ends after the last one. */
interface Ends {
  readonly isLineStart: boolean;
  readonly isLineEnd: boolean;
}

const WHOLE_LINE: Ends = { isLineStart: true, isLineEnd: true };
const WITHIN_LINE: Ends = { isLineStart: false, isLineEnd: false };

function writeItems(items: readonly Item[], { isLineStart, isLineEnd }: Ends): string {
  const spaces = spacesOf(items, { isLineStart, isLineEnd });
  return items
    .map((item, index) => {
      const isLast = index === items.length - 1;
      return writeItem(item, spaces[index], {
        isLineStart: isLineStart && index === 0,
        isLineEnd: isLineEnd && isLast,
      });
    })
    .join("");
}

function writeItem(item: Item, spaces: Spaces | undefined, ends: Ends): string {
  const before = spaces?.before ? " " : "";
  if (item.kind === "words") return before + item.text;
  const text = writeItems(item.body.items, item.isList ? WITHIN_LINE : ends);
  const inner = soleSection(item);
  // A nested section that is the only content has its own space.
  const first = spaces?.first && !(inner && text.startsWith(`${inner.opens} `)) ? " " : "";
  const last = spaces?.last && !(inner && text.endsWith(` ${inner.closes}`)) ? " " : "";
  return before + item.opens + first + text + last + item.closes;
}

function soleSection({ body }: OutlineSection): OutlineSection | undefined {
  const [only, ...others] = body.items;
  return only?.kind === "section" && others.length === 0 ? only : undefined;
}

/** Whether a section repeats without a space in between: `★★★`. */
function isRepeatedTightly(section: OutlineSection): boolean {
  return section.isList && isTight(section);
}

function isTight(section: OutlineSection): boolean {
  const inner = soleSection(section);
  const { items, end } = section.body;
  return items[0]?.gap !== Gap.space && end !== Gap.space && (!inner || isTight(inner));
}

/** The spaces of each item in a line, or in a section of a line. Spaces at its ends are decided by the enclosing one. */
function spacesOf(items: readonly Item[], ends: Ends): Spaces[] {
  const spaces = items.map((item, index) => spacesAsWritten(item, index > 0, items[index + 1]));
  for (let start = 0; start < items.length; start += 1) {
    const next = items.findIndex((item, index) => index >= start && item.kind === "words");
    const end = next < 0 ? items.length : next;
    if (end > start) {
      const placed = spaceSections(items.slice(start, end), spaces.slice(start, end), {
        isFirst: start === 0,
        isLast: end === items.length,
        isLineStart: ends.isLineStart && start === 0,
        isLineEnd: ends.isLineEnd && end === items.length,
      });
      spaces.splice(start, placed.length, ...placed);
      const words = spaces[end];
      if (words) spaces[end] = { ...words, before: placed.at(-1)?.after ?? false };
    }
    start = end;
  }
  return spaces;
}

function spacesAsWritten(item: Item, hasBefore: boolean, next: Item | undefined): Spaces {
  const body = item.kind === "section" ? item.body : undefined;
  return {
    before: hasBefore && item.gap === Gap.space,
    first: body?.items[0]?.gap === Gap.space,
    last: body?.end === Gap.space,
    after: next?.gap === Gap.space,
  };
}

/** Decides on the spaces of adjacent sections. */
function spaceSections(
  sections: readonly Item[],
  spaces: readonly Spaces[],
  place: Omit<Place, "repeatsTightly">,
): readonly Spaces[] {
  const { isFirst, isLast, isLineStart, isLineEnd } = place;
  const [section] = sections;
  const [written] = spaces;
  if (sections.length === 1 && section?.kind === "section" && written) {
    return [placeSpaces(written, { ...place, repeatsTightly: isRepeatedTightly(section) })];
  }
  const isApart = spaces.every(({ last, after }, index) => {
    const next = spaces[index + 1];
    return last || after || next?.first === true || (isLineEnd && !next);
  });
  const isFirstSeparated = isLineStart || written?.before === true || written?.first === true;
  const isWhole = isLineStart && isLineEnd;
  const hasOpenEnd = isWhole || (isFirst && !isLineStart && !isLineEnd) || (isLast && !isLineEnd);
  if (!isApart || !isFirstSeparated || hasOpenEnd) {
    return spaces.map((each, index) =>
      withoutDouble(isLineEnd && isAtEnd(sections, index) ? { ...each, last: false } : each),
    );
  }
  // Each section includes its space, so that there is one between any two that are shown.
  return sections.map((_, index) => ({
    before: false,
    first: !isLineStart,
    last: isLineStart,
    after: !isLineStart && !isLineEnd && index === sections.length - 1,
  }));
}

/** Whether nothing follows a section that is shown: it is the last one, or only its inverse follows. */
function isAtEnd(sections: readonly Item[], index: number): boolean {
  const [section, ...others] = sections.slice(index);
  if (section?.kind !== "section" || section.isList) return false;
  return others.every((next) => next.kind === "section" && isChoice(section, next));
}

function withoutDouble({ before, first, last, after }: Spaces): Spaces {
  return { before, first: first && !before, last: last && !after, after };
}

/** Where spaces are around a section of a line: before it, inside at its beginning and end, and after it. */
interface Spaces {
  readonly before: boolean;
  readonly first: boolean;
  readonly last: boolean;
  readonly after: boolean;
}

interface Place {
  /** Whether the spaces before and after it are decided elsewhere. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isLineStart: boolean;
  readonly isLineEnd: boolean;
  /** Whether it repeats without a space in between. */
  readonly repeatsTightly: boolean;
}

const ALL: readonly Spaces[] = Array.from({ length: 16 }, (_, bits) => ({
  before: (bits & 1) > 0,
  first: (bits & 2) > 0,
  last: (bits & 4) > 0,
  after: (bits & 8) > 0,
}));

/** The costs of a wrong number of spaces. Words that run together are worst. */
const MISSING = 100;
const AT_LINE_END = 3;
const BETWEEN_REPEATED = 5;
const MOVED = 0.1;

/**
 * Moves spaces so that there is exactly one wherever the HTML shows one, whether the section is shown or not, and between
 * its repetitions; and none at the ends of the line.
 */
function placeSpaces(written: Spaces, { isFirst, isLast, isLineStart, isLineEnd, repeatsTightly }: Place): Spaces {
  const isRepeatedSeparated = written.first || written.last;
  const isShown = {
    entering: !isLineStart && (written.before || written.first),
    leaving: !isLineEnd && (written.after || written.last),
    skipping: !isLineStart && !isLineEnd && (written.before || written.after),
  };
  const cost = ({ before, first, last, after }: Spaces): number =>
    costOf(isShown.entering, before, first, isLineStart ? AT_LINE_END : 1) +
    costOf(isShown.leaving, after, last, isLineEnd ? AT_LINE_END : 1) +
    costOf(isShown.skipping, before, after, isLineStart || isLineEnd ? AT_LINE_END : 1) +
    (repeatsTightly ? costOf(false, first, last, BETWEEN_REPEATED) : costOf(isRepeatedSeparated, first, last, 0)) +
    MOVED * Number(before !== written.before) +
    MOVED * Number(after !== written.after);
  const isPossible = ({ before, after }: Spaces) => !(isFirst && before) && !(isLast && after);
  return ALL.filter(isPossible).reduce((best, spaces) => (cost(spaces) < cost(best) ? spaces : best), written);
}

function costOf(isShown: boolean, one: boolean, other: boolean, excess: number): number {
  const surplus = Number(one) + Number(other) - Number(isShown);
  return surplus < 0 ? MISSING : surplus * excess;
}
