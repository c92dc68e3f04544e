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

function zipLists(yes: string, no: string, separator: RegExp, choose: Choose): string {
  const runs = compareLists(yes.split(separator), no.split(separator));
  const [first, last] = [runs[0], runs.at(-1)];
  const start = first?.kind === "same" ? first.items.join("") : "";
  const end = last?.kind === "same" && runs.length > 1 ? last.items.join("") : "";
  const middle = (text: string): string => text.slice(start.length, text.length - end.length);
  return `${start}${choose(middle(yes), middle(no))}${end}`;
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
  for (const run of withoutScraps(compareLists(yes.map(removeSites), no.map(removeSites)))) {
    const isSame = run.kind === "same";
    const [to, end] = [
      from + (isSame ? run.items : run.before).length,
      start + (isSame ? run.items : run.after).length,
    ];
    const [before, after] = [yes.slice(from, to), no.slice(start, end)];
    if (isSame) for (const [index, unit] of before.entries()) merging.same(unit, after[index] ?? unit);
    else merging.changed(before, after);
    [from, start] = [to, end];
  }
  return merging.isOpen ? undefined : merging.units;
}

/** Common parts between differences are only kept apart from them if they are long enough to be worth two sections. */
const SCRAP = 24;

function isScrap(units: readonly string[]): boolean {
  return units.join("").length < SCRAP && !units.some((unit) => unit.startsWith("\uE002"));
}

function withoutScraps(runs: readonly Run<string>[]): Run<string>[] {
  const kept: Run<string>[] = [];
  for (const [index, run] of runs.entries()) {
    const isBetween = run.kind === "same" && index > 0 && index < runs.length - 1;
    const next: Run<string> = isBetween && isScrap(run.items) ? changed(run.items, run.items) : run;
    const last = kept.at(-1);
    if (last?.kind !== "changed" || next.kind !== "changed") kept.push(next);
    else kept.splice(-1, 1, changed([...last.before, ...next.before], [...last.after, ...next.after]));
  }
  return kept;
}

function changed(before: readonly string[], after: readonly string[]): Run<string> & { readonly kind: "changed" } {
  return { kind: "changed", before, after };
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

/** A run of items that two lists have in common, or of different items. */
type Run<T> =
  | { readonly kind: "same"; readonly items: readonly T[] }
  | { readonly kind: "changed"; readonly before: readonly T[]; readonly after: readonly T[] };

/** Computing more table cells would take longer than a shorter result is worth. */
const MOST_CELLS = 1_000_000;

/**
 * A diff of two lists, by their longest common subsequence.
 *
 * @example
 * compareLists(["a", "b", "c"], ["a", "x", "c"]);
 * // [{ kind: "same", items: ["a"] }, { kind: "changed", before: ["b"], after: ["x"] }, { kind: "same", items: ["c"] }]
 */
export function compareLists<T>(before: readonly T[], after: readonly T[]): Run<T>[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const runs = new Runs<T>();
  runs.same(before.slice(0, start));
  compareRest(before.slice(start, before.length - end), after.slice(start, after.length - end), runs);
  runs.same(before.slice(before.length - end));
  return runs.list;
}

function compareRest<T>(before: readonly T[], after: readonly T[], runs: Runs<T>): void {
  if (before.length * after.length > MOST_CELLS) return runs.changed(before, after);
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const lengthAt = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const isSame = before[i] === after[j];
      lengths[i * width + j] = isSame ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      runs.same(before.slice(i, i + 1));
      [i, j] = [i + 1, j + 1];
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) {
      runs.changed(before.slice(i, i + 1), []);
      i += 1;
    } else {
      runs.changed([], after.slice(j, j + 1));
      j += 1;
    }
  }
  runs.changed(before.slice(i), after.slice(j));
}

/** Merges adjacent runs of the same kind. */
class Runs<T> {
  readonly list: Run<T>[] = [];

  same(items: readonly T[]): void {
    if (items.length === 0) return;
    const last = this.list.at(-1);
    if (last?.kind === "same") this.list.splice(-1, 1, { kind: "same", items: [...last.items, ...items] });
    else this.list.push({ kind: "same", items });
  }

  changed(before: readonly T[], after: readonly T[]): void {
    if (before.length + after.length === 0) return;
    const last = this.list.at(-1);
    if (last?.kind !== "changed") this.list.push({ kind: "changed", before, after });
    else
      this.list.splice(-1, 1, {
        kind: "changed",
        before: [...last.before, ...before],
        after: [...last.after, ...after],
      });
  }
}
