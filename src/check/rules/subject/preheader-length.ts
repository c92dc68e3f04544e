import { renderMustache } from "../../../mustache/fill.js";
import type { CheckedTemplate, Rule } from "../../rule.js";
import { preheaderOf } from "./preheader.js";
import { visibleText } from "./visible-text.js";

/** Beside less than this an inbox shows the first words of the body, too. */
const SHORT = 20;
/** More than the widest inbox shows beside a subject. */
const LONG = 150;

export const preheaderLength: Rule = {
  id: "preheader-length",
  summary: "A preheader is so short that the body's first words follow it, or longer than inboxes show.",
  severity: "info",
  checkTemplate(checked) {
    const preheader = preheaderOf(checked.document);
    if (!preheader) return [];
    const lengths = filledLengths(checked, preheader.text);
    const [longest, shortest] = [Math.max(...lengths), Math.min(...lengths)];
    if (shortest > LONG)
      return [
        {
          message: `The preheader has ${shortest} characters, and inboxes show no more than about ${LONG}.`,
          at: preheader.at(),
          hint: "One sentence is enough.",
        },
      ];
    if (longest >= SHORT || preheader.isPadded) return [];
    return [
      {
        message: `The preheader "${preheader.text}" is so short that inboxes show the first words of the body after it.`,
        at: preheader.at(),
        hint: "Write a whole sentence, or let invisible characters follow it in the hidden element.",
      },
    ];
  },
};

function filledLengths({ compiled: { fixtures } }: CheckedTemplate, text: string): number[] {
  const all = fixtures.length === 0 ? [{}] : fixtures.map(({ variables }) => variables);
  return all.map((variables) => {
    try {
      return Array.from(visibleText(renderMustache(text, variables, { escape: "none" }))).length;
    } catch {
      // A section may have begun around the preheader.
      return Array.from(text).length;
    }
  });
}
