import { withoutSites } from "../source/sites.js";
import { compareLists, type Run } from "./compare.js";
import { type Choose, isTag, zip, zipUnits } from "./zip.js";

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
  for (const run of withoutScraps(compareLists(yes.map(withoutSites), no.map(withoutSites)))) {
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
