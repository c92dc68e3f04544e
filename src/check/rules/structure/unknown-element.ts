import { HTML_ELEMENTS } from "../../../markup/elements.js";
import { nearest } from "../../../nearest.js";
import type { EmailElement } from "../../document/nodes.js";
import { onceEach } from "../../once-each.js";
import type { Finding, Rule } from "../../rule.js";

export const unknownElement: Rule = {
  id: "unknown-element",
  summary: "An element's name is none of html's, and nearly that of one.",
  severity: "warning",
  checkTemplate: ({ document }) =>
    onceEach(
      document.elements.flatMap((element): Finding[] => {
        const meant = isUnknown(element) ? nearest(element.name, COMMON) : undefined;
        if (meant === undefined) return [];
        const message = `Html has no element <${element.name}>: mail clients show what is in it, and nothing of what it should be.`;
        return [{ message, at: element.at(), hint: `Did you mean \`<${meant}>\`?` }];
      }),
    ),
};

/** What is shorter is as near to several; what has a hyphen or a colon is an element of somebody's own. */
function isUnknown({ name, ancestors }: EmailElement): boolean {
  if (!/^(?:[a-z][a-z0-9]{2,}|h\d)$/.test(name) || HTML_ELEMENTS.has(name)) return false;
  return !ancestors.some((ancestor) => ancestor.name === "svg" || ancestor.name === "math");
}

/** What an email is mostly written with. */
const COMMON = (
  "html head body title style meta link table thead tbody tfoot caption div span img strong small font center blockquote pre " +
  "code button section header footer main article label sup sub h1 h2 h3 h4 br hr td th tr ul ol li em"
).split(" ");
