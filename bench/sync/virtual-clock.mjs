// @ts-check
import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** The number of idle turns of the event loop before the time advances: enough for a chain of promises to settle. */
const QUIET_TURNS = 10;

/**
 * The clock of a service and its client. It stands still while anything is in progress. When everything is waiting, it jumps to
 * the next timer. A run's duration is therefore exactly its waiting time.
 *
 * @example
 * const time = createVirtualClock(service.clock);
 * const client = createClient({ …, clock: time, onRequest: time.begin, onResponse: time.end });
 * await time.run(() => client.templates.list(domain));
 *
 * @param {import("../../dist/service/index.js").RunningService["clock"]} clock A clock that advances only when told to.
 */
export function createVirtualClock(clock) {
  /** @type {Set<{ readonly at: number, readonly callback: () => void }>} */
  const timers = new Set();
  let inProgress = 0;

  const now = () => clock.now();
  /** @param {number} milliseconds @param {() => void} callback */
  const after = (milliseconds, callback) => {
    const timer = { at: now() + milliseconds, callback };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const begin = () => void (inProgress += 1);
  const end = () => void (inProgress -= 1);

  const isQuiet = async () => {
    for (let turn = 0; turn < QUIET_TURNS; turn += 1) {
      if (inProgress > 0) return false;
      await nextTurn();
    }
    return inProgress === 0;
  };
  const jump = () => {
    const [next] = [...timers].sort((one, other) => one.at - other.at);
    if (next === undefined) return false;
    timers.delete(next);
    clock.advance(Math.max(0, Math.ceil(next.at - now())));
    next.callback();
    return true;
  };

  return {
    now,
    after,
    begin,
    end,
    /**
     * @param {number} milliseconds
     * @returns {Promise<void>}
     */
    wait: (milliseconds) => new Promise((resolve) => void after(milliseconds, resolve)),
    /**
     * Does some work while the clock stands still.
     *
     * @template Result
     * @param {() => Promise<Result>} work
     */
    async hold(work) {
      begin();
      try {
        return await work();
      } finally {
        end();
      }
    },
    /**
     * Does work that waits for this clock, and resolves to its result. Meanwhile `performance.now` also returns this time.
     *
     * @template Result
     * @param {() => Promise<Result>} work
     */
    async run(work) {
      // Hides the inherited `now`.
      Object.defineProperty(performance, "now", { value: now, configurable: true });
      const ended = new AbortController();
      try {
        const result = work().finally(() => ended.abort());
        // A failure is reported by the `await` below.
        result.catch(() => undefined);
        while (!ended.signal.aborted) if (!((await isQuiet()) && jump())) await sleep(1);
        return await result;
      } finally {
        Reflect.deleteProperty(performance, "now");
      }
    },
  };
}

/** @typedef {ReturnType<typeof createVirtualClock>} VirtualClock */
