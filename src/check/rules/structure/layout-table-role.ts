import { SITE_ATTRIBUTE } from "../../../markup/scan.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailComment, EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { ownParts } from "./table-parts.js";
import { rawTag, sourceTag } from "./written.js";

export const layoutTableRole: Rule = {
  id: "layout-table-role",
  summary: "A table is for layout and does not say so.",
  severity: "warning",
  checkTemplate({ document }): Finding[] {
    const tables = document.named("table").filter(isForLayout);
    const found = tables.flatMap((table): Finding[] => {
      const raw = table.isWritten ? undefined : rawTag(document, table);
      if (!table.isWritten && !raw) return [];
      const edit = raw ? raw.add?.('role="presentation"') : sourceTag(document, table)?.add('role="presentation"');
      return [
        {
          message: "This table is only for layout, and screen readers announce it as one of data.",
          at: raw?.at ?? table.at(),
          hint: 'Give it `role="presentation"`; if it is one of data, give it `<th>` cells.',
          ...(edit && { edits: [edit] }),
        },
      ];
    });
    return [...found, ...document.comments.flatMap((comment) => checkOutlook(document, comment))];
  },
};

/** What only Outlook sees is there for layout. */
function checkOutlook(document: EmailDocument, comment: EmailComment): Finding[] {
  const tags = comment.isConditional ? comment.tokenised.matchAll(WRITTEN_TABLE) : [];
  return Array.from(tags).flatMap(([tag, site]): Finding[] => {
    const place = document.input.places[Number(site)];
    if (!place || sourceTag(document, { place })?.name !== "table" || /\srole\s*=/i.test(tag)) return [];
    const message = "Outlook's table is only for layout, and screen readers announce it as one of data.";
    return [{ message, at: place.at, hint: 'Give it `role="presentation"`.', severity: "info" }];
  });
}

/** In a sited build, those that a user wrote have their place. */
const WRITTEN_TABLE = new RegExp(`<table\\b[^>]*?\\s${SITE_ATTRIBUTE}="(\\d+)"[^>]*>`, "gi");

/** What has a role, headings or a caption is meant as it is; of the others, those are sure that are no grid of data. */
function isForLayout(table: EmailElement): boolean {
  if (["role", "summary", "aria-label", "aria-labelledby"].some((name) => table.attributes.has(name))) return false;
  const own = ownParts(table);
  if (own.some(({ name }) => MEANT_AS_DATA.has(name))) return false;
  const rows = own.filter(({ name }) => name === "tr");
  const widest = Math.max(0, ...rows.map((row) => cellsOf(row).length));
  const hasTables = table.descendants.some(({ name }) => name === "table");
  return rows.length > 0 && (hasTables || widest <= 1 || (rows.length === 1 && !isRepeated(table)));
}

const MEANT_AS_DATA: ReadonlySet<string> = new Set(["th", "caption", "thead", "colgroup", "tfoot"]);

function cellsOf(row: EmailElement): EmailElement[] {
  return row.elements.filter(({ name }) => name === "td");
}

/** Whether a section stands between a table and its rows, so that one row may become many. */
function isRepeated(table: EmailElement): boolean {
  const containers = [table, ...ownParts(table).filter(({ name }) => name === "tbody")];
  return containers.some(({ children }) =>
    children.some((child) => child.kind === "text" && /\{\{\s*#/.test(child.text)),
  );
}
