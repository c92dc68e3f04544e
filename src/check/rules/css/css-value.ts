import { mistakeInMedia } from "../../css/media-query.js";
import type { Mistake } from "../../mistake.js";
import { readCss } from "../../css/read-css.js";
import { type Grammar, loadGrammar, mistakeInName, mistakeInValue } from "../../css/values.js";
import { writtenCss } from "../../css/written-css.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { sourceTag } from "../structure/written.js";

export const cssValue: Rule = {
  id: "css-value",
  summary: "CSS has a value, property or media query that no email client supports.",
  severity: "warning",
  async checkTemplate({ document }) {
    const grammar = await loadGrammar();
    const findings = writtenCss(document).flatMap(({ kind, text, at }) => {
      const { declarations, atRules, unclosed = Infinity } = readCss(text, kind);
      const finding = (offset: number, mistake: Mistake | undefined): Finding[] =>
        mistake && offset <= unclosed ? [{ ...mistake, at: at(offset) }] : [];
      return [
        ...declarations.flatMap((each) => finding(each.offset, mistakeInValue(each, grammar))),
        ...atRules.flatMap((each) => {
          const mistake = each.name === "media" ? mistakeInMedia(each.prelude) : mistakeInName(each, grammar);
          return finding(each.offset, mistake);
        }),
      ];
    });
    return [...findings, ...inComponents(document, grammar)];
  },
};

/** Checks the values in components' style objects. Styles that come from Tailwind classes are skipped: nobody wrote them. */
function inComponents(document: EmailDocument, grammar: Grammar): Finding[] {
  return document.elements.flatMap((element) => {
    if (!isOfComponent(element)) return [];
    const findings = element.style.flatMap((declaration): Finding[] => {
      const mistake = mistakeInValue(declaration, grammar);
      return mistake ? [{ ...mistake, at: declaration.at() }] : [];
    });
    return findings.length > 0 && sourceTag(document, element)?.has("style") ? findings : [];
  });
}

function isOfComponent({ place, attributes }: EmailElement): boolean {
  return place !== undefined && attributes.has("style") && /\.[jt]sx?$/.test(place.at.file);
}
