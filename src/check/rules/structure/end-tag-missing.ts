import { forgottenEnds } from "../../../text/markup/open-elements.js";
import { scanMarkup } from "../../../text/markup/scan.js";
import type { Finding, Rule } from "../../rule.js";

export const endTagMissing: Rule = {
  id: "end-tag-missing",
  summary: "An element's end tag is missing, though similar elements around it have theirs.",
  severity: "warning",
  checkTemplate({ document }) {
    const forgotten = forgottenEnds(scanMarkup(document.input.html).pieces);
    if (forgotten.length === 0) return [];
    const elements = new Map(document.elements.map((element) => [element.start, element]));
    return forgotten.flatMap(({ tag, endedBy }): Finding[] => {
      const element = elements.get(tag.start);
      const message = `This <${tag.name}> is never closed, unlike others around it. It ends at ${endedBy === "" ? "the end" : endedBy}.`;
      return element?.isWritten
        ? [{ message, at: element.at(), hint: `Add \`</${tag.name}>\` where it should end.` }]
        : [];
    });
  },
};
