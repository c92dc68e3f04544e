import type { SourcePosition } from "../diagnostic.js";
import type { Bundle } from "./module-bundle.js";
import type { Reads } from "./reads.js";

/** What a task can ask of the worker that it runs in. */
export interface TaskContext {
  /**
   * Imports a bundle and gives its exports. A bundle of the same content is imported once for each worker.
   *
   * @example
   * const { default: Component } = await context.load(bundle);
   */
  load(bundle: Bundle): Promise<Readonly<Record<string, unknown>>>;
  /** The same, but its own modules run once more. */
  loadAgain(bundle: Bundle): Promise<Readonly<Record<string, unknown>>>;
  /**
   * The innermost place in the user's own modules that an error's stack (or a new error's, for "where am I called
   * from") goes through.
   */
  positionOf(error: Error): SourcePosition | undefined;
  /** What user code asked of its surroundings since the task began, or since this was last called. */
  reads(): Reads;
}

/** A function that lettershop itself runs beside user code. Input and output cross threads: they are cloned. */
export type TaskFunction<Input, Output> = (input: Input, context: TaskContext) => Promise<Output> | Output;

/**
 * Names such a function by the compiled file that exports it.
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
