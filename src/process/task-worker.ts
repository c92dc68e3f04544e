import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { Place } from "../mustache/expression/localised.js";
import { Interruption, type ModuleHostOptions, isOutOfMemory, NotRunError } from "./host.js";
import { ModuleError } from "./module-error.js";
import { errorFacts, Thread, ThreadEndedError } from "./rpc.js";
import type { WorkerFailure } from "./failure.js";
import { explainUnset } from "./unset-variables.js";
import type { Request, TaskEnding, TaskHost, TaskRunner, WorkerSetup } from "./worker.js";

type TaskWorkerOptions = Required<Omit<ModuleHostOptions, "onOutput">> &
  Pick<ModuleHostOptions, "onOutput"> & {
    /** Locale and time zone of user code. */
    readonly place: Place;
  };

/** How long a very busy machine may take until a task has loaded lettershop's own modules. */
const BEGINNING_MS = 30_000;

interface Run {
  readonly timeoutMs: number;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  /** When the first of the user's modules was loaded. */
  started?: number;
  /** The user's module that was loaded last. */
  file?: string;
  timer?: NodeJS.Timeout;
}

/** One worker, from start to end. */
export class TaskWorker {
  readonly #folder: string;
  readonly #thread: Thread<TaskRunner>;
  readonly #place: Place;
  readonly #onOutput: TaskWorkerOptions["onOutput"];
  /** Unfinished tasks; the first one is running. */
  readonly #runs: Run[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #over: Promise<void> | undefined;
  #resting: Promise<void> | undefined;
  /** How many tasks it has received. */
  runs = 0;
  /** False once it can't run anything more. */
  alive = true;

  constructor({ cacheFolder, env, memoryMb, later, onOutput, place }: TaskWorkerOptions) {
    this.#onOutput = onOutput;
    this.#place = { locale: place.locale, timeZone: place.timeZone };
    this.#folder = path.join(cacheFolder, randomUUID());
    const setup: WorkerSetup = { folder: this.#folder, place: this.#place, later };
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
        broken: (ending: TaskEnding<never>) => this.#finish(ending),
      } satisfies TaskHost,
      onEnd: ({ cause }) => this.#fail(({ file }) => errorOfEnd(file, cause, memoryMb)),
    });
  }

  /**
   * Runs a task after the earlier ones.
   *
   * @param timeoutMs Counts from when the first of the user's modules is loaded: starting a worker and loading the task
   * depends on the machine, not on the user's code.
   * @throws {ModuleError} User code failed.
   * @throws {Interruption} The task was interrupted.
   * @throws {NotRunError} The task needs another worker.
   */
  async run<Output>(request: Request, timeoutMs: number): Promise<Output> {
    const result = new Promise<Output>((resolve, reject) => {
      if (!this.alive || this.#resting) return reject(new NotRunError());
      this.#runs.push({ timeoutMs, resolve, reject });
      this.#thread.call("run", request).then(
        // Its value has the task's type.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        (ending) => this.#finish(ending as TaskEnding<never>),
        (error: unknown) => {
          if (error instanceof ThreadEndedError) return; // `onEnd` has noted it.
          // The result could not be cloned.
          const failure = { ...errorFacts(error), inUserCode: false };
          this.#finish({ kind: "failed", failure, output: "", restless: true });
        },
      );
    });
    this.runs += 1;
    this.#last = result.catch(() => {}); // The caller handles the rejection.
    try {
      return await result;
    } finally {
      if (!this.alive) await this.end();
    }
  }

  /** Whether it can take another task with this locale and time zone. */
  takes({ locale, timeZone }: Place): boolean {
    return this.alive && !this.#resting && this.#place.locale === locale && this.#place.timeZone === timeZone;
  }

  /** How long the user code of the current task has been running, in milliseconds; 0 if no task is running. */
  busyMs(): number {
    const [run] = this.#runs;
    return run?.started === undefined ? 0 : performance.now() - run.started;
  }

  /** Aborts the current task. Waiting tasks need another worker. */
  interrupt(): void {
    this.#fail(() => new Interruption("The task was interrupted."));
  }

  /** Ends it after all its tasks; it takes no others. */
  rest(): Promise<void> {
    this.#resting ??= this.#last.then(() => this.end());
    return this.#resting;
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
    run.timer = setTimeout(() => this.#fail(timeoutError), milliseconds);
  }

  /** The current task has ended by itself. */
  #finish(ending: TaskEnding<never>): void {
    const run = this.#takeRun(!ending.restless);
    if (run && ending.output !== "") this.#onOutput?.(ending.output);
    if (ending.kind === "done") run?.resolve(ending.value);
    else run?.reject(failureError(ending.failure, run.file));
  }

  /** The current task and the worker end with an error. */
  #fail(errorOf: (run: Run) => Error): void {
    const run = this.#takeRun(false);
    run?.reject(errorOf(run));
  }

  /** Removes the current task and, if the worker can't run them, the waiting ones. */
  #takeRun(isFit: boolean): Run | undefined {
    this.alive &&= isFit;
    const [run, ...others] = this.#runs.splice(0, isFit ? 1 : this.#runs.length);
    clearTimeout(run?.timer);
    for (const other of others) other.reject(new NotRunError());
    return run;
  }
}

function environmentOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const { NODE_OPTIONS: _, ...rest } = env; // Workers don't support every option of a process.
  return { ...Object.fromEntries(Object.entries(rest).filter(isSet)), NODE_ENV: "production" };
}

function isSet(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}

function timeoutError({ file, timeoutMs }: Run): Error {
  const hint = "Look for an endless loop, a promise that never settles, or a fixture of several megabytes.";
  return blame(file, `did not finish within ${timeoutMs / 1000} s.`, { hint });
}

/** @param cause Why the worker has ended; undefined if user code has ended it. */
function errorOfEnd(file: string | undefined, cause: unknown, memoryMb: number): Error {
  if (cause === undefined) return blame(file, "terminated its worker.");
  return blame(file, isOutOfMemory(cause) ? `used more than ${memoryMb} MB of memory.` : "crashed.", { cause });
}

function failureError(
  { message, stack, inUserCode, at, unset = [], ...failure }: WorkerFailure,
  file: string | undefined,
): Error {
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  const position = at ?? (file === undefined ? undefined : { file });
  if (!inUserCode || position === undefined) return cause;
  const hint = failure.hint ?? (unset.length > 0 ? `${explainUnset(unset)} ${WITHOUT}` : undefined);
  return new ModuleError(message, position, { cause, hint });
}

const WITHOUT = "Let it work without such variables, or import what the template needs from another module.";

/** Without a file, no user code ran, so the error is lettershop's. */
function blame(file: string | undefined, what: string, options?: { cause?: unknown; hint?: string }): Error {
  if (file === undefined) return new Error(`A task ${what}`, options);
  return new ModuleError(`${path.basename(file)} ${what}`, { file }, options);
}
