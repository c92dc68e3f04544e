import { setTimeout as sleep } from "node:timers/promises";

const ATTEMPTS = 30;

/** Retries a check until it passes and returns its result: effects on a real account may take seconds to appear. */
export async function eventually<Result>(check: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    try {
      return await check();
    } catch {
      await sleep(100 * attempt);
    }
  }
  return await check();
}
