import { randomUUID } from "node:crypto";
import type { Priority } from "./priority.js";

export interface WaitOptions {
  readonly priority: Priority;
  readonly first: boolean;
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
  /** How long its slot is taken where nobody says what became of the request. */
  readonly holdMs: number;
}

export interface Granted {
  readonly slot: string;
  /** By `clock.now()`. */
  readonly askedAt: number;
}

/** One that waits for a slot, until it is served or fails. */
export class Waiter {
  readonly id = randomUUID();
  readonly deadline: number;
  readonly granted: Promise<Granted>;
  waits = true;
  /** In the store's order, once that has told it. */
  place: number | undefined;
  #resolve!: (granted: Granted) => void;
  #reject!: (error: unknown) => void;
  readonly #ended: (() => void)[] = [];

  constructor(
    readonly options: WaitOptions,
    now: number,
  ) {
    this.deadline = now + options.maxWaitMs;
    this.granted = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** What to do when it waits no more. */
  atEnd(...calls: (() => void)[]): void {
    this.#ended.push(...calls);
  }

  serve(granted: Granted): void {
    this.#end();
    this.#resolve(granted);
  }

  fail(error: unknown): void {
    this.#end();
    this.#reject(error);
  }

  #end(): void {
    this.waits = false;
    for (const call of this.#ended) call();
  }
}
