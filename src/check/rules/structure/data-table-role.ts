import type { EmailElement } from "../../document/nodes.js";
import type { Rule } from "../../rule.js";
import { ownParts } from "./table-parts.js";

export const dataTableRole: Rule = {
  id: "data-table-role",
  summary: "A table with headings says that it is only for layout.",
  severity: "warning",
  checkTemplate: ({ document }) =>
    document
      .named("table")
      .filter((table) => isSaidToBeForLayout(table) && hasHeadings(ownParts(table)))
      .map((table) => ({
        message: `role="${table.attribute("role")}" takes the headings away from this table: screen readers read its cells without them.`,
        at: table.at("role"),
        hint: "Take the role away; if the table is for layout, write `<td>` instead of `<th>`.",
      })),
};

function isSaidToBeForLayout(table: EmailElement): boolean {
  return /^\s*(?:presentation|none)\s*$/i.test(table.attribute("role") ?? "");
}

/** A `<th>` alone may be a cell of a layout, which Gmail on Android puts one below the other only if it is one. */
function hasHeadings(parts: readonly EmailElement[]): boolean {
  const headings = parts.filter(({ name }) => name === "th");
  if (headings.some((heading) => heading.attribute("scope") !== undefined)) return true;
  return parts.some(({ name }) => name === "td") && headings.some(isShort);
}

/** Words, and no blocks. */
function isShort({ text, descendants }: EmailElement): boolean {
  return text.trim() !== "" && text.trim().length <= LONGEST && !descendants.some(({ name }) => BLOCKS.includes(name));
}

const LONGEST = 40;
const BLOCKS: readonly string[] = ["table", "img", "p", "div", "h1", "h2", "h3", "a"];
