import type { SourcePosition } from "../diagnostic.js";
import type { Bundle } from "./module-bundle.js";
import type { Reads } from "./reads.js";

/** What the worker offers to a task that runs in it. */
export interface TaskContext {
  /**
   * Imports a bundle and returns its exports. Bundles with the same content are imported once per worker.
   *
   * @example
   * const { default: Component } = await context.load(bundle);
   */
  load(bundle: Bundle): Promise<Readonly<Record<string, unknown>>>;
  /** The same, but runs its own modules again. */
  loadAgain(bundle: Bundle): Promise<Readonly<Record<string, unknown>>>;
  /**
   * The innermost position in the user's own modules on an error's stack. Pass a new error to get the position of the
   * current call.
   */
  positionOf(error: Error): SourcePosition | undefined;
  /** What user code has read since the task began, or since the last call. */
  reads(): Reads;
}

/** A lettershop function that runs in the same worker as user code. Input and output are cloned. */
export type TaskFunction<Input, Output> = (input: Input, context: TaskContext) => Promise<Output> | Output;

/**
 * Refers to such a function by the compiled file that exports it.
 *
 * @example
 * import type { renderComponent } from "./render-task.js";
 * const RENDER: Task<typeof renderComponent> = { module: new URL("./render-task.js", import.meta.url), name: "renderComponent" };
 */
export interface Task<F extends TaskFunction<never, unknown>> {
  readonly module: URL;
  readonly name: string;
  /** Never set: carries the types. */
  readonly types?: F;
}

export type TaskInput<F> = F extends TaskFunction<infer Input, unknown> ? Input : never;
export type TaskOutput<F> = F extends (...parameters: never) => infer Output ? Awaited<Output> : never;
