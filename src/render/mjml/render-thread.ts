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

interface Waiting {
  readonly resolve: (html: string) => void;
  readonly reject: (error: unknown) => void;
}

/** The thread is gone, and what of it nobody knows: no template is to blame. */
export class RenderThreadError extends Error {
  override readonly name = "RenderThreadError";
}

/** Renders MJML beside what else compiling does: it takes about as long as all the rest. */
export class RenderThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  /** Set once nothing more can be rendered. */
  #end: Error | undefined;

  /** @param file The module of the `mjml` package. */
  constructor(file: string) {
    const module = new URL("./render-worker.js", import.meta.url);
    this.#worker = new Worker(module, { workerData: file, env: {}, argv: [], execArgv: [] });
    this.#worker.on("message", (answer: RenderAnswer) => this.#settle(answer));
    this.#worker.on("error", (cause: Error) => this.#fail(`: ${cause.message}`, cause));
    this.#worker.on("exit", (code) => this.#fail(` with code ${code}.`));
  }

  readonly render: MjmlLibrary["render"] = (tree: MjmlJson) =>
    new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end);
      const request: RenderRequest = { id: this.#asked, tree };
      this.#waiting.set(request.id, { resolve, reject });
      this.#asked += 1;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage(request);
    });

  /** Ends the thread. What has not been rendered rejects. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(answer: RenderAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("html" in answer) waiting?.resolve(answer.html);
    else waiting?.reject(answer.error);
  }

  #fail(how: string, cause?: Error): void {
    this.#end ??= new RenderThreadError(`The thread that renders MJML ended${how}`, { cause });
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    this.#waiting.clear();
  }
}
