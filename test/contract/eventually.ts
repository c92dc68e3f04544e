import { setTimeout as sleep } from "node:timers/promises";

const ATTEMPTS = 30;

/** What a check gives once it passes: what a real account does after it has answered may take seconds to be seen. */
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
