import type { Finding, Rule } from "../../rule.js";
import { decidedForms } from "../links/decided-forms.js";
import { onceEach } from "../../once-each.js";
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
  const mark = decidedForms(text)
    .map((form) => lonelyMark(withoutTags(form)))
    .find((found) => found !== undefined);
  if (mark === undefined) return [];
  // A quotation of several paragraphs opens in each, and closes in the last.
  if (mark === "“" && next?.text.startsWith("“")) return [];
  return [
    {
      message: `A ${mark} has no partner in "${shortened(text, mark)}".`,
      at: at(mark),
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

function lonelyMark(text: string): string | undefined {
  // Smileys are no marks of this kind.
  const plain = text.replace(/(?:^|[\s\uFFFC])[:;=8xX][-'^o]?[()[\]]+|[()]+[-']?[:;=](?=\s|$)|¯\\_\(ツ\)_\/¯/g, " ");
  return lonelyBracket(plain) ?? lonelyQuote(plain);
}

function lonelyBracket(text: string): string | undefined {
  for (const [open, close] of PAIRS) {
    let depth = 0;
    for (const [index, letter] of Array.from(text).entries()) {
      if (letter === open) depth += 1;
      if (letter !== close) continue;
      if (depth > 0) depth -= 1;
      else if (!isLabel(text, index)) return close;
    }
    if (depth > 0) return open;
  }
  return undefined;
}

/** `a)` and `2)` begin the items of a list. */
function isLabel(text: string, end: number): boolean {
  const before = Array.from(text).slice(0, end).join("");
  return text.includes(")") && /(?:^|\s)(?:\d{1,3}|[a-z]|[ivx]{1,4})$/i.test(before);
}

/** German „…“, Swedish ”…” and French «…» are whole, too. */
function lonelyQuote(text: string): string | undefined {
  const count = (mark: string): number => text.split(mark).length - 1;
  // After a number it may be the mark of inches.
  if (count('"') % 2 === 1 && !/[\d\uFFFC]\s?"/.test(text)) return '"';
  const guillemet = lonelyGuillemet(text, count("«"), count("»"));
  if (guillemet !== undefined) return guillemet;
  const [low, left, right] = [count("„"), count("“"), count("”")];
  if (low > 0) return low === left + right ? undefined : "„";
  if (left === 0) return right % 2 === 0 ? undefined : "”";
  if (left === right) return undefined;
  return left > right ? "“" : "”";
}

/** `More »`, `« Back` and `Home » Orders` are arrows. */
function lonelyGuillemet(text: string, opened: number, closed: number): string | undefined {
  if (opened === closed || opened === 0) return undefined;
  if (closed === 0) return /«\s*\S+\s+\S+\s+\S/.test(text) ? "«" : undefined;
  return opened > closed ? "«" : "»";
}

function shortened(text: string, mark: string): string {
  const start = Math.max(0, text.indexOf(mark) - 20);
  return text
    .slice(start, start + 60)
    .replace(/\s+/g, " ")
    .trim();
}
