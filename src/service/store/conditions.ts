import type { SqlValue } from "../../sqlite/driver.js";

/** What a row must fulfil, all of it, with the values for its placeholders in their order. */
export class Conditions {
  readonly #parts: string[] = [];
  readonly parameters: SqlValue[] = [];

  /** Adds a condition with its values. */
  add(sql: string, ...parameters: SqlValue[]): this {
    this.#parts.push(sql);
    this.parameters.push(...parameters);
    return this;
  }

  /** Adds a condition on one value, unless there is no value to ask for. */
  addGiven(sql: string, parameter: SqlValue | undefined): this {
    return parameter === undefined ? this : this.add(sql, parameter);
  }

  get sql(): string {
    return this.#parts.join(" AND ");
  }
}
