/** The time and the random numbers that user code in this thread reads. */
export interface Moment {
  readonly now: () => number;
  readonly random: () => number;
}

const real: Moment = { now: Date.now, random: Math.random };
let current = real;

/** 590 days, 11 hours and more: another year, season, day of the month, day of the week and half of the day. */
const LATER_MS = 51_017_827_001;

export const LATER: Pick<Moment, "now"> = { now: () => real.now() + LATER_MS };

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
export function now(): number {
  count += 1;
  return current.now();
}

/** What `Math.random` returns to user code. */
export function random(): number {
  count += 1;
  return current.random();
}
