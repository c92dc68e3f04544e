import { setImmediate as immediate } from "node:timers/promises";

/** Does some work for each item, as many at a time as there are lanes. */
export async function inLanes<Item>(
  items: Iterable<Item>,
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      await work(next.value);
      await turn();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

let last: Promise<void> = Promise.resolve();

/**
 * Compiling MJML waits for nothing: without turns, the worker's answers would have to. One after the other, for lanes
 * that take theirs at once let the answers wait for all of them.
 */
function turn(): Promise<void> {
  last = last.then(() => immediate());
  return last;
}
