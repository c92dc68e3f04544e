import { setTimeout as sleep } from "node:timers/promises";

/** Waits for a number of milliseconds. Rejects when aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;

/** A pause in which no work starts, which ends early when a request waits. */
export class Pause {
  readonly #wait: Wait;
  #ending: AbortController | undefined;

  constructor(wait: Wait = (ms, signal) => sleep(ms, undefined, { signal })) {
    this.#wait = wait;
  }

  async for(ms: number): Promise<void> {
    this.#ending = new AbortController();
    await this.#wait(ms, this.#ending.signal).catch(() => undefined);
    this.#ending = undefined;
  }

  end(): void {
    this.#ending?.abort();
  }
}
