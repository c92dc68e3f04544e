import type { Finding, Rule } from "../../rule.js";
import { decidedForms } from "../links/decided-forms.js";
import { onceEach } from "../../once-each.js";
import { showsCode, TAG, withoutTags } from "./plain.js";
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
  const lonely = decidedForms(text)
    .map((form) => lonelyMark(withoutTags(form)))
    .find((found) => found !== undefined);
  if (lonely === undefined) return [];
  const { mark, plain, index } = lonely;
  // A quotation of several paragraphs opens in each, and closes in the last.
  if (mark === "“" && next?.text.startsWith("“")) return [];
  return [
    {
      message: `A ${mark} has no partner in "${shortened(plain, index)}".`,
      at: at(wordsAround(plain, index)),
      hint: "Add the missing one, or take this one away.",
    },
  ];
}

/** A mark in a text whose tags are a letter each. */
interface Lonely {
  readonly mark: string;
  readonly plain: string;
  readonly index: number;
}

const PAIRS: readonly (readonly [string, string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["「", "」"],
  ["（", "）"],
];
const MARKS = /[()[\]{}「」（）"„“”«»]/;
/** Smileys are no marks of this kind. */
const SMILEY = /(?:^|[\s\uFFFC])[:;=8xX][-'^o]?[()[\]]+|[()]+[-']?[:;=](?=\s|$)|¯\\_\(ツ\)_\/¯/g;
/** Hebrew writes an abbreviation with one before its last letter: צה"ל. */
const GERSHAYIM = /(?<=\p{Script=Hebrew})"(?=\p{Script=Hebrew})/gu;

function lonelyMark(text: string): Lonely | undefined {
  const blank = (found: string): string => " ".repeat(found.length);
  const plain = text.replace(SMILEY, blank).replace(GERSHAYIM, blank);
  const index = lonelyBracket(plain) ?? lonelyQuote(plain);
  return index === undefined ? undefined : { mark: text.charAt(index), plain: text, index };
}

function lonelyBracket(text: string): number | undefined {
  for (const [open, close] of PAIRS) {
    const opened: number[] = [];
    for (let index = 0; index < text.length; index += 1) {
      if (text[index] === open) opened.push(index);
      if (text[index] !== close) continue;
      if (opened.length > 0) opened.pop();
      else if (!isLabel(text, index)) return index;
    }
    if (opened.length > 0) return opened.at(-1);
  }
  return undefined;
}

/** `a)` and `2)` begin the items of a list. */
function isLabel(text: string, end: number): boolean {
  return text[end] === ")" && /(?:^|\s)(?:\d{1,3}|[a-z]|[ivx]{1,4})$/i.test(text.slice(0, end));
}

/** German „…“, Swedish ”…” and French «…» are whole, too. */
function lonelyQuote(text: string): number | undefined {
  const count = (mark: string): number => text.split(mark).length - 1;
  // After a number it may be the mark of inches.
  if (count('"') % 2 === 1 && !/[\d\uFFFC]\s?"/.test(text)) return text.lastIndexOf('"');
  const guillemet = lonelyGuillemet(text, count("«"), count("»"));
  if (guillemet !== undefined) return text.lastIndexOf(guillemet);
  const [low, left, right] = [count("„"), count("“"), count("”")];
  if (low > 0) return low === left + right ? undefined : text.lastIndexOf("„");
  if (left === 0) return right % 2 === 0 ? undefined : text.lastIndexOf("”");
  if (left === right) return undefined;
  return text.lastIndexOf(left > right ? "“" : "”");
}

/** `More »`, `« Back` and `Home » Orders` are arrows. */
function lonelyGuillemet(text: string, opened: number, closed: number): string | undefined {
  if (opened === closed || opened === 0) return undefined;
  if (closed === 0) return /«\s*\S+\s+\S+\s+\S/.test(text) ? "«" : undefined;
  return opened > closed ? "«" : "»";
}

/** The mark with the word behind it, or before it: by itself it stands in attributes and in tags, too. */
function wordsAround(text: string, index: number): string {
  const [after = ""] = /^[^\p{L}\p{N}\uFFFC]{1,20}[\p{L}\p{N}]{1,20}/u.exec(text.slice(index)) ?? [];
  if (after !== "") return after;
  const [before = ""] = /[\p{L}\p{N}]{0,20}[^\p{L}\p{N}\uFFFC]{0,20}$/u.exec(text.slice(0, index)) ?? [];
  return before + text.charAt(index);
}

function shortened(text: string, index: number): string {
  const start = Math.max(0, index - 20);
  return text
    .slice(start, start + 60)
    .replaceAll(TAG, "…")
    .replace(/\s+/g, " ")
    .trim();
}
