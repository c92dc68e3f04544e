import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Template } from "../../project/template.js";
import type { CompileContext } from "../engine.js";
import { type MjmlJson, type MjmlLibrary, mjmlFile } from "./library.js";
import type { RenderAnswer, RenderRequest } from "./render-worker.js";

/** Minimum number of templates for which starting a thread pays off. */
const WORTH_A_THREAD = 50;

/**
 * A thread for rendering the MJML of templates that are compiled together; undefined if it would not be faster.
 *
 * @throws {MissingPeerError} MJML is not installed.
 */
export function renderThreadFor(templates: readonly Template[], context: CompileContext): RenderThread | undefined {
  const [first, ...others] = templates.filter(({ engine }) => engine === "mjml");
  // With components, their worker already keeps the second core busy.
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
 * Renders MJML in parallel with other compile steps, which together take about as long. If the thread ends, its pending
 * trees are rendered again one at a time; the tree with which a new thread ends, too, is the cause.
 */
export class RenderThread {
  readonly #file: string;
  #worker: Worker | undefined;
  /** Whether the worker has reported that it is ready. */
  #isReady = false;
  /** Whether the worker has rendered nothing yet. */
  #isFresh = true;
  #requests = 0;
  /** The worker's pending jobs. */
  readonly #sent = new Map<number, Job>();
  /** One of these may have caused a thread to end. */
  readonly #suspects: Job[] = [];
  readonly #waiting: Job[] = [];
  /** Set once nothing more can be rendered. */
  #end: Error | undefined;

  /** @param file The main module of the `mjml` package. */
  constructor(file: string) {
    this.#file = file;
    // MJML takes a while to load: this happens while the first templates are read.
    this.#worker = this.#start();
  }

  readonly render: MjmlLibrary["render"] = (tree: MjmlJson) =>
    new Promise((resolve, reject) => {
      this.#waiting.push({ tree, resolve, reject });
      this.#send();
    });

  /** Ends the thread. Pending jobs reject. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#stop(new Error("The thread that renders MJML was closed."));
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
    const request: RenderRequest = { id: this.#requests, tree: job.tree };
    this.#sent.set(request.id, job);
    this.#requests += 1;
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
    // A failing worker emits "error" first and then "exit".
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const error = new Error(`The thread that renders MJML ended${how}`, { cause });
    if (!this.#isReady) return this.#stop(error);
    const jobs = [...this.#sent.values()];
    this.#sent.clear();
    const [only, ...others] = jobs;
    // If the thread has rendered other trees, one of them may be the cause.
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
