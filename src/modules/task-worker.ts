import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import type { Ending } from "./ending.js";
import type { Message, Request, WorkerSetup } from "./protocol.js";

export interface TaskWorkerOptions {
  readonly cacheFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly memoryMb: number;
  readonly later: boolean;
}

/** One life of a worker. */
export class TaskWorker {
  readonly #folder: string;
  readonly #worker: Worker;
  #start = (): void => {};
  #end: (ending: Ending<never>) => void = () => {};
  /** The user's module that it loaded last. */
  file: string | undefined;
  /** How many tasks it was given. */
  runs = 0;
  /** False once nothing more can be run in it. */
  alive = true;

  constructor({ cacheFolder, env, memoryMb, later }: TaskWorkerOptions) {
    this.#folder = path.join(cacheFolder, randomUUID());
    const setup: WorkerSetup = { folder: this.#folder, later };
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), {
      workerData: setup,
      env: environmentOf(env),
      argv: [],
      execArgv: [],
      // Not ours, should anything get past what the worker captures.
      stdout: true,
      stderr: true,
      // A small nursery: what a render leaves behind is collected before it takes tens of megabytes.
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 8 },
    });
    this.#worker.on("message", (message: Message<never>) => {
      if (message.kind === "started") this.#start();
      else if (message.kind === "loading") this.file = message.file;
      else this.#end(message);
    });
    this.#worker.on("error", (error) => this.#end({ kind: "crashed", error }));
    this.#worker.on("exit", () => {
      this.alive = false;
      this.#end({ kind: "exited" });
    });
    // An idle worker is no reason for the command to go on. Listeners are, so that this comes last.
    this.#worker.unref();
  }

  /** @param timeoutMs From when the worker takes it up: what a busy machine takes to start one is not the task's. */
  run<Output>(request: Request, timeoutMs: number): Promise<Ending<Output>> {
    this.file = undefined;
    this.runs += 1;
    return new Promise((resolve) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage(request);
      this.#worker.ref();
      let timer: NodeJS.Timeout | undefined;
      this.#start = () => {
        timer = setTimeout(() => this.#end({ kind: "timeout" }), timeoutMs);
      };
      this.#end = (ending: Ending<Output>) => {
        clearTimeout(timer);
        this.#end = () => {};
        this.#worker.unref();
        resolve(ending);
      };
    });
  }

  async end(): Promise<void> {
    this.alive = false;
    await this.#worker.terminate();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function environmentOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const { NODE_OPTIONS: _, ...rest } = env; // not each option of a process is one of a worker
  return { ...Object.fromEntries(Object.entries(rest).filter(isSet)), NODE_ENV: "production" };
}

function isSet(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}
