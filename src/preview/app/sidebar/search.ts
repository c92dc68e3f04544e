import { nearest } from "../../../nearest.js";
import type { TemplateSummary } from "../../contract.js";

type Ranges = readonly (readonly [from: number, to: number])[];

/** A template that a search found, with what is to be marked. */
export interface Hit {
  readonly template: TemplateSummary;
  readonly name: Ranges;
  readonly subject: Ranges;
  readonly preheader: Ranges;
  /** The content around what was found, where it was found only there. */
  readonly snippet?: { readonly text: string; readonly ranges: Ranges };
}

/**
 * Every word has to be in the name, the subject, the preheader or the content: those come first that have it at the beginning
 * of their name, then elsewhere in it, and so on. Where nothing has it, one letter of a name may be wrong.
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
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return templates.map(unsearched);
  const found = templates.flatMap((template) => {
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
  return found
    .map((hit) => ({ hit, rank: rankOf(hit.template, words) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ hit }) => hit);
};

/** 0 for a name that begins so; what has the words further from its name comes later. */
const rankOf = ({ name, subject, preheader }: TemplateSummary, words: readonly string[]): number => {
  const placeOf = (word: string): number => {
    if (name.startsWith(word)) return 0;
    const found = [name, subject, preheader].findIndex((text) => text.toLowerCase().includes(word));
    return found < 0 ? 4 : found + 1;
  };
  return words.reduce((sum, word) => sum + placeOf(word), 0);
};

/** The same one for the same template, so that its row is not drawn again. */
const unsearched = (template: TemplateSummary): Hit => {
  const hit = hits.get(template) ?? { template, name: [], subject: [], preheader: [] };
  hits.set(template, hit);
  return hit;
};

const hits = new WeakMap<TemplateSummary, Hit>();

/** What a row has room for before the word, so that it is in sight. */
const before = 14;
const snippetLength = 120;

const snippetOf = (content: string, at: number, words: readonly string[]) => {
  const from = Math.max(0, at - before);
  const text = `${from > 0 ? "…" : ""}${content.slice(from, from + snippetLength)}`.replace(/\s+/g, " ");
  return { text, ranges: rangesOf(words, text) };
};

/** Where the words are, one after the other and none within another. */
export const rangesOf = (words: readonly string[], text: string): Ranges => {
  const lower = text.toLowerCase();
  // Some letters become two in lower case: places would be off by one.
  if (lower.length !== text.length) return [];
  const found = words
    .flatMap((word) => placesOf(word, lower).map((at): readonly [number, number] => [at, at + word.length]))
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  return found.reduce<(readonly [number, number])[]>(
    (all, range) => ((all.at(-1)?.[1] ?? 0) > range[0] ? all : [...all, range]),
    [],
  );
};

const placesOf = (word: string, text: string): readonly number[] => {
  const places: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) places.push(at);
  return places;
};
