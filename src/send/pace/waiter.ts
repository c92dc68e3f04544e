import { randomUUID } from "node:crypto";
import type { Priority } from "./priority.js";

export interface WaitOptions {
  readonly priority: Priority;
  readonly first: boolean;
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
  /** How long its slot stays taken if the end of the request is never reported. */
  readonly holdMs: number;
}

export interface Granted {
  readonly slot: string;
  /** By `clock.now()`. */
  readonly askedAt: number;
}

/** A call that waits for a slot, until it is served or fails. */
export class Waiter {
  readonly id = randomUUID();
  readonly deadline: number;
  readonly granted: Promise<Granted>;
  waits = true;
  /** The place in the store's order, once known. */
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

  /** Adds callbacks for when it no longer waits. */
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
