import type { SourcePosition } from "../diagnostic.js";

/*
 * What a host and its worker say to each other: plain data, for it is cloned.
 */

/** Given to the worker when it starts. */
export interface WorkerSetup {
  /** Where it writes the bundles that it imports. */
  readonly folder: string;
  /** Whether its clock is more than a year ahead. */
  readonly later: boolean;
}

/** A task to run. The worker runs one at a time, in the order in which they come. */
export interface Request {
  /** URL of the compiled file that exports the task. */
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
}

/** @typeParam Output What the task gives. */
export type Message<Output> =
  /** The task is being run. */
  | { readonly kind: "started" }
  /** A user's module is about to run: what is to blame should nothing be heard any more. */
  | { readonly kind: "loading"; readonly file: string }
  | TaskEnding<Output>;

/** How a task ended, by its own word. */
export type TaskEnding<Output> =
  | ({ readonly kind: "done"; readonly value: Output } & Aftermath)
  | ({ readonly kind: "failed"; readonly failure: Failure } & Aftermath);

interface Aftermath {
  /** What user code printed. */
  readonly output: string;
  /** Whether something is still going on in the worker (a timer, a server), so that it had better end. */
  readonly restless: boolean;
}

/** Whether the next task may run in the same worker. */
export function leavesWorkerFit(ending: object): boolean {
  return "restless" in ending && ending.restless === false;
}

/** An error on its way out of the worker. */
export interface Failure {
  readonly message: string;
  readonly hint?: string;
  readonly stack?: string;
  /** Whether the user's code is to blame, and not lettershop's. */
  readonly inUserCode: boolean;
  /** Where in the user's own modules, as far as the stack tells. */
  readonly at?: SourcePosition;
}
