import { mistakeInMedia } from "../../css/media-query.js";
import type { Mistake } from "../../mistake.js";
import { readCss } from "../../css/read-css.js";
import { type Grammar, loadGrammar, mistakeInName, mistakeInValue } from "../../css/values.js";
import { writtenCss } from "../../css/written-css.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import { onceEach } from "../../once-each.js";
import type { Finding, Rule } from "../../rule.js";
import { sourceTag } from "../structure/written.js";

export const cssValue: Rule = {
  id: "css-value",
  summary: "CSS has a value, a property or a media query that no mail client knows.",
  severity: "warning",
  async checkTemplate({ document }) {
    const grammar = await loadGrammar();
    const findings = writtenCss(document).flatMap(({ kind, text, at }) => {
      const { declarations, atRules, unclosed = Infinity } = readCss(text, kind);
      const finding = (offset: number, said: Mistake | undefined): Finding[] =>
        said && offset <= unclosed ? [{ ...said, at: at(offset) }] : [];
      return [
        ...declarations.flatMap((each) => finding(each.offset, mistakeInValue(each, grammar))),
        ...atRules.flatMap((each) => {
          const said = each.name === "media" ? mistakeInMedia(each.prelude) : mistakeInName(each, grammar);
          return finding(each.offset, said);
        }),
      ];
    });
    return onceEach([...findings, ...inComponents(document, grammar)]);
  },
};

/** Of components, the style attributes: an object has no syntax of its own, but for its values; those of Tailwind's classes nobody wrote. */
function inComponents(document: EmailDocument, grammar: Grammar): Finding[] {
  return document.elements.flatMap((element) => {
    if (!isOfComponent(element)) return [];
    const findings = element.style.flatMap((declaration): Finding[] => {
      const said = mistakeInValue(declaration, grammar);
      return said ? [{ ...said, at: declaration.at() }] : [];
    });
    return findings.length > 0 && sourceTag(document, element)?.has("style") ? findings : [];
  });
}

function isOfComponent({ place, attributes }: EmailElement): boolean {
  return place !== undefined && attributes.has("style") && /\.[jt]sx?$/.test(place.at.file);
}
