import { attributeMeant } from "../../attributes/names.js";
import { onceEach } from "../../once-each.js";
import type { Finding, Rule } from "../../rule.js";

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
          if (meant === undefined || element.attributes.has(meant)) return [];
          const message = `Html has no attribute ${attribute}: mail clients ignore it on <${element.name}>.`;
          return [{ message, at: element.at(attribute), hint: `Did you mean ${meant}?` }];
        });
      }),
    ),
};
