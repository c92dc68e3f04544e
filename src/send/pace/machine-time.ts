import type { Database, Statement } from "../../sqlite/driver.js";
import type { Clock } from "../clock.js";

/**
 * A time that all processes of a machine share, kept in their file: it never goes back, and no faster than time does, so
 * that a clock that is set neither frees slots nor holds them. Each process goes by its own monotone clock, from the
 * moment at which it first looked. How long before that nobody looked, wall and monotone clock have to agree on: the
 * lesser of the two counts. Where the machine was started anew in between, its monotone clock says nothing.
 */
export class MachineTime {
  readonly #clock: Clock;
  readonly #read: Statement;
  readonly #write: Statement;
  #known: { readonly time: number; readonly monotone: number } | undefined;

  constructor(database: Database, clock: Clock) {
    this.#clock = clock;
    this.#read = database.prepare("SELECT time, wall, monotone FROM pace_time WHERE id = 1");
    this.#write = database.prepare("INSERT OR REPLACE INTO pace_time (id, time, wall, monotone) VALUES (1, ?, ?, ?)");
  }

  /** To be asked within a transaction. */
  now(): number {
    const reading = this.#look();
    this.#write.run(reading.time, reading.wall, reading.monotone);
    this.#known = reading;
    return reading.time;
  }

  /** The same without writing it down, so that nobody else is bound by it. */
  peek(): number {
    return this.#look().time;
  }

  #look(): { readonly time: number; readonly wall: number; readonly monotone: number } {
    const [wall, monotone] = [this.#clock.time(), this.#clock.now()];
    const latest = this.#read.get() ?? { time: wall, wall, monotone };
    const elapsed = (since: unknown, now: number) => now - Number(since);
    const unseen = () => {
      const byMonotone = elapsed(latest["monotone"], monotone);
      const byWall = elapsed(latest["wall"], wall);
      return Number(latest["time"]) + Math.max(0, byMonotone < 0 ? byWall : Math.min(byWall, byMonotone));
    };
    const own = this.#known === undefined ? unseen() : this.#known.time + elapsed(this.#known.monotone, monotone);
    return { time: Math.max(Number(latest["time"]), own), wall, monotone };
  }
}
