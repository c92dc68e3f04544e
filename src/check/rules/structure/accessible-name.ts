import { hasSection, withoutSectionTags } from "../../../mustache/scan.js";
import type { EmailElement, EmailNode } from "../../document/nodes.js";

/**
 * What a screen reader announces for an element: its label, or the text and alt texts inside it.
 *
 * @example
 * nameOf(link); // "Your order"
 * nameOf(spacer); // ""
 */
export function nameOf(element: EmailElement): string {
  return tidy(withoutSectionTags(nameWithSections(element))) || tidy(element.attribute("title") ?? "");
}

/** Section tags print nothing themselves: their content does. */

/** The accessible name without the title, with section tags kept. */
export function nameWithSections(node: EmailNode): string {
  if (node.kind === "comment") return "";
  if (node.kind === "text") return node.text;
  const label = node.attribute("aria-label") ?? (node.attributes.has("aria-labelledby") ? "{{}}" : "");
  // A label that is empty with some variables falls back to the element's content.
  const isSure = label.trim() !== "" && !hasSection(label);
  if (isSure) return ` ${label} `;
  if (node.name === "img") return ` ${label} ${node.attribute("alt") ?? ""} `;
  return node.name === "br" ? " " : label + node.children.map(nameWithSections).join("");
}

/** Removes invisible characters and extra white space. */
export function tidy(text: string): string {
  return text
    .replaceAll(/[\p{Cf}\u{34f}\u{2800}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
