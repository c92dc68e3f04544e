import { setImmediate as turn } from "node:timers/promises";

/** As many are at work at a time: enough to keep the worker busy, and few in memory. */
const LANES = 3;

/** Does some work for each item, a few at a time. */
export async function inLanes<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      await work(next.value);
      // Compiling MJML waits for nothing: without a turn, the worker's answers would have to.
      await turn();
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
