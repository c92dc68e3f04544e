import { mistakeInMedia, loadGrammar, mistakeInName, mistakeInValue, type Grammar } from "../../css/values.js";
import { documentWith, type BuiltInRule, type Finding } from "../../rule.js";
import { readCss } from "../../css/read-css.js";
import { writtenCss } from "../../css/written-css.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";

export const cssValue: BuiltInRule = {
  id: "css-value",
  severity: "warning",
  summary: "CSS has a value, property or media query that no email client supports.",
  details:
    "CSS has a value, property or media query that no email client supports.\n\n" +
    "The rule checks values against the grammar of their property, including those that MJML passes on unchanged: " +
    "`border`, `border-radius`, `font-weight`, `font-style`, `text-decoration`, `text-transform` and background " +
    "positions. It reports an unknown property, at-rule or media feature if it is one typo away from a known one. " +
    "CSS that deliberately targets one client is fine: `mso-…`, prefixes, `*zoom`, `\\9`, filters of Internet " +
    "Explorer. So are values with `var()` or a Mustache tag.",
  why:
    "Email clients ignore a declaration with an invalid value ([CSS Syntax, error " +
    "handling](https://www.w3.org/TR/css-syntax-3/#error-handling)), and everything in a media query that they " +
    "can't read. Only some clients accept a number without a unit (`font-size: 16`), and only in a document " +
    "without a doctype ([quirks mode](https://quirks.spec.whatwg.org/#the-unitless-length-quirk)).",
  fix:
    "Use the correction in the hint: `16px` for `16`, `#1d2733` for `1d2733`, `@media (max-width: 600px)` for " +
    "`@media (max-width 600px)` or `@media (max-width=600px)`.",
  examples: {
    wrong: [
      '<p style="‸font-size: 16">Your order</p>',
      '<p style="‸colour: #333333">Your order</p>',
      documentWith({
        style: "‸@media (max-width 600px) { p { margin: 0 } }",
      }),
    ],
    right: ['<p style="font-size: 16px; color: #333333">Your order</p>', '<p style="color: var(--ink)">Your order</p>'],
  },
  async checkTemplate({ document }) {
    const grammar = await loadGrammar();
    return [...inSources(document, grammar), ...inComponents(document, grammar)];
  },
};

function* inSources(document: EmailDocument, grammar: Grammar): Generator<Finding> {
  for (const { kind, text, at } of writtenCss(document)) {
    const { declarations, atRules, unclosed = Infinity } = readCss(text, kind);
    const mistakes = [
      ...declarations.map((each) => ({ ...each, mistake: mistakeInValue(each, grammar) })),
      ...atRules.map((each) => ({
        ...each,
        mistake: each.name === "media" ? mistakeInMedia(each.prelude) : mistakeInName(each, grammar),
      })),
    ];
    for (const { mistake, offset } of mistakes) if (mistake && offset <= unclosed) yield { ...mistake, at: at(offset) };
  }
}

/** Checks the values in components' style objects. Styles that come from Tailwind classes are skipped: nobody wrote them. */
function inComponents({ elements }: EmailDocument, grammar: Grammar): Finding[] {
  return elements.filter(isOfComponent).flatMap((element) => {
    const findings = element.style.flatMap((declaration): Finding[] => {
      const mistake = mistakeInValue(declaration, grammar);
      return mistake ? [{ ...mistake, at: declaration.at() }] : [];
    });
    return findings.length > 0 && element.hasWritten("style") ? findings : [];
  });
}

function isOfComponent({ place, attributes }: EmailElement): boolean {
  return place !== undefined && attributes.has("style") && /\.[jt]sx?$/.test(place.at.file);
}
