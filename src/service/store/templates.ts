import { z } from "zod";
import { changesOf } from "./database.js";
import type { Database } from "../../sqlite/driver.js";

/** Maximum number of cached records: tests and benchmarks need few, and each may take 200 kB. */
const MOST = 50;

/** A cache of records that is valid until anything is written. No other process writes to the database. */
class Unchanged<Row> {
  readonly #changes: () => number;
  readonly #records = new Map<string, Row>();
  #readAt = Number.NaN;

  /** @param changes Returns the number of rows written so far. */
  constructor(changes: () => number) {
    this.#changes = changes;
  }

  get(key: string, read: () => Row | undefined): Row | undefined {
    const changes = this.#changes();
    if (changes !== this.#readAt || this.#records.size >= MOST) this.#records.clear();
    this.#readAt = changes;
    const known = this.#records.get(key);
    if (known !== undefined) return known;
    const record = read();
    if (record !== undefined) this.#records.set(key, record);
    return record;
  }

  /** Clears the cache after a rollback: records that were read in the transaction never existed. */
  forget(): void {
    this.#records.clear();
  }
}

/** The fields of a template that clients write. Every string is Mustache except the name and the description. */
export interface TemplateColumns {
  readonly name: string;
  readonly description: string;
  readonly subject: string;
  readonly html_body: string;
  readonly text_body: string;
}

export interface TemplateRecord extends TemplateColumns {
  readonly id: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A template without its bodies. */
export type TemplateSummaryRecord = Omit<TemplateRecord, "html_body" | "text_body">;

const summaryRow = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  subject: z.string(),
  createdAt: z.int(),
  updatedAt: z.int(),
});

const row = summaryRow.extend({ html_body: z.string(), text_body: z.string() });

const SUMMARY = "id, name, description, subject, created_at AS createdAt, updated_at AS updatedAt";

export class TemplateStore {
  readonly #unchanged;
  readonly #list;
  readonly #count;
  readonly #find;
  readonly #insert;
  readonly #update;
  readonly #delete;

  constructor(database: Database) {
    this.#unchanged = new Unchanged<TemplateRecord>(changesOf(database));
    this.#list = database.prepare(`SELECT ${SUMMARY} FROM templates WHERE domain_id = ? ORDER BY name`);
    this.#count = database.prepare("SELECT count(*) AS total FROM templates WHERE domain_id = ?");
    this.#find = database.prepare(
      `SELECT ${SUMMARY}, html_body, text_body FROM templates WHERE domain_id = ? AND name = ?`,
    );
    this.#insert = database.prepare(`
      INSERT INTO templates (domain_id, name, description, subject, html_body, text_body, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#update = database.prepare(`
      UPDATE templates SET name = ?, description = ?, subject = ?, html_body = ?, text_body = ?, updated_at = ? WHERE id = ?`);
    this.#delete = database.prepare("DELETE FROM templates WHERE id = ?");
  }

  /** Clears the cache after changes were rolled back. */
  forget(): void {
    this.#unchanged.forget();
  }

  list(domainId: number): TemplateSummaryRecord[] {
    return this.#list.all(domainId).map((columns) => summaryRow.parse(columns));
  }

  count(domainId: number): number {
    return Number(this.#count.get(domainId)?.["total"]);
  }

  find(domainId: number, name: string): TemplateRecord | undefined {
    return this.#unchanged.get(`${domainId} ${name}`, () => {
      const columns = this.#find.get(domainId, name);
      return columns && row.parse(columns);
    });
  }

  create(domainId: number, fields: TemplateColumns, now: number): void {
    this.#insert.run(
      domainId,
      fields.name,
      fields.description,
      fields.subject,
      fields.html_body,
      fields.text_body,
      now,
      now,
    );
  }

  update(id: number, fields: TemplateColumns, now: number): void {
    this.#update.run(fields.name, fields.description, fields.subject, fields.html_body, fields.text_body, now, id);
  }

  delete(id: number): void {
    this.#delete.run(id);
  }
}
