import type { Finding, Rule } from "../../rule.js";
import { withoutTags } from "../language/plain.js";
import { paragraphsOf, type Wording } from "../language/wordings.js";

/** Letters below which a share says nothing. */
const FEW = 100;
/** Capitals of one paragraph that shout. */
const LOUD = 40;

type Counted = Wording & ReturnType<typeof countLetters>;

export const textCapitals: Rule = {
  id: "text-capitals",
  summary: "Most of a body, or a sentence of it, is written in capitals.",
  severity: "warning",
  checkTemplate({ document }) {
    const paragraphs = paragraphsOf(document).map((each) => ({ ...each, ...countLetters(withoutTags(each.text)) }));
    const all = paragraphs.reduce((sum, { cased }) => sum + cased, 0);
    const capital = paragraphs.reduce((sum, { capitals }) => sum + capitals, 0);
    const [most] = paragraphs.toSorted((a, b) => b.capitals - a.capitals);
    if (!most || all < FEW || capital * 2 <= all) return shouted(paragraphs);
    return [
      {
        message: `${Math.round((capital / all) * 100)}% of the letters are capitals, which filters count as a sign of spam.`,
        at: most.at(most.text.slice(0, 40)),
        hint: "Write sentences; a style of text-transform: uppercase does not count.",
      },
    ];
  },
};

/** A sentence that is nothing but capitals; shorter ones are titles and labels. */
function shouted(paragraphs: readonly Counted[]): Finding[] {
  return paragraphs
    .flatMap((paragraph) => sentencesOf(paragraph).find(isShouted) ?? [])
    .map(({ text, at }) => ({
      severity: "info",
      message: `"${text.slice(0, 40)}…" is written in capitals, which filters count as a sign of spam.`,
      at: at(text.slice(0, 40)),
      hint: "Write sentences.",
    }));
}

function isShouted({ text, cased, capitals }: Counted): boolean {
  return capitals >= LOUD && capitals > cased * 0.9 && text.split(/\s+/).length >= 6;
}

/** All of a paragraph first, where each of its sentences is short. */
function sentencesOf(paragraph: Counted): Counted[] {
  const sentences = paragraph.text.split(/(?<=[.!?])\s+/);
  return [paragraph, ...sentences.map((text) => ({ ...paragraph, text, ...countLetters(withoutTags(text)) }))];
}

/** Only letters that have a small and a capital form. */
function countLetters(text: string): { readonly cased: number; readonly capitals: number } {
  const capitals = lengthOf(text.match(CAPITALS));
  return { cased: capitals + lengthOf(text.match(SMALL)), capitals };
}

const CAPITALS = /\p{Lu}+/gu;
const SMALL = /\p{Ll}+/gu;

/** A letter of two UTF-16 units is one. */
function lengthOf(runs: readonly string[] | null): number {
  const text = runs?.join("") ?? "";
  return text.length - (text.match(/[\uD800-\uDBFF]/g)?.length ?? 0);
}
