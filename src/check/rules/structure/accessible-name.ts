import type { EmailElement, EmailNode } from "../../document/nodes.js";

/**
 * What a screen reader says of an element: its label, or the texts and alt texts in it.
 *
 * @example
 * nameOf(link); // "Your order"
 * nameOf(spacer); // ""
 */
export function nameOf(element: EmailElement): string {
  return tidy(nameWithSections(element).replaceAll(SECTION_TAGS, "")) || tidy(element.attribute("title") ?? "");
}

/** What a section's tags say is in what they stand around. */
const SECTION_TAGS = /\{\{\s*[#^/!][^}]*\}\}/g;

/** The same without its title, and with the tags of the sections in it. */
export function nameWithSections(node: EmailNode): string {
  if (node.kind === "comment") return "";
  if (node.kind === "text") return node.text;
  const label = node.attribute("aria-label") ?? (node.attributes.has("aria-labelledby") ? "{{}}" : "");
  // A label that is empty with some variables gives way to what is in the element.
  const isSure = label.trim() !== "" && !/\{\{\s*[#^]/.test(label);
  if (isSure) return ` ${label} `;
  if (node.name === "img") return ` ${label} ${node.attribute("alt") ?? ""} `;
  return node.name === "br" ? " " : label + node.children.map(nameWithSections).join("");
}

/** Without what nobody sees or hears. */
export function tidy(text: string): string {
  return text
    .replaceAll(/[\p{Cf}\u{34f}\u{2800}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
