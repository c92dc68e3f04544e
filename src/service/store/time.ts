import type { Database } from "../../sqlite/driver.js";

/** Queries for stored times of the service. In the log, the newest times come last. */
const TIMES = [
  "SELECT time FROM reached",
  "SELECT created_at FROM (SELECT created_at FROM log_entries ORDER BY seq DESC LIMIT 1)",
  "SELECT created_at FROM (SELECT created_at FROM log_events ORDER BY seq DESC LIMIT 1)",
  "SELECT max(created_at) FROM credentials",
  ...["templates", "domains", "aliases", "rules"].map((table) => `SELECT max(updated_at) FROM ${table}`),
];

/** The service's latest time, from which the next start continues. */
export class TimeStore {
  readonly #keep;
  readonly #newest;

  constructor(database: Database) {
    this.#keep = database.prepare(`
      INSERT INTO reached (id, time) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET time = max(time, excluded.time)`);
    this.#newest = database.prepare(`SELECT coalesce(max(time), 0) AS time FROM (${TIMES.join(" UNION ALL ")})`);
  }

  /** Records a time of the service, in milliseconds since 1970. */
  keep(time: number): void {
    this.#keep.run(time);
  }

  /** The latest time that was recorded or that anything in the store has; 0 if there is none. */
  newest(): number {
    return Number(this.#newest.get()?.["time"]);
  }
}
