import type { SourcePosition } from "../diagnostic.js";

/*
 * The messages between a host and its worker: plain data, because they are cloned.
 */

/** Passed to the worker when it starts. */
export interface WorkerSetup {
  /** Where it writes the bundles that it imports. */
  readonly folder: string;
  /** Whether its clock is more than a year ahead. */
  readonly later: boolean;
}

/** A task to run. The worker runs one at a time, in order of arrival. */
export interface Request {
  /** URL of the compiled file that exports the task. */
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
}

/** @typeParam Output The task's result. */
export type Message<Output> =
  /** The task has started. */
  | { readonly kind: "started" }
  /** A user's module is about to run: the one to blame if the worker stops responding. */
  | { readonly kind: "loading"; readonly file: string }
  | TaskEnding<Output>;

/** How a task ended, as reported by the worker. */
export type TaskEnding<Output> =
  | ({ readonly kind: "done"; readonly value: Output } & Aftermath)
  | ({ readonly kind: "failed"; readonly failure: Failure } & Aftermath);

interface Aftermath {
  /** What user code printed. */
  readonly output: string;
  /** Whether something is still active in the worker (a timer, a server), so that it should be ended. */
  readonly restless: boolean;
}

/** Whether the worker can run the next task. */
export function leavesWorkerFit(ending: object): boolean {
  return "restless" in ending && ending.restless === false;
}

/** An error sent from the worker. */
export interface Failure {
  readonly message: string;
  readonly hint?: string;
  readonly stack?: string;
  /** Whether the user's code is to blame rather than lettershop. */
  readonly inUserCode: boolean;
  /** The position in the user's own modules, if the stack shows one. */
  readonly at?: SourcePosition;
}
