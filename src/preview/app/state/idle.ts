/** By then the first email is drawn, as a rule. */
const START_MS = 2_000;

const waiting: (() => Promise<void>)[] = [];

setTimeout(rest, START_MS);

/** Does something when the page has come up and nobody waits for it, one thing at a time. */
export function whenIdle(work: () => Promise<void>): void {
  waiting.push(work);
}

function rest(): void {
  const [work] = waiting.splice(0, 1);
  if (work) inIdle(() => void work().finally(rest));
}

/** Does something when the browser has nothing else to do, or at the latest when that patience is at an end. */
export function inIdle(work: () => void, patience?: number): void {
  // Safari has none.
  if ("requestIdleCallback" in window) requestIdleCallback(work, patience === undefined ? {} : { timeout: patience });
  else setTimeout(work);
}
