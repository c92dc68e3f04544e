import { z } from "zod";
import type { Database } from "../../sqlite/driver.js";
import { offsetOf, type PageRange } from "./page.js";
import { prepareNumber, prepareQuery } from "./statements.js";

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
export function credentialStore(database: Database) {
  const list = prepareQuery(
    database,
    row,
    `SELECT ${COLUMNS} FROM credentials WHERE domain_id = ? ORDER BY username_key LIMIT ? OFFSET ?`,
  );
  const count = prepareNumber(database, "SELECT count(*) FROM credentials WHERE domain_id = ?");
  const find = prepareQuery(
    database,
    row,
    `SELECT ${COLUMNS} FROM credentials WHERE domain_id = ? AND username_key = ?`,
  );
  const insert = prepareQuery(
    database,
    row,
    `INSERT INTO credentials (domain_id, username, username_key, password_hash, created_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (domain_id, username_key) DO NOTHING RETURNING ${COLUMNS}`,
  );
  const setPassword = database.prepare("UPDATE credentials SET password_hash = ? WHERE id = ?");
  const countUse = database.prepare("UPDATE credentials SET usage = usage + 1 WHERE id = ?");
  const remove = database.prepare("DELETE FROM credentials WHERE id = ?");

  return {
    /** A page of a domain's credentials, sorted by user name. */
    list: (domainId: number, page: PageRange) => list.all(domainId, page.limit, offsetOf(page)),
    count: (domainId: number) => count(domainId),
    find: (domainId: number, username: string) => find.first(domainId, username.toLowerCase()),
    /** Adds a credential. Undefined if the domain already has one with this user name. */
    create: (domainId: number, username: string, passwordHash: string, now: number) =>
      insert.first(domainId, username, username.toLowerCase(), passwordHash, now),
    setPassword(id: number, passwordHash: string): void {
      setPassword.run(passwordHash, id);
    },
    /** Counts one email that was sent with it. */
    countUse(id: number): void {
      countUse.run(id);
    },
    delete(id: number): void {
      remove.run(id);
    },
  };
}
