import { contentFields } from "../content.js";
import type { FieldChange } from "../plan/plan.js";
import { type Hunk, hunksOf } from "./hunks.js";

/** The same difference in each of some templates. */
export interface Difference {
  /** Names of exactly the templates that have it, sorted. */
  readonly templates: readonly string[];
  /** By field: what an email says before how it looks. */
  readonly hunks: readonly Hunk[];
}

export interface Change extends Difference {
  /**
   * Further differences that vary between the templates: one edit that engines turn into HTML in different ways. Each
   * template has one of them; empty if there are none.
   */
  readonly variants: readonly Difference[];
}

/**
 * Groups differences across templates: an edit of a shared part is one change with the names of all its templates. A
 * template's own edits are changes of one template. The most shared ones come first.
 *
 * @example
 * groupChanges([
 *   { name: "receipt", changes: [{ field: "text_body", from: "Thanks\nRow 14", to: "Thanks\nRow 22" }] },
 *   { name: "welcome", changes: [{ field: "text_body", from: "Hello\nRow 14", to: "Hello\nRow 22" }] },
 * ]);
 * // [{ templates: ["receipt", "welcome"], hunks: [{ field: "text_body", removed: ["Row 14"], added: ["Row 22"] }], variants: [] }]
 */
export function groupChanges(
  updates: readonly { readonly name: string; readonly changes: readonly FieldChange[] }[],
): Change[] {
  const shared = new Map<string, { readonly hunk: Hunk; readonly templates: Set<string> }>();
  for (const { name, changes } of updates) {
    for (const hunk of changes.flatMap(hunksOf)) {
      const key = keyOf(hunk);
      const entry = shared.get(key);
      if (entry === undefined) shared.set(key, { hunk, templates: new Set([name]) });
      else entry.templates.add(name);
    }
  }

  const groups = new Map<string, { readonly templates: readonly string[]; readonly hunks: Hunk[] }>();
  for (const { hunk, templates } of shared.values()) {
    const names = [...templates].toSorted();
    const key = names.join("\n");
    const group = groups.get(key) ?? { templates: names, hunks: [] };
    group.hunks.push(hunk);
    groups.set(key, group);
  }
  const differences = [...groups.values()]
    .map(({ templates, hunks }) => ({ templates, hunks: hunks.toSorted(byField) }))
    .toSorted((a, b) => b.templates.length - a.templates.length || compareTexts(a.templates[0], b.templates[0]));
  return withVariants(differences);
}

/** How many of the most shared differences may have variants. */
const VARIED_MAX = 10;
/** There are three engines; differences with more variants are not a single edit. */
const VARIANTS_MAX = 4;

function withVariants(differences: readonly Difference[]): Change[] {
  const taken = new Set<Difference>();
  const changes: Change[] = [];
  for (const [index, difference] of differences.entries()) {
    if (taken.has(difference)) continue;
    const smaller = index < VARIED_MAX ? differences.slice(index + 1).filter((other) => !taken.has(other)) : [];
    const variants = partition(difference.templates, smaller);
    for (const variant of variants) taken.add(variant);
    changes.push({ ...difference, variants });
  }
  return changes;
}

/** Differences of which each template has exactly one; empty if they don't add up. */
function partition(templates: readonly string[], differences: readonly Difference[]): Difference[] {
  const rest = new Set(templates);
  const parts: Difference[] = [];
  for (const difference of differences) {
    if (!difference.templates.every((name) => rest.has(name))) continue;
    for (const name of difference.templates) rest.delete(name);
    parts.push(difference);
    if (parts.length === VARIANTS_MAX) break;
  }
  return rest.size === 0 ? parts : [];
}

/** Ignores indentation: a shared part may be nested deeper in one template than in another. */
function keyOf({ field, removed, added }: Hunk): string {
  const trimmed = (lines: readonly string[]): string => lines.map((line) => line.trimStart()).join("\n");
  return `${field}\0${trimmed(removed)}\0${trimmed(added)}`;
}

function byField(a: Hunk, b: Hunk): number {
  return contentFields.indexOf(a.field) - contentFields.indexOf(b.field);
}

function compareTexts(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the text of a project file, by its path as templates name it; undefined if it cannot be read. */
export type ReadSource = (file: string) => string | undefined;

/** Further lines would not help to find their source. */
const LINES_MAX = 50;

/** Finds the source files in which a change was made. */
export type FindSources = (hunk: Hunk, templates: readonly string[]) => string[];

/**
 * Finds the source files in which a change was made: for each of its templates, the file with most of the new words,
 * preferring shared parts. Files that explain most templates come first. Empty if nothing points to a file, for example
 * if text was only removed.
 */
export function createSourceFinder(
  sourcesOf: ReadonlyMap<string, readonly string[]>,
  readSource: ReadSource,
): FindSources {
  const read = new Map<string, ReadonlySet<string>>();
  const wordsIn = (file: string): ReadonlySet<string> => {
    let words = read.get(file);
    if (words === undefined) read.set(file, (words = wordsOf([readSource(file) ?? ""])));
    return words;
  };

  return ({ field, removed, added }, templates) => {
    const had = wordsOf(removed);
    const has = [...wordsOf(added.slice(0, LINES_MAX))];
    const fresh = has.filter((word) => !had.has(word));
    const scores = new Map<string, Score>();
    const scoreOf = (file: string): Score => {
      let score = scores.get(file);
      if (score === undefined) {
        const count = (words: readonly string[]): number => words.filter((word) => wordsIn(file).has(word)).length;
        const isText = /\.txt$/i.test(file);
        const fits = isText === (field === "text_body") ? 1 : 0;
        score = [count(fresh), fits, count(has), isShared(file) && templates.length > 1 ? 1 : 0];
        scores.set(file, score);
      }
      return score;
    };

    const explained = new Map<string, number>();
    for (const name of templates) {
      const files = (sourcesOf.get(name) ?? []).filter((file) => isSourceOf(field, file));
      const best = files.reduce<string | undefined>(
        (before, file) => (before !== undefined && isAtLeast(scoreOf(before), scoreOf(file)) ? before : file),
        undefined,
      );
      // If a file has less than half of the new words, that may be chance.
      if (best !== undefined && scoreOf(best)[0] * 2 > fresh.length)
        explained.set(best, (explained.get(best) ?? 0) + 1);
    }
    return [...explained].toSorted(([, one], [, other]) => other - one).map(([file]) => file);
  };
}

/** New words, fits the field, all words, is a shared part: the first difference decides. */
type Score = readonly [fresh: number, fits: number, all: number, shared: number];

/** Fixtures are not sent; metadata has the subject and description. */
function isSourceOf(field: Hunk["field"], file: string): boolean {
  return file.endsWith("/template.json") ? field === "subject" || field === "description" : !file.endsWith(".json");
}

/** Whether several templates may include a file: it, or a folder that it is in, begins with `_`. */
function isShared(file: string): boolean {
  return file.split("/").some((part) => part.startsWith("_"));
}

function wordsOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.match(/[\p{L}\p{N}_#]+/gu) ?? []));
}

function isAtLeast(one: Score, other: Score): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 || (one[at] ?? 0) > (other[at] ?? 0);
}
