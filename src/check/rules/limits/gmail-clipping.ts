import { completeVariables } from "../../../mustache/complete.js";
import { evaluator } from "../../../mustache/expression/evaluate.js";
import { renderMustache } from "../../../mustache/fill.js";
import type { Variables } from "../../../mustache/variables.js";
import type { BuiltInRule, CheckedTemplate } from "../../rule.js";
import { isRecord } from "../../../values.js";
import { TruthTable } from "../../truth/truth-table.js";
import { formatNumber } from "../../lib/texts.js";

/** Bytes of html that Gmail shows. */
export const GMAIL_SHOWS = 102 * 1024;
/** The share of the limit from which a note is given. */
const NEAR = 0.9;

export const gmailClipping: BuiltInRule = {
  id: "gmail-clipping",
  severity: "warning",
  isSilencedByComments: false,
  summary: "Filled with its largest fixture, the HTML exceeds Gmail's limit for showing it in full, or nearly does.",
  why:
    'Gmail clips a message after about 102 kB of HTML, and shows "[Message clipped] View entire ' +
    'message" ([measured](https://www.spamresource.com/2022/01/what-is-gmail-clipping-and-what-to-do.html)). ' +
    "Styles, preheader and comments count; images don't, because they are loaded separately. Each fixture is " +
    "tried, and three items in each list. It is a note if the HTML is only close to the limit, or exceeds it " +
    "without a fixture.",
  fix: "Show fewer items and link to the rest. Remove styles that are repeated on every element.",
  *checkTemplate(checked) {
    const { bytes, filledWith, isExample } = largest(checked, TruthTable.of(checked).full);
    if (bytes <= GMAIL_SHOWS * NEAR) return;
    const isClipped = bytes > GMAIL_SHOWS;
    const consequence = isClipped
      ? `Gmail clips it after ${formatNumber(GMAIL_SHOWS)} and hides the rest behind a link`
      : `that is close to the ${formatNumber(GMAIL_SHOWS)} after which Gmail clips a message`;
    yield {
      severity: isClipped && isExample ? "warning" : "info",
      message: `Filled with ${filledWith}, the html is ${formatNumber(bytes)} bytes: ${consequence}.`,
      at: { file: checked.template.body.file },
      hint: "Show fewer items and link to the rest, or remove repeated styles. Everything counts, including the preheader.",
    };
  },
};

/** The largest size of the filled HTML, and whether a real example has it, rather than values made up here. */
function largest({ compiled }: CheckedTemplate, full: Variables) {
  const { html_body: html, fixtures, contract, context } = compiled;
  const bytesOf = (variables: Variables): number =>
    Buffer.byteLength(renderMustache(html, variables, { escape: "html" }));
  const ofFixtures = fixtures.map(({ name, variables }) => {
    return { bytes: bytesOf(variables), filledWith: `the fixture "${name}"`, isExample: true };
  });
  const bytes = bytesOf(completeVariables(contract, tripled(full), {}, { evaluator, ...context }));
  const isExample = Buffer.byteLength(html) > GMAIL_SHOWS;
  const three = { bytes, filledWith: "three items in each list", isExample };
  return [...ofFixtures, three].reduce((a, b) => (b.bytes > a.bytes ? b : a));
}

/** The variables with three items in each list. */
function tripled(variables: Variables): Variables {
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return [value, value, value].flat().slice(0, 3).map(change);
    return isRecord(value) ? tripled(value) : value;
  };
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, change(value)]));
}
