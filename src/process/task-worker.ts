import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import type { Ending } from "./ending.js";
import { leavesWorkerFit, type Message, type Request, type WorkerSetup } from "./protocol.js";

export interface TaskWorkerOptions {
  readonly cacheFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly memoryMb: number;
  readonly later: boolean;
}

/** How a task ended, and the user's module that it loaded last. */
export interface Ended<Output> {
  readonly ending: Ending<Output>;
  readonly file: string | undefined;
}

/** How long a very busy machine may take until a task has loaded lettershop's own modules. */
const BEGINNING_MS = 30_000;

const NOT_RUN: Ended<never> = { ending: { kind: "not run" }, file: undefined };

interface Run {
  readonly timeoutMs: number;
  readonly resolve: (ended: Ended<never>) => void;
  /** When the first of the user's modules was loaded. */
  started?: number;
  file?: string;
  timer?: NodeJS.Timeout;
}

/** One worker, from start to end. */
export class TaskWorker {
  readonly #folder: string;
  readonly #worker: Worker;
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
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), {
      workerData: setup,
      env: environmentOf(env),
      argv: [],
      execArgv: [],
      // Keeps output that escapes the worker's own capturing away from ours.
      stdout: true,
      stderr: true,
      // A small young generation: garbage from rendering is collected before it takes tens of megabytes.
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 8 },
    });
    this.#worker.on("message", (message: Message<never>) => {
      if (message.kind === "started") this.#start();
      else if (message.kind === "loading") this.#note(message.file);
      else this.#end(message);
    });
    this.#worker.on("error", (error) => this.#end({ kind: "crashed", error }));
    this.#worker.on("exit", () => this.#end({ kind: "exited" }));
    // An idle worker must not keep the process alive. Adding listeners would undo this, so it comes last.
    this.#worker.unref();
  }

  /**
   * Runs a task after the earlier ones.
   *
   * @param timeoutMs Counts from when the first of the user's modules is loaded: starting a worker and loading the task
   * depends on the machine, not on the user's code.
   */
  run<Output>(request: Request, timeoutMs: number): Promise<Ended<Output>> {
    const ended = new Promise<Ended<Output>>((resolve) => {
      if (!this.alive) return resolve(NOT_RUN);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage(request);
      this.#runs.push({ timeoutMs, resolve });
      this.#worker.ref();
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
    await this.#worker.terminate();
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

  #end(ending: Ending<never>): void {
    const [run, ...others] = this.#runs.splice(0, leavesWorkerFit(ending) ? 1 : this.#runs.length);
    if (!leavesWorkerFit(ending)) this.alive = false;
    clearTimeout(run?.timer);
    run?.resolve({ ending, file: run.file });
    for (const other of others) other.resolve(NOT_RUN);
    if (this.#runs.length === 0) this.#worker.unref();
  }
}

function environmentOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const { NODE_OPTIONS: _, ...rest } = env; // Workers don't support every option of a process.
  return { ...Object.fromEntries(Object.entries(rest).filter(isSet)), NODE_ENV: "production" };
}

function isSet(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}
