import type { EmailElement } from "../../document/nodes.js";

/** The elements of a table without those of the tables in its cells. */
export function ownParts(element: EmailElement): EmailElement[] {
  return element.elements.flatMap((each) => (each.name === "table" ? [] : [each, ...ownParts(each)]));
}
