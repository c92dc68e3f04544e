import { languageConflicts, languageOf } from "../../template/language.js";
import type { Metadata } from "../../template/template.js";
import type { Findings } from "../findings.js";
import { attributeValue, type MjmlElement, positionOf } from "./element.js";

/** Sets the language of template.json on `<mjml>`, unless it has one. MJML copies it to the body. */
export function setLanguage(document: MjmlElement, metadata: Metadata, findings: Findings): void {
  for (const { message, attribute } of languageConflicts(document.attributes, metadata))
    findings.warning(
      "language-missing",
      message,
      positionOf(document, attribute.start),
      "Use the same language in both.",
    );
  const { start } = document;
  const missing = Object.entries(languageOf(metadata)).filter(([name]) => attributeValue(document, name) === undefined);
  document.attributes = [
    ...document.attributes,
    ...missing.map(([name, value]) => ({ name, value, start, valueStart: start })),
  ];
}
