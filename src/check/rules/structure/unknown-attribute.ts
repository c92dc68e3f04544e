import { attributeMeant } from "../../attributes/names.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import { onceEach } from "../../once-each.js";
import type { Finding, Rule } from "../../rule.js";
import { sourceTag } from "./written.js";

export const unknownAttribute: Rule = {
  id: "unknown-attribute",
  summary: "An attribute's name is none of html's, and nearly that of one.",
  severity: "warning",
  checkTemplate: ({ document }) =>
    onceEach(
      document.elements.flatMap((element): Finding[] => {
        const isForeign = [element, ...element.ancestors].some(({ name }) => name === "svg" || name === "math");
        if (isForeign || /[-:]/.test(element.name)) return [];
        return Array.from(element.tokenised.keys()).flatMap((attribute): Finding[] => {
          const meant = attributeMeant(attribute);
          if (meant === undefined || hasOwn(document, element, meant)) return [];
          const message = `Html has no attribute ${attribute}: mail clients ignore it on <${element.name}>.`;
          return [{ message, at: element.at(attribute), hint: `Did you mean ${meant}?` }];
        });
      }),
    ),
};

/** Whether somebody wrote an attribute, rather than that a component has it by default. */
function hasOwn(document: EmailDocument, element: EmailElement, attribute: string): boolean {
  if (!element.attributes.has(attribute)) return false;
  return element.isWritten || (sourceTag(document, element)?.has(attribute) ?? true);
}
