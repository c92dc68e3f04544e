import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Interruption } from "./host.js";
import { ModuleError } from "./module-error.js";
import { errorFacts, Thread, ThreadEndedError } from "./rpc.js";
import type { WorkerFailure } from "./failure.js";
import type { Request, TaskEnding, TaskHost, TaskRunner, WorkerSetup } from "./worker.js";

export interface TaskWorkerOptions {
  readonly cacheFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly memoryMb: number;
  readonly later: boolean;
}

/** How a task ended, as reported by the task itself or by the worker. */
export type TaskOutcome<Output> =
  | TaskEnding<Output>
  /** An earlier task ended the worker: run it in another one. */
  | { readonly kind: "not run" }
  | { readonly kind: "timeout" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "crashed"; readonly error: unknown }
  | { readonly kind: "exited" };

/** How a task ended, and the user's module that it loaded last. */
export interface FinishedTask<Output> {
  readonly ending: TaskOutcome<Output>;
  readonly file: string | undefined;
}

/** How long a very busy machine may take until a task has loaded lettershop's own modules. */
const BEGINNING_MS = 30_000;

const NOT_RUN: FinishedTask<never> = { ending: { kind: "not run" }, file: undefined };

interface Run {
  readonly timeoutMs: number;
  readonly resolve: (ended: FinishedTask<never>) => void;
  /** When the first of the user's modules was loaded. */
  started?: number;
  file?: string;
  timer?: NodeJS.Timeout;
}

/** One worker, from start to end. */
export class TaskWorker {
  readonly #folder: string;
  readonly #thread: Thread<TaskRunner>;
  /** Unfinished tasks; the first one is running. */
  readonly #runs: Run[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #over: Promise<void> | undefined;
  /** How many tasks it has received. */
  runs = 0;
  /** False once it can't run anything more. */
  alive = true;

  constructor({ cacheFolder, env, memoryMb, later }: TaskWorkerOptions) {
    this.#folder = path.join(cacheFolder, randomUUID());
    const setup: WorkerSetup = { folder: this.#folder, later };
    this.#thread = new Thread(new URL("./worker.js", import.meta.url), {
      title: "The worker of user code",
      workerData: setup,
      env: environmentOf(env),
      // Keeps output that escapes the worker's own capturing away from ours.
      stdout: true,
      stderr: true,
      // A small young generation: garbage from rendering is collected before it takes tens of megabytes.
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 8 },
      functions: {
        started: () => this.#start(),
        loading: (file: string) => this.#note(file),
        broken: (ending: TaskEnding<never>) => this.#end(ending),
      } satisfies TaskHost,
      onEnd: ({ cause }) => this.#end(cause === undefined ? { kind: "exited" } : { kind: "crashed", error: cause }),
    });
  }

  /**
   * Runs a task after the earlier ones.
   *
   * @param timeoutMs Counts from when the first of the user's modules is loaded: starting a worker and loading the task
   * depends on the machine, not on the user's code.
   */
  run<Output>(request: Request, timeoutMs: number): Promise<FinishedTask<Output>> {
    const ended = new Promise<FinishedTask<Output>>((resolve) => {
      if (!this.alive) return resolve(NOT_RUN);
      this.#runs.push({ timeoutMs, resolve });
      this.#thread.call("run", request).then(
        // Its value has the task's type.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        (ending) => this.#end(ending as TaskEnding<never>),
        (error: unknown) => {
          if (error instanceof ThreadEndedError) return; // `onEnd` has noted it.
          // The result could not be cloned.
          const failure = { ...errorFacts(error), inUserCode: false };
          this.#end({ kind: "failed", failure, output: "", restless: true });
        },
      );
    });
    this.runs += 1;
    this.#last = ended;
    return ended;
  }

  /** How long the user code of the current task has been running, in milliseconds; 0 if no task is running. */
  busyMs(): number {
    const [run] = this.#runs;
    return run?.started === undefined ? 0 : performance.now() - run.started;
  }

  /** Aborts the current task. Waiting tasks need another worker. */
  interrupt(): void {
    this.#end({ kind: "interrupted" });
  }

  /** Ends it after all its tasks. */
  async rest(): Promise<void> {
    await this.#last;
    await this.end();
  }

  /** Ends it now; waiting tasks don't run. */
  end(): Promise<void> {
    this.#over ??= this.#terminate();
    return this.#over;
  }

  async #terminate(): Promise<void> {
    this.alive = false;
    await this.#thread.terminate();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #start(): void {
    const [run] = this.#runs;
    if (!run) return;
    this.#limit(run, Math.max(run.timeoutMs, BEGINNING_MS));
  }

  #note(file: string): void {
    const [run] = this.#runs;
    if (!run) return;
    if (run.started === undefined) {
      run.started = performance.now();
      this.#limit(run, run.timeoutMs);
    }
    run.file = file;
  }

  #limit(run: Run, milliseconds: number): void {
    clearTimeout(run.timer);
    run.timer = setTimeout(() => this.#end({ kind: "timeout" }), milliseconds);
  }

  #end(ending: TaskOutcome<never>): void {
    const [run, ...others] = this.#runs.splice(0, leavesWorkerFit(ending) ? 1 : this.#runs.length);
    if (!leavesWorkerFit(ending)) this.alive = false;
    clearTimeout(run?.timer);
    run?.resolve({ ending, file: run.file });
    for (const other of others) other.resolve(NOT_RUN);
  }
}

function environmentOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const { NODE_OPTIONS: _, ...rest } = env; // Workers don't support every option of a process.
  return { ...Object.fromEntries(Object.entries(rest).filter(isSet)), NODE_ENV: "production" };
}

function isSet(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}

/** Whether the worker can run the next task. */
function leavesWorkerFit(ending: TaskOutcome<unknown>): boolean {
  return "restless" in ending && !ending.restless;
}

/** How a task that ran has ended. */
type Outcome<Output> = Exclude<TaskOutcome<Output>, { readonly kind: "not run" }>;

interface Circumstances {
  /** The user's module that was loaded last. */
  readonly file: string | undefined;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/**
 * Returns the task's result.
 *
 * @throws {ModuleError} User code failed.
 * @throws {Interruption} The task was interrupted.
 */
export function valueOf<Output>(ending: Outcome<Output>, circumstances: Circumstances): Output {
  if (ending.kind === "done") return ending.value;
  throw errorOf(ending, circumstances);
}

function errorOf(
  ending: Exclude<Outcome<never>, { kind: "done" }>,
  { file, timeoutMs, memoryMb }: Circumstances,
): Error {
  if (ending.kind === "failed") return failureError(ending.failure, file);
  if (ending.kind === "timeout") {
    const hint = "Look for an endless loop, a promise that never settles, or a fixture of several megabytes.";
    return blame(file, `did not finish within ${timeoutMs / 1000} s.`, { hint });
  }
  if (ending.kind === "interrupted") return new Interruption("The task was interrupted.");
  if (ending.kind === "exited") return blame(file, "terminated its worker.");
  const what = isOutOfMemory(ending) ? `used more than ${memoryMb} MB of memory.` : "crashed.";
  return blame(file, what, { cause: ending.error });
}

function failureError({ message, hint, stack, inUserCode, at }: WorkerFailure, file: string | undefined): Error {
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  const position = at ?? (file === undefined ? undefined : { file });
  if (!inUserCode || position === undefined) return cause;
  return new ModuleError(message, position, { cause, ...(hint === undefined ? {} : { hint }) });
}

/** Without a file, no user code ran, so the error is lettershop's. */
function blame(file: string | undefined, what: string, options?: { cause?: unknown; hint?: string }): Error {
  if (file === undefined) return new Error(`A task ${what}`, options);
  return new ModuleError(`${path.basename(file)} ${what}`, { file }, options);
}

export function isOutOfMemory<Output>(ending: Outcome<Output>): boolean {
  if (ending.kind !== "crashed") return false;
  const { error } = ending;
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
