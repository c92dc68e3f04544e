import { setTimeout as sleep } from "node:timers/promises";

/** Waits so many milliseconds, or until it is aborted, which rejects. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;

/** A time in which nothing is begun, unless there is something that somebody waits for. */
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
