import type { EmailElement } from "../../document/nodes.js";
import type { Rule } from "../../rule.js";
import { ownElements } from "./own-elements.js";

export const formElement: Rule = {
  id: "form-element",
  summary: "A body has a form, a field or a button of a form.",
  severity: "warning",
  checkTemplate({ document }) {
    const elements = ownElements(document, "form", "input", "select", "textarea", "button").filter(isOfForm);
    // A field in a form is not told again.
    const outermost = elements.filter(({ ancestors }) => !ancestors.some((ancestor) => elements.includes(ancestor)));
    return outermost.map((element) => ({
      message: `<${element.name}> does nothing in Outlook and others, and mail clients warn of forms in mails.`,
      at: element.at(),
      hint: "Link to a page that has the form.",
    }));
  },
};

/** Not the boxes that some mails tick to show and hide parts of themselves, by CSS alone. */
export function isOfForm(element: EmailElement): boolean {
  const isBox = element.name === "input" && /^\s*(?:checkbox|radio)\s*$/i.test(element.attribute("type") ?? "");
  return !isBox || element.ancestors.some(({ name }) => name === "form");
}
