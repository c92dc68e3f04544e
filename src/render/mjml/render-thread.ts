import { availableParallelism } from "node:os";
import type { Template } from "../../project/template.js";
import type { CompileContext } from "../engine.js";
import { type MjmlJson, type MjmlLibrary, mjmlFile } from "./library.js";
import { Thread, ThreadEndedError } from "../../process/rpc.js";
import type { Renderer } from "./render-worker.js";

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
  #thread: Thread<Renderer> | undefined;
  /** Whether the thread has loaded MJML. */
  #isReady = false;
  /** Whether the thread has rendered nothing yet. */
  #isFresh = true;
  /** The thread's pending jobs. */
  readonly #sent = new Set<Job>();
  /** One of these may have caused a thread to end. */
  readonly #suspects: Job[] = [];
  readonly #waiting: Job[] = [];
  /** Set once nothing more can be rendered. */
  #end: Error | undefined;

  /** @param file The main module of the `mjml` package. */
  constructor(file: string) {
    this.#file = file;
    // MJML takes a while to load: this happens while the first templates are read.
    this.#thread = this.#start();
  }

  readonly render: MjmlLibrary["render"] = (tree: MjmlJson) =>
    new Promise((resolve, reject) => {
      this.#waiting.push({ tree, resolve, reject });
      this.#send();
    });

  /** Ends the thread. Pending jobs reject. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#stop(new Error("The thread that renders MJML was closed."));
    await thread?.terminate();
  }

  #send(): void {
    if (this.#end) return this.#stop(this.#end);
    if (this.#suspects.length === 0) {
      for (const job of this.#waiting.splice(0)) void this.#perform(job);
    } else if (this.#sent.size === 0) {
      const suspect = this.#suspects.shift();
      if (suspect) void this.#perform(suspect);
    }
  }

  async #perform(job: Job): Promise<void> {
    const thread = (this.#thread ??= this.#start());
    this.#sent.add(job);
    try {
      job.resolve(await thread.call("render", job.tree));
    } catch (error) {
      // `#fail` decides what happens to the jobs of a thread that has ended.
      if (error instanceof ThreadEndedError) return;
      job.reject(error);
    }
    this.#sent.delete(job);
    this.#isFresh = false;
    this.#send();
  }

  #start(): Thread<Renderer> {
    const thread: Thread<Renderer> = new Thread(new URL("./render-worker.js", import.meta.url), {
      title: "The thread that renders MJML",
      workerData: this.#file,
      env: {},
      onEnd: (error) => this.#fail(thread, error),
    });
    this.#isReady = false;
    this.#isFresh = true;
    thread.call("ready", undefined).then(
      () => (this.#isReady = true),
      () => undefined, // The thread has ended.
    );
    return thread;
  }

  #fail(thread: Thread<Renderer>, error: ThreadEndedError): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    if (!this.#isReady) return this.#stop(error);
    const jobs = [...this.#sent];
    this.#sent.clear();
    const [only, ...others] = jobs;
    // If the thread has rendered other trees, one of them may be the cause.
    if (only && others.length === 0 && this.#isFresh) only.reject(error);
    else this.#suspects.push(...jobs);
    this.#send();
  }

  #stop(error: Error): void {
    this.#end ??= error;
    this.#thread = undefined;
    for (const { reject } of [...this.#sent, ...this.#suspects.splice(0), ...this.#waiting.splice(0)])
      reject(this.#end);
    this.#sent.clear();
  }
}
