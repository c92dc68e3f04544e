import { inIdle } from "../state/idle.js";

const waiting = new Map<object, () => void>();
let isBusy = false;
let typedAt = Number.NEGATIVE_INFINITY;

/** Between two keys of somebody who types. */
const TYPING_MS = 300;
/** Whoever types without a rest still sees what comes of it. */
const PATIENCE_MS = 200;

document.addEventListener("input", () => (typedAt = performance.now()), true);

/**
 * Does something for the first who asks at once, and for the others one after the other, so that the first pane changes
 * before the last one is done. While somebody types, all of it waits for the keys. Who asks again meanwhile is served once,
 * with what was asked last.
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
