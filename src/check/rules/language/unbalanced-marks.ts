import { MISREAD } from "./broken-characters.js";
import type { Finding, Rule } from "../../rule.js";
import type { Around } from "../../document/sources.js";
import { decidedForms } from "../links/decided-forms.js";
import { onceEach } from "../../once-each.js";
import { aroundOf, indexOfPart } from "./around.js";
import { showsCode, withoutTags } from "./plain.js";
import { paragraphsOf, subjectOf, textParagraphs, type Wording } from "./wordings.js";

export const unbalancedMarks: Rule = {
  id: "unbalanced-marks",
  summary: "A bracket or a quotation mark of a paragraph has no partner.",
  severity: "warning",
  checkTemplate(checked) {
    const texts = [paragraphsOf(checked.document), [subjectOf(checked)], textParagraphs(checked)];
    return onceEach(texts.flatMap((all) => all.flatMap((wording, index) => check(wording, all[index + 1]))));
  },
};

function check({ text, element, at }: Wording, next: Wording | undefined): Finding[] {
  if (!MARKS.test(withoutTags(text)) || (element && showsCode(element))) return [];
  // What was read in another encoding has marks that nobody wrote.
  if (MISREAD.test(text)) return [];
  const lonely = decidedForms(text)
    .map((form) => lonelyMark(withoutTags(form)))
    .find((found) => found !== undefined);
  if (lonely === undefined) return [];
  const { mark, beside } = lonely;
  // A quotation of several paragraphs opens in each, and closes in the last.
  if (mark === "“" && next?.text.startsWith("“")) return [];
  return [
    {
      message: `A ${mark} has no partner in "${shortened(text, indexOfPart(text, mark, beside))}".`,
      at: at(mark, beside),
      hint: "Add the missing one, or take this one away.",
    },
  ];
}

const PAIRS: readonly (readonly [string, string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["「", "」"],
  ["（", "）"],
];
const MARKS = /[()[\]{}「」（）"„“”«»]/;

interface LonelyMark {
  readonly mark: string;
  readonly beside: Around;
}

function lonelyMark(text: string): LonelyMark | undefined {
  const plain = text.replace(NO_MARKS, (found) => " ".repeat(found.length));
  const index = lonelyBracket(plain) ?? lonelyQuote(plain);
  return index === undefined ? undefined : { mark: plain.charAt(index), beside: aroundOf(text, index) };
}

/** Smileys, and the gershayim of Hebrew abbreviations. */
const NO_MARKS =
  /(?:^|[\s\uFFFC])[:;=8xX][-'^o]?[()[\]]+|(?:^|[\s\uFFFC])[()]+[-']?[:;=](?=\s|$)|¯\\_\(ツ\)_\/¯|(?<=\p{Script=Hebrew})"(?=\p{Script=Hebrew})/gu;

function lonelyBracket(text: string): number | undefined {
  for (const [open, close] of PAIRS) {
    const opened: number[] = [];
    for (const index of indexesOf(text, open, close)) {
      if (text.charAt(index) === open) opened.push(index);
      else if (opened.pop() === undefined && !isLabel(text, index)) return index;
    }
    if (opened[0] !== undefined) return opened[0];
  }
  return undefined;
}

function indexesOf(text: string, ...marks: readonly string[]): number[] {
  return Array.from(text.split(""), (letter, index) => (marks.includes(letter) ? index : -1)).filter(
    (index) => index >= 0,
  );
}

/** `a)` and `2)` begin the items of a list. */
function isLabel(text: string, end: number): boolean {
  return text.includes(")") && /(?:^|\s)(?:\d{1,3}|[a-z]|[ivx]{1,4})$/i.test(text.slice(0, end));
}

/** German „…“, Swedish ”…” and French «…» are whole, too. */
function lonelyQuote(text: string): number | undefined {
  const straight = indexesOf(text, '"');
  // After a number it may be the mark of inches.
  if (straight.length % 2 === 1 && !/[\d\uFFFC]\s?"/.test(text)) return lonelyStraight(text, straight);
  const [opened, closed] = [indexesOf(text, "«"), indexesOf(text, "»")];
  const guillemet = lonelyGuillemet(text, opened, closed);
  if (guillemet !== undefined) return guillemet;
  const [low, left, right] = [indexesOf(text, "„"), indexesOf(text, "“"), indexesOf(text, "”")];
  if (low.length > 0) return withoutPartner(low, indexesOf(text, "“", "”"));
  if (left.length === 0) return right.length % 2 === 0 ? undefined : right.at(-1);
  return withoutPartner(left, right);
}

/** Of `"a" and "b`, the last; of `"a and "b"`, the first: an opening one stands before a word. */
function lonelyStraight(text: string, indexes: readonly number[]): number | undefined {
  const opens = (index: number): boolean => /(?:^|[\s(])"(?=\S)/.test(text.slice(Math.max(0, index - 1), index + 2));
  const first = indexes.findIndex((index, number) => {
    const next = indexes[number + 1];
    return number % 2 === 0 && (next === undefined || opens(next) || !opens(index));
  });
  return indexes[first];
}

/** `More »`, `« Back` and `Home » Orders` are arrows. */
function lonelyGuillemet(text: string, opened: readonly number[], closed: readonly number[]): number | undefined {
  if (opened.length === 0) return undefined;
  if (closed.length === 0) return /«\s*\S+\s+\S+\s+\S/.test(text) ? opened[0] : undefined;
  return withoutPartner(opened, closed);
}

/** The one without a partner, where there are not as many of both. */
function withoutPartner(opening: readonly number[], closing: readonly number[]): number | undefined {
  if (opening.length === closing.length) return undefined;
  return opening.length > closing.length
    ? opening.findLast(
        (open, number) => !closing.some((close) => close > open && close < (opening[number + 1] ?? Infinity)),
      )
    : closing.find((close, number) => !opening.some((open) => open < close && open > (closing[number - 1] ?? -1)));
}

function shortened(text: string, index: number): string {
  const start = Math.max(0, index - 20);
  return text
    .slice(start, start + 60)
    .replace(/\s+/g, " ")
    .trim();
}
