import { nearest } from "../../../text/nearest.js";
import { typoOf } from "../../css/declaration.js";
import { loadGrammar, type Grammar } from "../../css/values.js";
import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, Finding } from "../../rule.js";

export const attributeValue: BuiltInRule = {
  id: "attribute-value",
  severity: "warning",
  summary: "An attribute has a value that is not valid for it.",
  details: 'An attribute has an invalid value: `align="centre"`, `bgcolor="#12345"`, `width="60px0"`, `dir="rtr"`.',
  why:
    "Email clients report no error for an unknown value. They ignore the attribute or misread it: a width is read " +
    "up to the first letter, and any string in `bgcolor` becomes some colour ([the HTML standard on legacy " +
    "colours](https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-a-legacy-colour-value)).\n\n" +
    'Only `align`, `valign`, `dir`, `scope`, sizes, numbers and `bgcolor` are checked. `width="auto"` and ' +
    "colours without `#` are common and harmless, so they are not reported.",
  fix: "Write the intended value. The finding suggests the closest one.",
  examples: {
    wrong: [
      '<p align="‸centre">Your order</p>',
      '<table width="‸60px0"><tr><td>Your order</td></tr></table>',
      '<table bgcolor="‸#12345"><tr><td>Your order</td></tr></table>',
    ],
    right: [
      '<p align="center">Your order</p>',
      '<table width="600" bgcolor="#123456"><tr><td>Your order</td></tr></table>',
    ],
  },
  async checkTemplate({ document }) {
    const grammar = await loadGrammar();
    return [...document.elements, ...document.outlookElements].flatMap((element) => [...mistakesIn(element, grammar)]);
  },
};

function* mistakesIn(element: EmailElement, grammar: Grammar): Generator<Finding> {
  for (const [attribute, written] of element.tokenised) {
    const value = written.trim();
    if (value === "" || attribute.includes("\uE000") || value.includes("\uE000")) continue;
    const hint = JUDGES.get(attribute)?.(value, grammar);
    // Nearly all values are valid, so this slower test comes last.
    if (hint === undefined || isJudgedElsewhere(element, attribute)) continue;
    const message = `\`${value}\` is not a valid value for \`${attribute}\`: email clients ignore it, or read it as something else.`;
    yield { message, at: element.atValue(attribute, value) ?? element.at(attribute), hint };
  }
}

/** MJML validates the attributes of its own elements, except for `dir`, which it passes through. */
function isJudgedElsewhere(element: EmailElement, attribute: string): boolean {
  return /^mj-/i.test(element.writtenAs ?? "") && !(attribute === "dir" && element.hasWritten(attribute));
}

/** Returns a hint for an invalid value; undefined for a valid one. */
type Judge = (value: string, grammar: Grammar) => string | undefined;

const words =
  (...known: readonly string[]): Judge =>
  (value) => {
    const word = value.toLowerCase();
    if (known.includes(word)) return undefined;
    const meant = word === "center" ? "middle" : nearest(word, known);
    return meant === undefined ? `Write ${known.join(", ")}.` : `Did you mean \`${meant}\`?`;
  };

/** Clients read the leading digits and ignore the rest. */
const dimension: Judge = (value) => {
  if (/^(?:(?:\d+\.?\d*|\.\d+)(?:\s*px|%)?|\d*\*|auto)$/i.test(value)) return undefined;
  const [read] = /^\d+(?:\.\d+)?(?:\s*%)?/.exec(value) ?? [];
  return read === undefined
    ? 'Write a number of pixels, or a percentage: "600", "100%".'
    : `Write \`${read.replace(/\s/, "")}\`, if that is meant.`;
};

const number: Judge = (value) => (/^\d+\s*(?:px|%)?$/i.test(value) ? undefined : "Write a number.");

/** Clients turn any string into some colour, and not all into the same one. */
const colour: Judge = (value, grammar) => {
  const isHex = /^#?(?:[\da-f]{3}|[\da-f]{6})$/i.test(value);
  if (isHex || (/^[a-z]+$/i.test(value) && grammar.takes("color", value))) return undefined;
  const digits = /^#([\da-f]+)$/i.exec(value)?.[1];
  if (digits !== undefined) return `A colour has 3 or 6 digits here; \`${value}\` has ${digits.length}.`;
  const meant = typoOf(value.toLowerCase(), grammar.keywordsOf("color"));
  return meant === undefined
    ? "Write a colour such as `#ffffff`. Other CSS colours belong in `style`."
    : `Did you mean \`${meant}\`?`;
};

const JUDGES: ReadonlyMap<string, Judge> = new Map([
  ...["width", "height"].map((name) => [name, dimension] as const),
  ...["border", "cellpadding", "cellspacing", "colspan", "rowspan"].map((name) => [name, number] as const),
  ["bgcolor", colour],
  [
    "align",
    words(..."left center right justify middle top bottom baseline char texttop absmiddle absbottom".split(" ")),
  ],
  ["valign", words("top", "middle", "bottom", "baseline")],
  ["dir", words("ltr", "rtl", "auto")],
  ["scope", words("row", "col", "rowgroup", "colgroup")],
]);
