import type { Clock } from "../clock.js";
import type { Database } from "../../sqlite/driver.js";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long log entries are kept: the account's number of days, by the service's clock. */
export class LogRetention {
  readonly #clock;
  readonly #days;
  readonly #domains;
  readonly #delete;

  constructor(database: Database, clock: Clock) {
    this.#clock = clock;
    this.#days = database.prepare(`
      SELECT json_extract(profile, '$.email_log_retention_days') AS days
      FROM domains JOIN accounts ON accounts.id = account_id WHERE domains.id = ?`);
    this.#domains = database.prepare("SELECT id FROM domains");
    this.#delete = database.prepare(`
      DELETE FROM log_entries WHERE seq IN (
        SELECT seq FROM log_entries WHERE domain_id = ? AND created_at < ? ORDER BY created_at LIMIT ?
      ) RETURNING id`);
  }

  /** The time from which the domain's entries are kept. */
  horizon(domainId: number): number {
    return this.#clock.now() - Number(this.#days.get(domainId)?.["days"]) * DAY_MS;
  }

  /**
   * Deletes expired entries, at most `limit`, and returns their ids. An email is deleted with the last of its entries.
   */
  deleteExpired(limit: number): string[] {
    const deleted: string[] = [];
    for (const { id } of this.#domains.all()) {
      if (deleted.length === limit) break;
      const rows = this.#delete.all(Number(id), this.horizon(Number(id)), limit - deleted.length);
      deleted.push(...rows.map((columns) => String(columns["id"])));
    }
    return deleted;
  }
}
