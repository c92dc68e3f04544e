import { setTimeout as sleep } from "node:timers/promises";

/** A time in which nothing is begun, unless there is something that somebody waits for. */
export class Pause {
  #ending: AbortController | undefined;

  async for(ms: number): Promise<void> {
    this.#ending = new AbortController();
    await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    this.#ending = undefined;
  }

  end(): void {
    this.#ending?.abort();
  }
}
