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

/** Every word has to be in the name, the subject, the preheader or the content. */
export const searchTemplates = (
  templates: readonly TemplateSummary[],
  query: string,
  contents: Readonly<Record<string, string>> | undefined,
): readonly Hit[] => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return templates.map(unsearched);
  return templates.flatMap((template) => {
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
