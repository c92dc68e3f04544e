import type { Clock } from "../clock.js";
import type { Queries } from "./sqlite-file.js";

/** The table has the name that it got when only the pace used it. */
export const TIME_SCHEMA = `
  CREATE TABLE IF NOT EXISTS pace_time (
    id INTEGER PRIMARY KEY CHECK (id = 1), time REAL NOT NULL, wall REAL NOT NULL, monotone REAL NOT NULL
  ) STRICT;
`;

/**
 * A clock that all processes of a machine share through their file. It never goes back, and never runs faster than time
 * does, so that setting the system clock neither frees slots nor blocks them. Each process uses its own monotonic
 * clock, starting at its first reading. For the time before that, the smaller of the wall clock's and the monotonic
 * clock's difference counts. After a reboot, the monotonic clock says nothing about it.
 */
export class MachineTime {
  #known: { readonly time: number; readonly monotone: number } | undefined;

  constructor(
    private readonly sql: Queries,
    private readonly clock: Clock,
  ) {}

  /** Must be called within a transaction. */
  now(): number {
    const reading = this.#look();
    this.sql.run("INSERT OR REPLACE INTO pace_time VALUES (1, ?, ?, ?)", reading.time, reading.wall, reading.monotone);
    this.#known = reading;
    return reading.time;
  }

  /** Like `now`, but without writing it down, so that it does not affect other processes. */
  peek(): number {
    return this.#look().time;
  }

  #look(): { readonly time: number; readonly wall: number; readonly monotone: number } {
    const [wall, monotone] = [this.clock.time(), this.clock.now()];
    const latest = this.sql.get("SELECT time, wall, monotone FROM pace_time WHERE id = 1") ?? {
      time: wall,
      wall,
      monotone,
    };
    const elapsed = (since: unknown, now: number) => now - Number(since);
    const elapsedBefore = () => {
      const byMonotone = elapsed(latest["monotone"], monotone);
      const byWall = elapsed(latest["wall"], wall);
      return Number(latest["time"]) + Math.max(0, byMonotone < 0 ? byWall : Math.min(byWall, byMonotone));
    };
    const own =
      this.#known === undefined ? elapsedBefore() : this.#known.time + elapsed(this.#known.monotone, monotone);
    return { time: Math.max(Number(latest["time"]), own), wall, monotone };
  }
}
