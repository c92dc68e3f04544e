import { z } from "zod";
import type { Database } from "../../sqlite/driver.js";
import { offsetOf, type PageRange } from "./page.js";

const row = z.object({
  id: z.int(),
  username: z.string(),
  passwordHash: z.string(),
  usage: z.int(),
  createdAt: z.int(),
});

export type CredentialRecord = Readonly<z.infer<typeof row>>;

const COLUMNS = "id, username, password_hash AS passwordHash, usage, created_at AS createdAt";

/** SMTP credentials. User names are case-insensitive. */
export class CredentialStore {
  readonly #list;
  readonly #count;
  readonly #find;
  readonly #insert;
  readonly #setPassword;
  readonly #countUse;
  readonly #delete;

  constructor(database: Database) {
    this.#list = database.prepare(
      `SELECT ${COLUMNS} FROM credentials WHERE domain_id = ? ORDER BY username_key LIMIT ? OFFSET ?`,
    );
    this.#count = database.prepare("SELECT count(*) AS total FROM credentials WHERE domain_id = ?");
    this.#find = database.prepare(`SELECT ${COLUMNS} FROM credentials WHERE domain_id = ? AND username_key = ?`);
    this.#insert = database.prepare(`
      INSERT INTO credentials (domain_id, username, username_key, password_hash, created_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (domain_id, username_key) DO NOTHING RETURNING ${COLUMNS}`);
    this.#setPassword = database.prepare("UPDATE credentials SET password_hash = ? WHERE id = ?");
    this.#countUse = database.prepare("UPDATE credentials SET usage = usage + 1 WHERE id = ?");
    this.#delete = database.prepare("DELETE FROM credentials WHERE id = ?");
  }

  /** A page of a domain's credentials, sorted by user name. */
  list(domainId: number, page: PageRange): CredentialRecord[] {
    return this.#list.all(domainId, page.limit, offsetOf(page)).map((columns) => row.parse(columns));
  }

  count(domainId: number): number {
    return Number(this.#count.get(domainId)?.["total"]);
  }

  find(domainId: number, username: string): CredentialRecord | undefined {
    const columns = this.#find.get(domainId, username.toLowerCase());
    return columns && row.parse(columns);
  }

  /** Adds a credential. Undefined if the domain already has one with this user name. */
  create(domainId: number, username: string, passwordHash: string, now: number): CredentialRecord | undefined {
    const columns = this.#insert.get(domainId, username, username.toLowerCase(), passwordHash, now);
    return columns && row.parse(columns);
  }

  setPassword(id: number, passwordHash: string): void {
    this.#setPassword.run(passwordHash, id);
  }

  /** Counts one email that was sent with it. */
  countUse(id: number): void {
    this.#countUse.run(id);
  }

  delete(id: number): void {
    this.#delete.run(id);
  }
}
