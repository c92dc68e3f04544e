import type { SourcePosition } from "../diagnostic.js";
import type { Bundle } from "./bundle.js";
import type { Place } from "../mustache/expression/localised.js";
import type { Reads } from "./module-inputs.js";
import type { TaskWorker } from "./task-worker.js";
import type { Request } from "./worker.js";

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

/** The caller aborted a task with `ModuleHost.interrupt`; this is not an error in the code that it ran. */
export class Interruption extends Error {}

/** An earlier task has ended the worker before this one ran. */
export class NotRunError extends Error {}

export interface ModuleHostOptions {
  /** Where bundles are written for importing; within the project, so that its packages resolve. Created if missing. */
  readonly cacheFolder: string;
  /** The environment variables that user code sees, in addition to NODE_ENV, which is always `production`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Heap limit of user code in megabytes. Default 512, three times what Tailwind needs. */
  readonly memoryMb?: number;
  /** Sets the clock of user code more than a year ahead. Default false. */
  readonly later?: boolean;
  /** Receives what user code prints, at most 64 kB for each task. Without it, the output is discarded. */
  readonly onOutput?: (text: string) => void;
}

export interface TaskRunOptions {
  /** Time limit for user code in milliseconds, after which the task is aborted and its worker replaced. Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * Defaults of user code that formats without naming a locale or time zone, instead of the machine's. Without it, those of
   * the previous task; at first `en-US` and `UTC`.
   */
  readonly place?: Place;
}

/** Runs user code, one task at a time, in a worker, so that it can't crash the command. */
export interface ModuleHost {
  /**
   * @throws {ModuleError} User code threw, rejected, exited, timed out or used too much memory.
   * @throws {Interruption} The task was aborted by `interrupt`.
   */
  run<F extends TaskFunction<never, unknown>>(
    task: Task<F>,
    input: TaskInput<F>,
    options?: TaskRunOptions,
  ): Promise<TaskOutput<F>>;
  /** How long the user code of the current task has been running, in milliseconds; 0 if no task is running. */
  busyMs(): number;
  /** Aborts the current task and its worker; waiting tasks get another worker. */
  interrupt(): void;
  /** A host with the same options and its own worker, without leftovers from earlier tasks. */
  another(changes?: Pick<ModuleHostOptions, "later">): ModuleHost;
  /** Ends the worker after the current tasks, to free its memory. The next task starts another one. */
  rest(): Promise<void>;
  /** Ends the worker. Unfinished tasks reject. */
  close(): Promise<void>;
}

/** Every imported module version stays in the worker's memory, so the worker is replaced regularly. */
const RUNS_PER_WORKER = 500;

/** Number of tasks sent to the worker in advance, so that it needn't wait while this thread is busy. */
const AT_HAND = 4;

/** Whether a worker has ended because it had used up its memory. */
export function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/**
 * @example
 * const host = createModuleHost({ cacheFolder: path.join(project.dataFolder, "modules"), env });
 * try {
 *   const html = await host.run(RENDER, { bundle, props });
 * } finally {
 *   await host.close();
 * }
 */
export function createModuleHost(options: ModuleHostOptions): ModuleHost {
  const { cacheFolder, env = {}, memoryMb = 512, later = false, onOutput } = options;
  let worker: TaskWorker | undefined;
  let recent: readonly Promise<unknown>[] = Array.from({ length: AT_HAND }, () => Promise.resolve());
  let lastPlace: Place = { locale: "en-US", timeZone: "UTC" };
  let closed = false;

  async function usableWorker(place: Place): Promise<TaskWorker> {
    // Loaded lazily: most commands find all results in the cache and run no task.
    const { TaskWorker } = await import("./task-worker.js");
    while (worker && !(worker.takes(place) && worker.runs < RUNS_PER_WORKER)) {
      const previous = worker;
      await previous.rest();
      if (worker === previous) worker = undefined;
    }
    if (closed) throw new Error("The module host is closed.");
    worker ??= new TaskWorker({ cacheFolder, env, memoryMb, later, onOutput, place });
    return worker;
  }

  async function runNow<Output>(
    request: Request,
    runOptions: Required<TaskRunOptions>,
    again = false,
  ): Promise<Output> {
    const taken = await usableWorker(runOptions.place);
    try {
      return await taken.run<Output>(request, runOptions.timeoutMs);
    } catch (error) {
      if (closed) throw new Error("The module host was closed.", { cause: error });
      if (error instanceof NotRunError) return runNow(request, runOptions, again);
      // Earlier tasks may have used up the memory: try again in a fresh worker.
      const cause = error instanceof Error ? error.cause : undefined;
      if (!again && taken.runs > AT_HAND && isOutOfMemory(cause)) return runNow(request, runOptions, true);
      throw error;
    }
  }

  return {
    run<F extends TaskFunction<never, unknown>>(
      { module, name }: Task<F>,
      input: TaskInput<F>,
      { timeoutMs = 30_000, place = lastPlace }: TaskRunOptions = {},
    ): Promise<TaskOutput<F>> {
      lastPlace = place;
      const [before, ...others] = recent;
      const result = Promise.resolve(before).then(() =>
        runNow<TaskOutput<F>>({ module: module.href, name, input }, { timeoutMs, place }),
      );
      recent = [...others, result.catch(() => {})]; // The caller handles the rejection.
      return result;
    },

    busyMs: () => worker?.busyMs() ?? 0,
    interrupt: () => worker?.interrupt(),

    another: (changes) => createModuleHost({ ...options, ...changes }),

    async rest() {
      await Promise.all(recent);
      await worker?.end();
    },

    async close() {
      closed = true;
      await worker?.end();
      await Promise.all(recent);
    },
  };
}
