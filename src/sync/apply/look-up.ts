import type { State } from "./inspect.js";

/** After a lost answer: a slow service may yet do what it was asked, so that nothing is believed at the first look. */
const LOOKS_MS = [200, 800];
/** A look that fails is tried again after these. */
const RETRIES_MS = [500, 2_000, 5_000];

/**
 * Finds out whether a write had its effect whose answer was lost.
 *
 * @returns Undefined where that cannot be found out now.
 */
export async function lookUp(
  inspect: () => Promise<State>,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<State | undefined> {
  let state: State | undefined;
  for (const wait of LOOKS_MS) {
    await pause(wait);
    state = await persistently(inspect, pause);
    if (state?.is !== "todo") break;
  }
  return state;
}

async function persistently(
  inspect: () => Promise<State>,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<State | undefined> {
  for (const wait of [...RETRIES_MS, undefined]) {
    try {
      return await inspect();
    } catch {
      // That the write's own answer was lost is what is said in the end.
      if (wait !== undefined) await pause(wait);
    }
  }
  return undefined;
}
