// @ts-check
import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** Turns of the event loop in which nothing goes on before time moves: enough for one promise to settle after another. */
const QUIET_TURNS = 10;

/**
 * The time of a service and of its client alike. It stands still while anything is under way; when all wait for a moment
 * to come, it jumps to that moment. So a run takes exactly as long as it has to wait.
 *
 * @example
 * const time = createVirtualClock(service.clock);
 * const client = createClient({ …, clock: time, onRequest: time.begin, onResponse: time.end });
 * await time.run(() => client.templates.list(domain));
 *
 * @param {import("../../dist/service/index.js").RunningService["clock"]} clock Stands still by itself.
 */
export function createVirtualClock(clock) {
  /** @type {Set<{ readonly at: number, readonly callback: () => void }>} */
  const timers = new Set();
  let underWay = 0;

  const now = () => clock.now();
  /** @param {number} milliseconds @param {() => void} callback */
  const after = (milliseconds, callback) => {
    const timer = { at: now() + milliseconds, callback };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const begin = () => void (underWay += 1);
  const end = () => void (underWay -= 1);

  const isQuiet = async () => {
    for (let turn = 0; turn < QUIET_TURNS; turn += 1) {
      if (underWay > 0) return false;
      await nextTurn();
    }
    return underWay === 0;
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
     * Time stands still for as long as this takes.
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
     * Does what waits for this clock, and resolves to its result. Meanwhile `performance.now` tells this time, too.
     *
     * @template Result
     * @param {() => Promise<Result>} work
     */
    async run(work) {
      // Hides the machine's, which the object inherits.
      Object.defineProperty(performance, "now", { value: now, configurable: true });
      const ended = new AbortController();
      try {
        const result = work().finally(() => ended.abort());
        // Whoever waits for the result hears of its failure below.
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
