import type { Database } from "../../sqlite/driver.js";

/** Where there are times that were the service's when they were written; of the log, the newest stand last. */
const TIMES = [
  "SELECT time FROM reached",
  "SELECT created_at FROM (SELECT created_at FROM log_entries ORDER BY seq DESC LIMIT 1)",
  "SELECT created_at FROM (SELECT created_at FROM log_events ORDER BY seq DESC LIMIT 1)",
  "SELECT max(created_at) FROM credentials",
  ...["templates", "domains", "aliases", "rules"].map((table) => `SELECT max(updated_at) FROM ${table}`),
];

/** How far the service's time has come: the next start goes on from there. */
export class TimeStore {
  readonly #keep;
  readonly #newest;

  constructor(database: Database) {
    this.#keep = database.prepare(`
      INSERT INTO reached (id, time) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET time = max(time, excluded.time)`);
    this.#newest = database.prepare(`SELECT coalesce(max(time), 0) AS time FROM (${TIMES.join(" UNION ALL ")})`);
  }

  /** Notes a time that was the service's, in milliseconds since 1970. */
  keep(time: number): void {
    this.#keep.run(time);
  }

  /** The newest time that was noted, or that anything in the store has; 0 where there is none. */
  newest(): number {
    return Number(this.#newest.get()?.["time"]);
  }
}
