import type { Hunk } from "./hunks.js";

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
 *
 * @example
 * const findSources = createSourceFinder(new Map([["receipt", ["templates/receipt/receipt.mjml", "templates/_shared/footer.mjml"]]]), read);
 * findSources({ field: "html_body", removed: ["Row 14"], added: ["Row 22"] }, ["receipt"]); // ["templates/_shared/footer.mjml"]
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
