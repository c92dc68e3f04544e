/** The service's time. Rate limits, log entries and emails use it instead of the machine's clock. */
export interface ServiceClock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Moves the time forward.
   *
   * @throws RangeError for a negative or fractional number of milliseconds: time never goes back.
   */
  advance(milliseconds: number): void;
}

/**
 * The machine's time plus the time it was advanced by.
 *
 * @example
 * const service = await startService({ data: ":memory:" });
 * service.clock.advance(60_000); // a minute later: the rate limits' windows are empty
 */
export function runningClock(): ServiceClock {
  let advanced = 0;
  return {
    now: () => Date.now() + advanced,
    advance(milliseconds) {
      advanced += checked(milliseconds);
    },
  };
}

/**
 * A clock that stands still until it is advanced.
 *
 * @example
 * const clock = frozenClock(Date.parse("2026-11-20T10:00:00Z"));
 */
export function frozenClock(at: number): ServiceClock {
  let now = checked(at);
  return {
    now: () => now,
    advance(milliseconds) {
      now += checked(milliseconds);
    },
  };
}

function checked(milliseconds: number): number {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
    throw new RangeError(`${milliseconds} is not a valid number of milliseconds.`);
  }
  return milliseconds;
}

/** Moves the clock forward to a time if it is behind it. */
export function advanceTo(clock: ServiceClock, time: number): void {
  const behind = time - clock.now();
  if (behind > 0) clock.advance(behind);
}

/** The same clock with a callback that runs after each advance. */
export function notifyingClock(clock: ServiceClock, moved: () => void): ServiceClock {
  return {
    now: () => clock.now(),
    advance(milliseconds) {
      clock.advance(milliseconds);
      moved();
    },
  };
}
