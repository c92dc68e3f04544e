import type { z } from "zod";
import type { Database, SqlValue } from "../../sqlite/driver.js";

/** A prepared query whose rows are parsed with a schema. */
export function prepareQuery<Row extends z.ZodType>(database: Database, row: Row, sql: string) {
  const statement = database.prepare(sql);
  return {
    all: (...parameters: SqlValue[]): Readonly<z.output<Row>>[] =>
      statement.all(...parameters).map((columns) => row.parse(columns)),
    /** Undefined if there is no row. */
    first(...parameters: SqlValue[]): Readonly<z.output<Row>> | undefined {
      const columns = statement.get(...parameters);
      return columns && row.parse(columns);
    },
  };
}

/** A prepared query for a single number. */
export function prepareNumber(database: Database, sql: string): (...parameters: SqlValue[]) => number {
  const statement = database.prepare(sql);
  return (...parameters) => Number(Object.values(statement.get(...parameters) ?? {})[0]);
}

/** Infinity, in SQL. */
export const NEVER = "9e999";
