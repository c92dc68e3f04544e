import { mistakeInAttribute } from "../../attributes/values.js";
import { loadGrammar } from "../../css/values.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import { onceEach } from "../../once-each.js";
import type { Finding, Rule } from "../../rule.js";
import { sourceTag } from "./written.js";

export const attributeValue: Rule = {
  id: "attribute-value",
  summary: "An attribute's value is none of those that it takes.",
  severity: "warning",
  async checkTemplate({ document }) {
    const grammar = await loadGrammar();
    const findings = [...document.elements, ...document.outlookElements].flatMap((element): Finding[] =>
      Array.from(element.tokenised).flatMap(([attribute, value]): Finding[] => {
        if (attribute.includes("\uE000") || value.includes("\uE000")) return [];
        const given = { element: element.name, attribute, value };
        const said = mistakeInAttribute(given, grammar);
        // Nearly all are right: who else judges them is asked of the others alone.
        return said && !isJudgedElsewhere(document, element, attribute)
          ? [{ ...said, at: element.atValueOf(attribute) }]
          : [];
      }),
    );
    return onceEach(findings);
  },
};

/** What MJML's own elements take, MJML says, but for a few attributes that it hands on as they are. */
function isJudgedElsewhere(document: EmailDocument, element: EmailElement, attribute: string): boolean {
  if (!/^mj-/i.test(element.writtenAs ?? "")) return false;
  return !HANDED_ON.has(attribute) || sourceTag(document, element)?.has(attribute) !== true;
}

const HANDED_ON: ReadonlySet<string> = new Set(["target", "rel", "lang", "dir", "role"]);
