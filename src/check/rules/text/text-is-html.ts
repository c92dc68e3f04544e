import type { Rule } from "../../rule.js";
import { positionIn } from "../../source-position.js";

const ELEMENT =
  /<\/?(?:a|b|body|br|center|div|em|h[1-6]|head|hr|html|i|img|li|meta|ol|p|span|strong|style|table|tbody|td|th|tr|u|ul|mj-[a-z]+)(?:\s[^<>]*)?\/?>/i;
const ENTITY = /&(?:nbsp|amp|lt|gt|quot|copy|mdash|ndash|rsquo|lsquo|rdquo|ldquo|hellip|euro|zwnj|#\d+|#x[\da-f]+);/i;

export const textIsHtml: Rule = {
  id: "text-is-html",
  summary: "The hand-written text body has html in it.",
  severity: "warning",
  checkTemplate({ template, compiled, document }) {
    if (!template.text) return [];
    const [markup] = ELEMENT.exec(compiled.text_body) ?? ENTITY.exec(compiled.text_body) ?? [];
    if (markup === undefined) return [];
    const own = positionIn(template.text, new RegExp(markup.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)));
    return [
      {
        message: `The text body shows ${markup} as it is: it is read as text.`,
        at: own.line === undefined ? document.positionOf(markup) : own,
        hint: "Write it without html, or remove the file: then the text is derived from the html.",
      },
    ];
  },
};
