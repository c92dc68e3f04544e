import type { z } from "zod";
import type { Database, SqlValue } from "../../sqlite/driver.js";
import { prepareNumber, prepareQuery } from "./statements.js";

/** Conditions that a row must all meet, with the values of their placeholders in order. */
export class Conditions {
  readonly #parts: string[] = [];
  readonly parameters: SqlValue[] = [];

  /** Adds a condition with its values. */
  add(sql: string, ...parameters: SqlValue[]): this {
    this.#parts.push(sql);
    this.parameters.push(...parameters);
    return this;
  }

  /** Adds a condition on one value, unless the value is undefined. */
  addGiven(sql: string, parameter: SqlValue | undefined): this {
    return parameter === undefined ? this : this.add(sql, parameter);
  }

  get sql(): string {
    return this.#parts.join(" AND ");
  }
}

/** The part of a list to read. */
export interface PageRange {
  readonly limit: number;
  /** Starts at 1. */
  readonly page: number;
}

export interface OrderedPageRange<Order extends string> extends PageRange {
  readonly order: Order;
}

/** Everything, as one page. */
export const ALL: PageRange = { limit: Number.MAX_SAFE_INTEGER, page: 1 };

/** Number of rows before the page. */
export function offsetOf({ limit, page }: PageRange): number {
  return (page - 1) * limit;
}

interface Selection {
  readonly table: "aliases" | "domains" | "rules";
  readonly columns: string;
  readonly where: Conditions;
  readonly orderBy: string;
}

/** A page of the rows that meet the conditions, and the number of rows on all pages. */
export function selectPage<Row extends z.ZodType>(
  database: Database,
  row: Row,
  { table, columns, where, orderBy }: Selection,
  page: PageRange,
): { readonly rows: Readonly<z.output<Row>>[]; readonly total: number } {
  const from = `FROM ${table} WHERE ${where.sql}`;
  const total = prepareNumber(database, `SELECT count(*) ${from}`);
  const rows = prepareQuery(database, row, `SELECT ${columns} ${from} ORDER BY ${orderBy} LIMIT ? OFFSET ?`);
  return { rows: rows.all(...where.parameters, page.limit, offsetOf(page)), total: total(...where.parameters) };
}
