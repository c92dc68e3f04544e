import type { Request } from "./protocol.js";
import type { TaskWorker } from "./task-worker.js";
import type { Task, TaskFunction, TaskInput, TaskOutput } from "./task.js";

export interface ModuleHostOptions {
  /** Where bundles are written to be imported; within the project, so that its packages are found. Made when needed. */
  readonly cacheFolder: string;
  /** All the environment variables that user code sees, but for NODE_ENV, which is always `production`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Megabytes that the objects of user code may take. Default 512, three times what Tailwind takes. */
  readonly memoryMb?: number;
  /** Lets user code see a clock that is more than a year ahead. Default false. */
  readonly later?: boolean;
  /** Given what user code printed, at most 64 kB of it for each task. Without it, that is dropped. */
  readonly onOutput?: (text: string) => void;
}

export interface RunOptions {
  /** Milliseconds of user code after which the task is given up and its worker replaced. Default 30,000. */
  readonly timeoutMs?: number;
}

/** Runs user code, one task at a time, in a worker that it cannot take the command down with. */
export interface ModuleHost {
  /**
   * @throws {ModuleError} User code threw, rejected, exited, did not end in time or took too much memory.
   * @throws {Interruption} It was given up by `interrupt`.
   */
  run<F extends TaskFunction<never, unknown>>(
    task: Task<F>,
    input: TaskInput<F>,
    options?: RunOptions,
  ): Promise<TaskOutput<F>>;
  /** For how many milliseconds the user's code of the task that is being run has been; 0 where there is none. */
  busyMs(): number;
  /** Gives up the task that is being run, with its worker; those that wait for it get another one. */
  interrupt(): void;
  /** A host of the same kind, with a worker of its own and so with nothing left from earlier tasks. */
  another(changes?: Pick<ModuleHostOptions, "later">): ModuleHost;
  /** Ends the worker when all tasks have ended, and gives its memory back. The next task gets another one. */
  rest(): Promise<void>;
  /** Ends the worker. Tasks that have not ended reject. */
  close(): Promise<void>;
}

/** Each module version that was ever imported stays in a worker's memory, so that it is renewed now and then. */
const RUNS_PER_WORKER = 500;

/** As many tasks are with the worker at a time: while this thread is busy, it needn't wait for the next. */
const AT_HAND = 4;

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
  let closed = false;

  async function fitWorker(): Promise<TaskWorker> {
    const { TaskWorker } = await import("./task-worker.js");
    const former = worker;
    if (former && (!former.alive || former.runs >= RUNS_PER_WORKER)) {
      await former.rest();
      if (worker === former) worker = undefined;
    }
    if (closed) throw new Error("The module host is closed.");
    worker ??= new TaskWorker({ cacheFolder, env, memoryMb, later });
    return worker;
  }

  async function runNow<Output>(request: Request, timeoutMs: number, again = false): Promise<Output> {
    // Most commands find all that they need in the cache, and run nothing.
    const { isOutOfMemory, valueOf } = await import("./ending.js");
    const taken = await fitWorker();
    const { ending, file } = await taken.run<Output>(request, timeoutMs);
    if (!taken.alive) await taken.end();
    if (closed) throw new Error("The module host was closed.");
    if (ending.kind === "not run") return runNow(request, timeoutMs, again);
    // The memory may have been taken by what ran there before.
    if (!again && taken.runs > AT_HAND && isOutOfMemory(ending)) return runNow(request, timeoutMs, true);
    if ("output" in ending && ending.output !== "") onOutput?.(ending.output);
    return valueOf(ending, { file, timeoutMs, memoryMb });
  }

  return {
    run<F extends TaskFunction<never, unknown>>(
      { module, name }: Task<F>,
      input: TaskInput<F>,
      { timeoutMs = 30_000 }: RunOptions = {},
    ): Promise<TaskOutput<F>> {
      const [before, ...others] = recent;
      const result = Promise.resolve(before).then(() =>
        runNow<TaskOutput<F>>({ module: module.href, name, input }, timeoutMs),
      );
      recent = [...others, result.catch(() => {})]; // whoever asked is told
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
