const waiting = new Map<object, () => void>();
let isBusy = false;

/**
 * Does something for the first who asks at once, and for the others one after the other, so that whoever types sees the
 * first pane change before the last one is done. Who asks again meanwhile is served once, with what was asked last.
 */
export function takeTurn(who: object, work: () => void): void {
  if (isBusy) {
    waiting.set(who, work);
    return;
  }
  isBusy = true;
  setTimeout(next);
  work();
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
