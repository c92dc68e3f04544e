import type { Tag } from "../../../mustache/tokens.js";
import type { TagUse } from "../../document/email-document.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { htmlTags } from "../../variables/tags.js";

export const sectionsBreakHtml: Rule = {
  id: "sections-break-html",
  summary: "A section has only one of the quotes around an attribute's value, so the tag breaks when it is not shown.",
  severity: "error",
  checkTemplate(checked): Finding[] {
    const halves = halfQuoted(checked);
    return htmlTags(checked)
      .filter(({ tag }) => halves.has(tag))
      .map(({ text, at }) => ({
        message: `The section ${text} has only one of the quotes around a value: where it is not shown, the tag goes on into what follows.`,
        at: at(),
        hint: "Put both quotes into the section, or none.",
      }));
  },
};

/** The opening tags of sections that begin in a value and end behind it. The compiler sees to whole elements. */
function halfQuoted({ document }: CheckedTemplate): Set<Tag> {
  const open: TagUse[] = [];
  const halves = new Set<Tag>();
  for (const use of document.tags) {
    if (/^\{\{\s*[#^]/.test(use.tag.text)) open.push(use);
    const opening = /^\{\{\s*\//.test(use.tag.text) ? open.pop() : undefined;
    const kinds = [opening?.where.kind, use.where.kind];
    if (opening && kinds.includes("attribute") && kinds.includes("name")) halves.add(opening.tag);
  }
  return halves;
}
