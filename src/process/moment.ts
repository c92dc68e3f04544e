import type { SourcePosition } from "../diagnostic.js";

/** The time and the random numbers that user code in this thread reads. */
export interface Moment {
  /** @param at Where an own module reads it, or calls a package that does. */
  readonly now: (at?: SourcePosition) => number;
  readonly random: () => number;
}

const real: Moment = { now: Date.now, random: Math.random };
let current = real;

/** 590 days, 11 hours and more: another year, season, day of the month, day of the week and half of the day. */
const LATER_MS = 51_017_827_001;

export const LATER: Pick<Moment, "now"> = { now: () => real.now() + LATER_MS };

/** Two times of the present year. In every time zone, they differ in the month, both kinds of day, and the time of day. */
export function timesOfYear(): readonly [number, number] {
  const year = new Date(real.now()).getUTCFullYear();
  return [Date.UTC(year, 2, 9, 8, 15, 30, 125), Date.UTC(year, 8, 22, 21, 46, 53, 648)];
}

/** A moment that is the same whenever it is entered, in which every read takes a millisecond. */
export function repeatableMoment(timeAt: (at: SourcePosition | undefined) => number): Moment {
  let reads = 0;
  let seed = 1;
  return {
    now(at) {
      reads += 1;
      return timeAt(at) + reads;
    },
    random() {
      // A generator by Lehmer.
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    },
  };
}

/**
 * Lets user code read another time, or other random numbers.
 *
 * @example
 * const leave = enterMoment({ random: () => 0.5 });
 * try {
 *   shuffle(list);
 * } finally {
 *   leave();
 * }
 */
export function enterMoment(moment: Partial<Moment>): () => void {
  const before = current;
  current = { ...before, ...moment };
  return () => {
    current = before;
  };
}

let count = 0;

/** How often user code has read the time or a random number. */
export function readCount(): number {
  return count;
}

/** What `Date.now` returns to user code. */
export function now(at?: SourcePosition): number {
  count += 1;
  return current.now(at);
}

/** What `Math.random` returns to user code. */
export function random(): number {
  count += 1;
  return current.random();
}
