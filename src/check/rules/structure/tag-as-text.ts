import { HTML_ELEMENTS } from "../../../markup/elements.js";
import { textsIn } from "../../../markup/texts.js";
import { restore } from "../../../mustache/tokens.js";
import { onceEach } from "../../once-each.js";
import type { Finding, Rule } from "../../rule.js";
import { showsCode } from "../language/plain.js";

export const tagAsText: Rule = {
  id: "tag-as-text",
  summary: "A tag has a space after its <, so that it is none, and readers see it.",
  severity: "error",
  checkTemplate({ document }): Finding[] {
    const { html, tags } = document.input;
    if (!SPACED.test(html)) return [];
    const texts = new Map(document.texts.map((text) => [text.start, text]));
    return onceEach(
      textsIn(html).flatMap(({ start, end }): Finding[] => {
        const text = texts.get(start);
        if (!text || showsCode(text.parent)) return [];
        return Array.from(html.slice(start, end).matchAll(TAG))
          .filter(([, name = ""]) => HTML_ELEMENTS.has(name.toLowerCase()))
          .map(([found]) => {
            const written = restore(found, tags, "html");
            return {
              message: `${written.replaceAll(/\s+/g, " ")} is no tag, for the space in it: readers see it as it is.`,
              at: text.at(written),
              hint: "Remove the space; for a sign that readers see, write &lt;.",
            };
          });
      }),
    );
  },
};

const SPACED = /<\/?\s/;
/** With attributes, or with nothing but a name in it: `a < b` is a text. */
const TAG = /<\s+\/?([a-z][a-z0-9]*)(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*\/?>/gi;
