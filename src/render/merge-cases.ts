import { removeSites } from "./source/mapped-text.js";
import { SITE_ATTRIBUTE } from "../text/markup/scan.js";

/** Returns text that prints one or the other. */
export type Choose = (yes: string, no: string) => string;

/**
 * Merges two runs of tags and texts, with choices inside attribute values and texts; undefined if their structure
 * differs.
 */
function zip(yes: readonly string[], no: readonly string[], choose: Choose): string[] | undefined {
  const [first, second] = [withWholeTexts(yes), withWholeTexts(no)];
  if (first.length !== second.length) return undefined;
  const zipped: string[] = [];
  for (const [index, unit] of first.entries()) {
    const one = zipUnits(unit, second[index] ?? "", choose);
    if (one === undefined) return undefined;
    zipped.push(one);
  }
  return zipped;
}

/** Joins adjacent texts and placeholders. */
function withWholeTexts(units: readonly string[]): string[] {
  return units.join("").match(/<!--[\s\S]*?-->|<[^>]*>|[^<]+|</g) ?? [];
}

/** The same for a single unit of each. */
export function zipUnits(yes: string, no: string, choose: Choose): string | undefined {
  const [first, second] = [removeSites(yes), removeSites(no)];
  if (first === second) return yes;
  const [site = ""] = SITE.exec(yes) ?? [];
  return zipDifferent(first, second, choose)?.replace(/\/?>$/, (end) => site + end);
}

const SITE = new RegExp(` ${SITE_ATTRIBUTE}="\\d+"`);

function zipDifferent(yes: string, no: string, choose: Choose): string | undefined {
  if (!yes.startsWith("<") && !no.startsWith("<")) return zipTexts(yes, no, choose);
  const [first, second] = [readTag(yes), readTag(no)];
  if (!first || !second || first.frame !== second.frame) return undefined;
  let index = 0;
  return yes.replace(ATTRIBUTE, (_whole, name: string, value: string) => {
    const other = second.values[index] ?? "";
    index += 1;
    return `${name}="${value === other ? value : zipLists(value, other, /(?<=[;\uE003])|(?=\uE002)/, choose)}"`;
  });
}

function isTag(unit: string): boolean {
  return /^<[a-z]/i.test(unit);
}

