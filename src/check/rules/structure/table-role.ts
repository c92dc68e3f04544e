import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, Finding } from "../../rule.js";

export const tableRole: BuiltInRule = {
  id: "table-role",
  severity: "warning",
  summary: "A layout table is not marked as one, or a table with headings is.",
  details: 'A layout table is not marked as one, or a table with `<th>` cells has `role="presentation"`.',
  why:
    "Screen readers announce a table as data, with its rows and columns, and every nested one again: [W3C's " +
    "tutorial on tables](https://www.w3.org/WAI/tutorials/tables/tips/), [failure F46 of " +
    "WCAG](https://www.w3.org/WAI/WCAG22/Techniques/failures/F46). With the role, they read cell after cell and no " +
    "longer say which heading each belongs to: [failure " +
    "F92](https://www.w3.org/WAI/WCAG22/Techniques/failures/F92).\n\n" +
    "A table counts as layout if it has no role, `<th>`, caption, `<thead>` or label, and contains other tables, " +
    "one column, or one row. Tables that could be a grid of data are not reported, nor are those of MJML and React " +
    "Email's components.",
  fix:
    'Add `role="presentation"` to a layout table; `templates check --fix` does it. Give a data table `<th>` ' +
    "cells and no such role.",
  examples: {
    wrong: [
      "‸<table><tr><td>Hello</td></tr></table>",
      `<table ‸role="presentation">
<tr><th scope="col">Item</th></tr>
<tr><td>Tea</td></tr>
</table>`,
    ],
    right: [
      '<table role="presentation"><tr><td>Hello</td></tr></table>',
      `<table>
<tr><th scope="col">Item</th></tr>
<tr><td>Tea</td></tr>
</table>`,
    ],
  },
  checkTemplate: ({ document }) => [
    ...document.named("table").flatMap((table) => checkTable(table) ?? []),
    ...document.outlookElements.flatMap((element) => checkOutlook(element) ?? []),
  ],
};

function checkTable(table: EmailElement): Finding | undefined {
  const parts = ownParts(table);
  const role = table.attribute("role") ?? "";
  if (/^\s*(?:presentation|none)\s*$/i.test(role) && hasHeadings(parts))
    return {
      message: `role="${role}" hides this table's headings: screen readers read its cells without them.`,
      at: table.at("role"),
      hint: "Remove the role. If the table is for layout, use `<td>` instead of `<th>`.",
    };
  if (!table.isWritten || !isForLayout(table, parts)) return undefined;
  const edit = table.editAdding('role="presentation"');
  return {
    message: "This table is only for layout, but screen readers announce it as a data table.",
    at: table.at(),
    hint: 'Add `role="presentation"`. If it is a data table, give it `<th>` cells.',
    ...(edit && { edits: [edit] }),
  };
}

/** A table's elements without those of nested tables. */
function ownParts({ elements }: EmailElement): readonly EmailElement[] {
  return elements.filter(({ name }) => name !== "table").flatMap((each) => [each, ...ownParts(each)]);
}

/** Tables that only Outlook sees are for layout. */
function checkOutlook(element: EmailElement): Finding | undefined {
  if (element.name !== "table" || !element.isWritten || element.attributes.has("role")) return undefined;
  const message = "Outlook's table is only for layout, but screen readers announce it as a data table.";
  return { message, at: element.at(), hint: 'Add `role="presentation"`.', severity: "info" };
}

/** Without a role, headings or a caption, only a table that can't be a grid of data counts as layout. */
function isForLayout(table: EmailElement, parts: readonly EmailElement[]): boolean {
  if (["role", "summary", "aria-label", "aria-labelledby"].some((name) => table.attributes.has(name))) return false;
  if (parts.some(({ name }) => MEANT_AS_DATA.has(name))) return false;
  const rows = parts.filter(({ name }) => name === "tr");
  const widest = Math.max(0, ...rows.map((row) => cellsOf(row).length));
  const hasTables = table.descendants.some(({ name }) => name === "table");
  return rows.length > 0 && (hasTables || widest <= 1 || (rows.length === 1 && !isRepeated(table, parts)));
}

const MEANT_AS_DATA: ReadonlySet<string> = new Set(["th", "caption", "thead", "colgroup", "tfoot"]);

function cellsOf(row: EmailElement): EmailElement[] {
  return row.elements.filter(({ name }) => name === "td");
}

/** Whether a section around its rows can turn one row into many. */
function isRepeated(table: EmailElement, parts: readonly EmailElement[]): boolean {
  return [table, ...parts.filter(({ name }) => name === "tbody")].some(({ children }) =>
    children.some((child) => child.kind === "text" && /\{\{\s*#/.test(child.text)),
  );
}

/** Some layouts use `<th>` for cells, because Gmail on Android stacks only those. */
function hasHeadings(parts: readonly EmailElement[]): boolean {
  const headings = parts.filter(({ name }) => name === "th");
  if (headings.some((heading) => heading.attribute("scope") !== undefined)) return true;
  return parts.some(({ name }) => name === "td") && headings.some(isShort);
}

/** Whether it contains a few words and no blocks. */
function isShort({ text, descendants }: EmailElement): boolean {
  return /^.{1,40}$/s.test(text.trim()) && !descendants.some(({ name }) => /^(?:table|img|p|div|h[1-3]|a)$/.test(name));
}
