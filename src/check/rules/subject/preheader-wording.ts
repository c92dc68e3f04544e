import { renderMustache } from "../../../mustache/fill.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { cascadeOf } from "../../styles/cascade.js";
import { LIGHT } from "../../styles/media.js";
import { isHidden } from "../../styles/visible.js";
import { type Preheader, preheaderOf } from "./preheader.js";
import { isInvisible, visibleText } from "./visible-text.js";

export const preheaderWording: Rule = {
  id: "preheader-wording",
  summary: "A preheader repeats the subject, is too short or too long, or its padding is seen.",
  severity: "warning",
  checkTemplate(checked) {
    const preheader = preheaderOf(checked.document);
    return [...(preheader ? [...repeats(checked, preheader), ...length(checked, preheader)] : []), ...padding(checked)];
  },
};

function repeats({ compiled, document }: CheckedTemplate, preheader: Preheader): Finding[] {
  const words = bare(preheader.text);
  const heading = document.elements.find(({ name }) => /^h[1-3]$/.test(name));
  const isSubject = words === bare(compiled.subject);
  if (!isSubject && (!heading || words !== bare(heading.text))) return [];
  return [
    {
      severity: isSubject ? "warning" : "info",
      message: `The preheader repeats the ${isSubject ? "subject, next to which inboxes show it" : "first heading"}: "${preheader.text}".`,
      at: preheader.at(),
      hint: "Say in it what a reader should know before opening the email.",
    },
  ];
}

/** Tags print the same, escaped or not. */
function bare(text: string): string {
  return visibleText(text)
    .replace(/\{\{\{?\s*&?\s*([^{}]*?)\s*\}\}\}?/g, "{{$1}}")
    .replace(/[\p{P}\p{S}]+$/u, "")
    .toLowerCase();
}

/** Next to less than this an inbox shows the first words of the body, too. */
const SHORT = 20;
/** More than the widest inbox shows next to a subject. */
const LONG = 150;

function length(checked: CheckedTemplate, preheader: Preheader): Finding[] {
  const lengths = filledLengths(checked, preheader.text);
  const [longest, shortest] = [Math.max(...lengths), Math.min(...lengths)];
  const found = (message: string, hint: string): Finding[] => [{ severity: "info", message, at: preheader.at(), hint }];
  if (shortest > LONG)
    return found(`The preheader has ${shortest} characters; inboxes show about ${LONG}.`, "One sentence is enough.");
  if (longest >= SHORT || preheader.isPadded) return [];
  return found(
    `The preheader "${preheader.text}" is so short that inboxes show the first words of the body after it.`,
    "Write a whole sentence, or let invisible characters follow it in the hidden element.",
  );
}

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

function padding({ template, compiled, document }: CheckedTemplate): Finding[] {
  const seen = document.texts.filter(
    ({ text, parent }) => isInvisible(text) && !isHidden(cascadeOf(document), parent, LIGHT),
  );
  if (seen.length > 0)
    return seen.map(({ parent }) => ({
      message:
        "The invisible characters that pad the preheader are not in a hidden element: they leave a gap, and get into the text body.",
      at: parent.at(),
      hint: "Move them into the hidden element of the preheader.",
    }));
  if (!isInvisible(compiled.text_body)) return [];
  return [
    {
      message: "The text body has the invisible characters that pad the preheader.",
      at: { file: template.text?.file ?? template.body.file },
      hint: template.text
        ? "Remove them from the text body."
        : 'Add `data-skip-in-text="true"` to the element that has them.',
    },
  ];
}
