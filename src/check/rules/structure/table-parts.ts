import type { EmailElement } from "../../document/nodes.js";

/** The elements of a table without those of the tables in its cells. */
export function ownParts(table: EmailElement): readonly EmailElement[] {
  let parts = known.get(table);
  if (!parts) {
    const found: EmailElement[] = [];
    collect(table, found);
    known.set(table, (parts = found));
  }
  return parts;
}

/** Several rules ask, one after the other. */
const known = new WeakMap<EmailElement, readonly EmailElement[]>();

function collect({ children }: EmailElement, parts: EmailElement[]): void {
  for (const child of children) {
    if (child.kind !== "element" || child.name === "table") continue;
    parts.push(child);
    collect(child, parts);
  }
}