const ATTRIBUTE = /(\s[^\s"'<>/=]+)="([^"]*)"/g;

/** A tag's attribute values, and the tag without them. */
function readTag(unit: string): { readonly frame: string; readonly values: readonly string[] } | undefined {
  if (!isTag(unit)) return undefined;
  return {
    frame: unit.replace(ATTRIBUTE, '$1=""'),
    values: Array.from(unit.matchAll(ATTRIBUTE), ([, , value]) => value ?? ""),
  };
}

/** Texts are only compared at both ends: a sentence is easier to read in one piece. */
function zipTexts(yes: string, no: string, choose: Choose): string {
  return zipLists(yes, no, /(?<=[\s\uE003])|(?=[\s\uE002])/, choose);
}

/** A choice between what is left of both after the items that they have in common at both ends. */
function zipLists(yes: string, no: string, separator: RegExp, choose: Choose): string {
  const [before, after] = [yes.split(separator), no.split(separator)];
  const [start, end] = commonEnds(before, after);
  const middle = (items: readonly string[]): string => items.slice(start, items.length - end).join("");
  const last = before.slice(before.length - end).join("");
  return before.slice(0, start).join("") + choose(middle(before), middle(after)) + last;
}

/** The number of items that two lists have in common at their beginnings, and at their ends. */
function commonEnds(before: readonly string[], after: readonly string[]): [start: number, end: number] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [start, end];
}

const UNIT = /<!--[\s\S]*?-->|<[^>]*>|\uE002\d+\uE003|[^<\uE002]+|</g;

/** Splits HTML into tags (with the placeholders in them), comments, texts, and placeholders. */
export function unitsOf(html: string): string[] {
  return html.match(UNIT) ?? [];
}

/** Merges two cases, with choices between whole elements where they differ; undefined if that is impossible. */
export function merge(yes: readonly string[], no: readonly string[], choose: Choose): string[] | undefined {
  const merging = new Merging(choose);
  let [from, start] = [0, 0];
  // Different source positions don't count as a difference.
  for (const { isSame, yes: length, no: otherLength } of runsOf(yes.map(removeSites), no.map(removeSites))) {
    const [before, after] = [yes.slice(from, from + length), no.slice(start, start + otherLength)];
    if (isSame) for (const [index, unit] of before.entries()) merging.same(unit, after[index] ?? unit);
    else merging.changed(before, after);
    [from, start] = [from + length, start + otherLength];
  }
  return merging.isOpen ? undefined : merging.units;
}

/** A run of units that two cases have in common, or of different units: its length in each. */
interface Run {
  readonly isSame: boolean;
  readonly yes: number;
  readonly no: number;
}

function addRun(runs: Run[], run: Run): void {
  const last = runs.at(-1);
  if (last?.isSame !== run.isSame) runs.push(run);
  else runs.splice(-1, 1, { ...run, yes: last.yes + run.yes, no: last.no + run.no });
}

/** Computing more table cells would take longer than a shorter result is worth. */
const MOST_CELLS = 1_000_000;

/** A diff of two lists, by their longest common subsequence. */
function compareLists(before: readonly string[], after: readonly string[]): Run[] {
  const runs: Run[] = [];
  const add = (isSame: boolean, yes: number, no: number) => {
    if (yes + no > 0) addRun(runs, { isSame, yes, no });
  };
  const [start, end] = commonEnds(before, after);
  const middle = (list: readonly string[]) => list.slice(start, list.length - end);
  add(true, start, start);
  for (const run of compareMiddle(middle(before), middle(after))) add(run.isSame, run.yes, run.no);
  add(true, end, end);
  return runs;
}

/** One item at a time, where tables of lengths are not too large. */
function* compareMiddle(before: readonly string[], after: readonly string[]): Generator<Run> {
  let [i, j] = [0, 0];
  if (before.length * after.length <= MOST_CELLS) {
    const width = after.length + 1;
    const lengths = new Uint32Array((before.length + 1) * width);
    const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0;
    for (let row = before.length - 1; row >= 0; row -= 1) {
      for (let column = after.length - 1; column >= 0; column -= 1) {
        lengths[row * width + column] =
          before[row] === after[column]
            ? lengthAt(row + 1, column + 1) + 1
            : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
      }
    }
    while (i < before.length && j < after.length) {
      const isSame = before[i] === after[j];
      const isRemoved = !isSame && lengthAt(i + 1, j) >= lengthAt(i, j + 1);
      const [yes, no] = [Number(isSame || isRemoved), Number(!isRemoved)];
      yield { isSame, yes, no };
      [i, j] = [i + yes, j + no];
    }
  }
  yield { isSame: false, yes: before.length - i, no: after.length - j };
}

/** Without common runs between differences that are not worth two sections. */
function runsOf(yes: readonly string[], no: readonly string[]): Run[] {
  const runs: Run[] = [];
  const compared = compareLists(yes, no);
  let from = 0;
  for (const [index, run] of compared.entries()) {
    const isBetween = index > 0 && index < compared.length - 1;
    const isSame = run.isSame && !(isBetween && isScrap(yes.slice(from, from + run.yes)));
    addRun(runs, { ...run, isSame });
    from += run.yes;
  }
  return runs;
}

/** Common parts between differences are only kept apart from them if they are long enough to be worth two sections. */
const SCRAP = 24;

function isScrap(units: readonly string[]): boolean {
  return units.join("").length < SCRAP && !units.some((unit) => unit.startsWith("\uE002"));
}

class Merging {
  readonly units: string[] = [];
  readonly #choose: Choose;
  #yes: string[] = [];
  #no: string[] = [];

  constructor(choose: Choose) {
    this.#choose = choose;
  }

  /** Whether the differing parts contain an open element. */
  get isOpen(): boolean {
    return this.#yes.length + this.#no.length > 0;
  }

  same(yes: string, no: string): void {
    if (!this.isOpen) {
      this.units.push(yes);
      return;
    }
    this.#yes.push(yes);
    this.#no.push(no);
    this.#close();
  }

  changed(yes: readonly string[], no: readonly string[]): void {
    const zipped = this.isOpen ? undefined : zip(yes, no, this.#choose);
    if (zipped) {
      this.units.push(...zipped);
      return;
    }
    const shared = this.isOpen ? 0 : this.#zipFirstTags(yes, no);
    this.#yes.push(...yes.slice(shared));
    this.#no.push(...no.slice(shared));
    this.#close();
  }

  #zipFirstTags(yes: readonly string[], no: readonly string[]): number {
    let count = 0;
    for (; count < Math.min(yes.length, no.length); count += 1) {
      const [first = "", second = ""] = [yes[count], no[count]];
      const one = isTag(first) && isTag(second) ? zipUnits(first, second, this.#choose) : undefined;
      if (one === undefined) break;
      this.units.push(one);
    }
    return count;
  }

  #close(): void {
    if (!this.isOpen || !isBalanced(this.#yes) || !isBalanced(this.#no)) return;
    this.units.push(this.#choose(this.#yes.join(""), this.#no.join("")));
    [this.#yes, this.#no] = [[], []];
  }
}

const VOID = /^<(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b|\/>$|^<!/i;

const TAG = /<[^>]*>/g;

/** Whether all elements are closed, and nothing else: also for Outlook, which reads conditional comments. */
function isBalanced(units: readonly string[]): boolean {
  const forOutlook = units.flatMap((unit) => (unit.startsWith("<!--[if") ? (unit.match(TAG) ?? []) : unit));
  return closesAllElements(units) && closesAllElements(forOutlook);
}

function closesAllElements(units: readonly string[]): boolean {
  let depth = 0;
  for (const unit of units) {
    if (!unit.startsWith("<") || VOID.test(unit)) continue;
    depth += unit.startsWith("</") ? -1 : 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
