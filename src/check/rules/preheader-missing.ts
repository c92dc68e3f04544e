import { scanMarkup } from "../../markup.js";
import type { Rule } from "../rule.js";

const HIDES = /display\s*:\s*none|max-height\s*:\s*0/i;

export const preheaderMissing: Rule = {
  id: "preheader-missing",
  checkTemplate({ template, compiled }) {
    if (hasPreheader(compiled.html_body)) return [];
    return [
      {
        severity: "warning",
        message: "There is no preheader: inboxes will show the first words of the body beside the subject.",
        at: { file: template.body.file },
        hint:
          template.engine === "mjml"
            ? "Add <mj-preview> to <mj-head>."
            : "Begin the body with a hidden element that holds one sentence.",
      },
    ];
  },
};

/** Whether the body begins with hidden text. */
function hasPreheader(html: string): boolean {
  const { pieces } = scanMarkup(html);
  const body = pieces.findIndex((piece) => piece.kind === "open" && piece.name === "body");
  let isHidden = false;
  for (const piece of pieces.slice(body + 1)) {
    if (piece.kind === "open")
      isHidden ||= piece.attributes.some(({ name, value }) => name === "style" && HIDES.test(value));
    if (piece.kind === "text" && html.slice(piece.start, piece.end).trim() !== "") return isHidden;
  }
  return false;
}
