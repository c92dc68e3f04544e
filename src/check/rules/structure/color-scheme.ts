import type { EmailDocument } from "../../document/email-document.js";
import type { Finding, Rule } from "../../rule.js";
import { hasDarkStyles, schemesInHead, schemesInStyles } from "../../styles/canvas.js";

export const colorScheme: Rule = {
  id: "color-scheme",
  summary: "The html body has dark styles and no metadata that says so, or metadata that contradicts itself.",
  severity: "warning",
  checkTemplate({ document }): Finding[] {
    if (!hasDarkStyles(document) || schemesInHead(document) !== undefined) return ofOlderName(document);
    const inStyles = schemesInStyles(document) !== undefined;
    return [
      {
        message: inStyles
          ? "The body says only in its styles that it knows the dark, which not all clients read."
          : "The body has dark styles and does not say so: clients may not use them.",
        at: (document.first("head") ?? document.body).at(),
        hint: 'Put `<meta name="color-scheme" content="light dark">` and `<meta name="supported-color-schemes" content="light dark">` in `<head>`.',
        severity: inStyles ? "info" : "warning",
      },
    ];
  },
};

/** Where both names are there, they have to say the same. */
function ofOlderName(document: EmailDocument): Finding[] {
  const own = schemesInHead(document);
  const meta = document.named("meta").find((each) => each.attribute("name")?.trim().toLowerCase() === OLDER);
  const older = meta?.attribute("content");
  if (!meta || own === undefined || older === undefined || wordsOf(own) === wordsOf(older)) return [];
  if (`${own}${older}`.includes("{{")) return [];
  const message = `${OLDER} is "${older}" and color-scheme "${own}": clients read the one or the other.`;
  return [{ message, at: meta.at("content"), hint: "Let them say the same." }];
}

const OLDER = "supported-color-schemes";

function wordsOf(schemes: string): string {
  return schemes
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .toSorted()
    .join(" ");
}
