/** The clock that calls are paced by. */
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
