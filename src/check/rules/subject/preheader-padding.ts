import type { Finding, Rule } from "../../rule.js";
import { cascadeOf } from "../../styles/cascade.js";
import { LIGHT } from "../../styles/media.js";
import { isHidden } from "../../styles/visible.js";
import { isInvisible } from "./visible-text.js";

export const preheaderPadding: Rule = {
  id: "preheader-padding",
  summary: "Invisible characters that pad a preheader stand where they are seen, or come into the text body.",
  severity: "warning",
  checkTemplate({ template, compiled, document }) {
    const found = document.texts
      .filter(({ text, parent }) => isInvisible(text) && !isHidden(cascadeOf(document), parent, LIGHT))
      .map((node): Finding => ({
        message:
          "Invisible characters that pad the preheader stand in an element that is not hidden: they leave a gap, and come into the text body.",
        at: node.parent.at(),
        hint: "Put them into the hidden element of the preheader.",
      }));
    if (found.length > 0 || !isInvisible(compiled.text_body)) return found;
    return [
      {
        message: "The text body has the invisible characters that pad the preheader.",
        at: { file: template.text?.file ?? template.body.file },
        hint: template.text
          ? "Take them out of the text body."
          : 'Add `data-skip-in-text="true"` to the element that holds them.',
      },
    ];
  },
};
