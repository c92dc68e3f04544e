import type { Conditions } from "./conditions.js";
import type { Database } from "../../sqlite/driver.js";

/** The part of a list to read. */
export interface Page {
  readonly limit: number;
  /** Starts at 1. */
  readonly page: number;
}

export interface OrderedPage<Order extends string> extends Page {
  readonly order: Order;
}

/** Everything, as one page. */
export const ALL: Page = { limit: Number.MAX_SAFE_INTEGER, page: 1 };

/** Number of rows before the page. */
export function offsetOf({ limit, page }: Page): number {
  return (page - 1) * limit;
}

interface Selection {
  readonly table: "aliases" | "domains" | "rules";
  readonly columns: string;
  readonly where: Conditions;
  readonly orderBy: string;
}

/** A page of the rows that meet the conditions, and the number of rows on all pages. */
export function selectPage(
  database: Database,
  { table, columns, where, orderBy }: Selection,
  page: Page,
): { readonly rows: Record<string, unknown>[]; readonly total: number } {
  const from = `FROM ${table} WHERE ${where.sql}`;
  const counted = database.prepare(`SELECT count(*) AS total ${from}`).get(...where.parameters);
  const rows = database
    .prepare(`SELECT ${columns} ${from} ORDER BY ${orderBy} LIMIT ? OFFSET ?`)
    .all(...where.parameters, page.limit, offsetOf(page));
  return { rows, total: Number(counted?.["total"]) };
}
