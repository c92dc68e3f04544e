import { z } from "zod";
import { changesOf } from "./database.js";
import type { Database } from "../../sqlite/driver.js";
import { prepareNumber, prepareQuery } from "./statements.js";

/** Maximum number of cached records: tests and benchmarks need few, and each may take 200 kB. */
const CACHED_MAX = 50;

const summaryRow = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  subject: z.string(),
  createdAt: z.int(),
  updatedAt: z.int(),
});

const row = summaryRow.extend({ html_body: z.string(), text_body: z.string() });

/** A template without its bodies. */
export type TemplateSummaryRecord = Readonly<z.infer<typeof summaryRow>>;
export type TemplateRecord = Readonly<z.infer<typeof row>>;

/** The fields of a template that clients write. Every string is Mustache except the name and the description. */
export type TemplateColumns = Omit<TemplateRecord, "id" | "createdAt" | "updatedAt">;

const SUMMARY = "id, name, description, subject, created_at AS createdAt, updated_at AS updatedAt";

export function templateStore(database: Database) {
  /** Cached records, which are valid until anything is written. No other process writes to the database. */
  const found = new Map<string, TemplateRecord>();
  let foundAt = Number.NaN;
  const changes = changesOf(database);
  const list = prepareQuery(database, summaryRow, `SELECT ${SUMMARY} FROM templates WHERE domain_id = ? ORDER BY name`);
  const count = prepareNumber(database, "SELECT count(*) FROM templates WHERE domain_id = ?");
  const find = prepareQuery(
    database,
    row,
    `SELECT ${SUMMARY}, html_body, text_body FROM templates WHERE domain_id = ? AND name = ?`,
  );
  const insert = database.prepare(`
    INSERT INTO templates (name, description, subject, html_body, text_body, updated_at, domain_id, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const update = database.prepare(`
    UPDATE templates SET name = ?, description = ?, subject = ?, html_body = ?, text_body = ?, updated_at = ? WHERE id = ?`);
  const remove = database.prepare("DELETE FROM templates WHERE id = ?");

  return {
    /** Clears the cache after a rollback: records that were read in the transaction never existed. */
    forget: () => found.clear(),
    list: (domainId: number) => list.all(domainId),
    count: (domainId: number) => count(domainId),
    find(domainId: number, name: string): TemplateRecord | undefined {
      const now = changes();
      if (now !== foundAt || found.size >= CACHED_MAX) found.clear();
      foundAt = now;
      const key = `${domainId} ${name}`;
      const template = found.get(key) ?? find.first(domainId, name);
      if (template) found.set(key, template);
      return template;
    },
    create(domainId: number, fields: TemplateColumns, now: number): void {
      insert.run(...columnsOf(fields), now, domainId, now);
    },
    update(id: number, fields: TemplateColumns, now: number): void {
      update.run(...columnsOf(fields), now, id);
    },
    delete(id: number): void {
      remove.run(id);
    },
  };
}

function columnsOf({ name, description, subject, html_body, text_body }: TemplateColumns): string[] {
  return [name, description, subject, html_body, text_body];
}
