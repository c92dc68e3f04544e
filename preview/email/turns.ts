import { inIdle } from "../state/window.js";

const waiting = new Map<object, () => void>();
let isBusy = false;
let typedAt = Number.NEGATIVE_INFINITY;

/** Maximum time in ms between two key presses of continuous typing. */
const TYPING_MS = 300;
/** Maximum delay in ms, so that someone who types without a pause still sees updates. */
const PATIENCE_MS = 200;

document.addEventListener("input", () => (typedAt = performance.now()), true);

/**
 * Runs the first caller's work at once and queues the others, so that the first pane changes before the last one is
 * done. While the user types, all work waits for a pause. A caller that asks again while it waits runs once, with its
 * latest work.
 */
export function takeTurn(who: object, work: () => void): void {
  const isTyping = performance.now() - typedAt < TYPING_MS;
  if (isBusy || isTyping) waiting.set(who, work);
  if (isBusy) return;
  isBusy = true;
  if (isTyping) {
    inIdle(next, PATIENCE_MS);
  } else {
    setTimeout(next);
    work();
  }
}

export function leaveTurn(who: object): void {
  waiting.delete(who);
}

function next(): void {
  const [entry] = waiting;
  isBusy = entry !== undefined;
  if (!entry) return;
  const [who, work] = entry;
  waiting.delete(who);
  setTimeout(next);
  work();
}
