import type { EmailElement, EmailNode } from "../../document/nodes.js";

/**
 * What a screen reader says of an element: its label, or the texts and alt texts in it.
 *
 * @example
 * nameOf(link); // "Your order"
 * nameOf(spacer); // ""
 */
export function nameOf(element: EmailElement): string {
  return tidy(partOf(element)) || tidy(element.attribute("title") ?? "");
}

function partOf(node: EmailNode): string {
  if (node.kind === "comment") return "";
  // What a section's tags say is in what they stand around.
  if (node.kind === "text") return node.text.replaceAll(/\{\{\s*[#^/!][^}]*\}\}/g, "");
  const label = node.attribute("aria-label") ?? (node.attributes.has("aria-labelledby") ? "{{}}" : "");
  if (label.trim() !== "") return ` ${label} `;
  if (node.name === "img") return ` ${node.attribute("alt") ?? ""} `;
  return node.name === "br" ? " " : node.children.map(partOf).join("");
}

/** Without what nobody sees or hears. */
function tidy(text: string): string {
  return text
    .replaceAll(/[\p{Cf}\u{34f}\u{2800}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
