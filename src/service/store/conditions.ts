import type { SqlValue } from "../../sqlite/driver.js";

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
