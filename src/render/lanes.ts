import { setImmediate as immediate } from "node:timers/promises";

/** Processes items in parallel, with at most `lanes` at a time. */
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
 * Compiling MJML never yields by itself: without turns, the worker's answers would have to wait. Turns are sequential, because
 * answers would have to wait for all lanes that take theirs at once.
 */
function turn(): Promise<void> {
  last = last.then(() => immediate());
  return last;
}
