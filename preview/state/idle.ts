/** Delay in ms, after which the first email is usually on the screen. */
const START_MS = 2_000;

const waiting: (() => Promise<void>)[] = [];

setTimeout(rest, START_MS);

/** Runs work once the page has loaded and is idle, one task at a time. */
export function whenIdle(work: () => Promise<void>): void {
  waiting.push(work);
}

function rest(): void {
  const [work] = waiting.splice(0, 1);
  if (work) inIdle(() => void work().finally(rest));
}

/** Runs work when the browser is idle, or after `patience` ms at the latest. */
export function inIdle(work: () => void, patience?: number): void {
  // Safari does not have it.
  if ("requestIdleCallback" in window) requestIdleCallback(work, patience === undefined ? {} : { timeout: patience });
  else setTimeout(work);
}
