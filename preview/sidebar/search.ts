import { nearest } from "../../src/text/nearest.js";
import type { TemplateSummary } from "../../src/preview/contract.js";
import { searchWords } from "../palette/match.js";
import type { Ranges } from "../ui/text.js";

/** A template that matches the search, with the ranges to highlight. */
export interface Hit {
  readonly template: TemplateSummary;
  readonly name: Ranges;
  readonly subject: Ranges;
  readonly preheader: Ranges;
  /** The content around the match, if only the content matched. */
  readonly snippet?: { readonly text: string; readonly ranges: Ranges };
}

/**
 * Every word must be in the name, the subject, the preheader or the content. Templates whose name starts with the words
 * come first, then those with the words elsewhere in the name, and so on. If nothing matches, names with one wrong
 * letter match.
 */
export const searchTemplates = (
  templates: readonly TemplateSummary[],
  query: string,
  contents: Readonly<Record<string, string>> | undefined,
): readonly Hit[] => {
  const found = findTemplates(templates, query, contents);
  if (found.length > 0) return found;
  const corrected = query.replace(/\S{3,}/g, (word) => nearest(word, templates.flatMap(partsOf), 1) ?? word);
  return corrected === query ? found : findTemplates(templates, corrected, contents);
};

const partsOf = ({ name }: TemplateSummary): readonly string[] => [name, ...name.split(/[-_]/)];

const findTemplates = (
  templates: readonly TemplateSummary[],
  query: string,
  contents: Readonly<Record<string, string>> | undefined,
): readonly Hit[] => {
  const words = searchWords(query);
  if (words.length === 0) return templates.map(unsearched);
  const hitsByRank = templates.flatMap((template) => {
    const { name, subject, preheader } = template;
    const head = `${name}\n${subject}\n${preheader}`.toLowerCase();
    const inContent = words.filter((word) => !head.includes(word));
    const content = inContent.length > 0 ? (contents?.[name] ?? "") : "";
    const lower = content.toLowerCase();
    if (!inContent.every((word) => lower.includes(word))) return [];
    const [first] = inContent;
    return [
      {
        template,
        name: rangesOf(words, name),
        subject: rangesOf(words, subject),
        preheader: rangesOf(words, preheader),
        ...(first !== undefined && { snippet: snippetOf(content, lower.indexOf(first), words) }),
      },
    ];
  });
  return hitsByRank
    .map((hit) => ({ hit, rank: rankOf(hit.template, words) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ hit }) => hit);
};

/** 0 if the name starts with the words; higher the further the words are from the name. */
const rankOf = ({ name, subject, preheader }: TemplateSummary, words: readonly string[]): number => {
  const placeOf = (word: string): number => {
    if (name.startsWith(word)) return 0;
    const at = [name, subject, preheader].findIndex((text) => text.toLowerCase().includes(word));
    return at < 0 ? 4 : at + 1;
  };
  return words.reduce((sum, word) => sum + placeOf(word), 0);
};

/** Returns the same object for the same template, so that its row is not rendered again. */
const unsearched = (template: TemplateSummary): Hit => {
  const hit = hits.get(template) ?? { template, name: [], subject: [], preheader: [] };
  hits.set(template, hit);
  return hit;
};

const hits = new WeakMap<TemplateSummary, Hit>();

/** Number of characters before the match that a row has room for. */
const before = 14;
const snippetLength = 120;

const snippetOf = (content: string, at: number, words: readonly string[]) => {
  const from = Math.max(0, at - before);
  const text = `${from > 0 ? "…" : ""}${content.slice(from, from + snippetLength)}`.replace(/\s+/g, " ");
  return { text, ranges: rangesOf(words, text) };
};

/** The ranges of the words, in order and without overlaps. */
export const rangesOf = (words: readonly string[], text: string): Ranges => {
  const lower = text.toLowerCase();
  // Some letters become two in lower case, which would shift the ranges.
  if (lower.length !== text.length) return [];
  const ranges = words
    .flatMap((word) => placesOf(word, lower).map((at): readonly [number, number] => [at, at + word.length]))
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  return ranges.reduce<(readonly [number, number])[]>(
    (all, range) => ((all.at(-1)?.[1] ?? 0) > range[0] ? all : [...all, range]),
    [],
  );
};

const placesOf = (word: string, text: string): readonly number[] => {
  const places: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) places.push(at);
  return places;
};
