/** The clock that calls are paced and repeated by. */
export interface TimerClock {
  /** Monotonic milliseconds since any fixed time. */
  now(): number;
  /** Calls back once after this many milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The longest delay that timers support: 24 days. */
export const TIMER_MAX = 2 ** 31 - 1;

export const systemClock: TimerClock = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(Math.ceil(milliseconds), TIMER_MAX));
    return () => clearTimeout(timer);
  },
};

/**
 * Waits.
 *
 * @throws The signal's reason, immediately, when it is aborted.
 */
export async function sleep(clock: TimerClock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(milliseconds, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    signal?.addEventListener("abort", abort, { once: true });
  });
}

export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
  /** By which each pause is longer than the one before. Default 2. */
  readonly factor?: number;
}

/**
 * Milliseconds until the next try.
 *
 * @param tries Number of tries so far, from 1.
 */
export function backoff(tries: number, { firstMs, longestMs, factor = 2 }: Backoff): number {
  return Math.min(firstMs * factor ** (tries - 1), longestMs);
}
