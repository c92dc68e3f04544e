import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Template } from "../../template/template.js";
import type { CompileContext } from "../engine.js";
import { type MjmlJson, type MjmlLibrary, mjmlFile } from "./library.js";
import type { RenderAnswer, RenderRequest } from "./render-worker.js";

/** From so many templates on, what a thread takes to start comes back. */
const WORTH_A_THREAD = 50;

/**
 * A thread for the MJML among templates that are compiled together; undefined where it would not be faster.
 *
 * @throws {MissingPeerError} MJML is not installed.
 */
export function renderThreadFor(templates: readonly Template[], context: CompileContext): RenderThread | undefined {
  const [first, ...others] = templates.filter(({ engine }) => engine === "mjml");
  // With components, their worker is what keeps the second core busy.
  const isSpare = availableParallelism() > 1 && templates.every(({ engine }) => engine !== "react");
  if (!first || !isSpare || others.length + 1 < WORTH_A_THREAD) return undefined;
  return new RenderThread(mjmlFile(first, context));
}

interface Job {
  readonly tree: MjmlJson;
  readonly resolve: (html: string) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Renders MJML beside what else compiling does: it takes about as long as all the rest. Where the thread ends, what it was
 * at work on is rendered again, one tree at a time: the one with which a new thread ends as well is to blame.
 */
export class RenderThread {
  readonly #file: string;
  #worker: Worker | undefined;
  /** Whether the worker has said so. */
  #isReady = false;
  /** Whether the worker has rendered nothing yet. */
  #isFresh = true;
  #asked = 0;
  /** What the worker is at work on. */
  readonly #sent = new Map<number, Job>();
  /** One of these may be to blame for a thread's end. */
  readonly #suspects: Job[] = [];
  readonly #waiting: Job[] = [];
  /** Set once nothing more can be rendered. */
  #end: Error | undefined;

  /** @param file The module of the `mjml` package. */
  constructor(file: string) {
    this.#file = file;
    // MJML takes a while to load: it does so while the first templates are read.
    this.#worker = this.#start();
  }

  readonly render: MjmlLibrary["render"] = (tree: MjmlJson) =>
    new Promise((resolve, reject) => {
      this.#waiting.push({ tree, resolve, reject });
      this.#send();
    });

  /** Ends the thread. What has not been rendered rejects. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#stop(new Error("The thread that renders MJML ended, as it was closed."));
    await worker?.terminate();
  }

  #send(): void {
    if (this.#end) return this.#stop(this.#end);
    if (this.#suspects.length === 0) {
      for (const job of this.#waiting.splice(0)) this.#post(job);
    } else if (this.#sent.size === 0) {
      const suspect = this.#suspects.shift();
      if (suspect) this.#post(suspect);
    }
  }

  #post(job: Job): void {
    this.#worker ??= this.#start();
    const request: RenderRequest = { id: this.#asked, tree: job.tree };
    this.#sent.set(request.id, job);
    this.#asked += 1;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(request);
  }

  #start(): Worker {
    const module = new URL("./render-worker.js", import.meta.url);
    const worker = new Worker(module, { workerData: this.#file, env: {}, argv: [], execArgv: [] });
    this.#isReady = false;
    this.#isFresh = true;
    worker.on("message", (answer: RenderAnswer) => this.#settle(answer));
    worker.on("error", (cause: Error) => this.#fail(worker, `: ${cause.message}`, cause));
    worker.on("exit", (code) => this.#fail(worker, ` with code ${code}.`));
    return worker;
  }

  #settle(answer: RenderAnswer): void {
    if ("isReady" in answer) {
      this.#isReady = true;
      return;
    }
    const job = this.#sent.get(answer.id);
    this.#sent.delete(answer.id);
    this.#isFresh = false;
    if ("html" in answer) job?.resolve(answer.html);
    else job?.reject(answer.error);
    this.#send();
  }

  #fail(worker: Worker, how: string, cause?: Error): void {
    // A worker that fails emits "error" first and then "exit".
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const error = new Error(`The thread that renders MJML ended${how}`, { cause });
    if (!this.#isReady) return this.#stop(error);
    const jobs = [...this.#sent.values()];
    this.#sent.clear();
    const [only, ...others] = jobs;
    // In a thread that has rendered others, one of those may be to blame.
    if (only && others.length === 0 && this.#isFresh) only.reject(error);
    else this.#suspects.push(...jobs);
    this.#send();
  }

  #stop(error: Error): void {
    this.#end ??= error;
    this.#worker = undefined;
    for (const { reject } of [...this.#sent.values(), ...this.#suspects.splice(0), ...this.#waiting.splice(0)])
      reject(this.#end);
    this.#sent.clear();
  }
}
