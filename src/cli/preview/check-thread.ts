import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Project } from "../../project/load-project.js";
import type { Checked } from "../../preview/server/preview-access.js";
import type { LoadedTemplates } from "../../project/load-templates.js";

export type CheckQuestion =
  | { readonly kind: "project"; readonly project: Project }
  | { readonly kind: "check"; readonly id: number; readonly loaded: LoadedTemplates; readonly isWhole: boolean }
  | { readonly kind: "end" };

export type CheckAnswer =
  | { readonly id: number; readonly found: Checked; readonly message?: undefined }
  | { readonly id: number; readonly message: string };

/** After this many idle milliseconds, the thread ends to free its memory. */
const IDLE_MS = 30_000;

interface Waiting {
  readonly resolve: (found: Checked) => void;
  readonly reject: (error: Error) => void;
}

/** Checks a project's templates in a separate thread, which runs only while it is needed. */
export class CheckThread {
  readonly #project: Project;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(project: Project) {
    this.#project = project;
  }

  check(loaded: LoadedTemplates, isWhole: boolean): Promise<Checked> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    // Keep the process alive while a check is pending, but not for an idle thread.
    worker.ref();
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      send(worker, { kind: "check", id, loaded, isWhole });
    });
  }

  /** Ends the thread. Pending checks reject. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#fail(new Error("The project was closed."));
    if (!worker) return;
    worker.ref();
    const ended = once(worker, "exit");
    send(worker, { kind: "end" });
    // Nobody needs the result of a check that is still running.
    const killTimer = setTimeout(() => void worker.terminate(), 200);
    await ended;
    clearTimeout(killTimer);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./check-worker.js", import.meta.url), { execArgv: [] });
    worker.on("message", (answer: CheckAnswer) => this.#settle(answer));
    worker.on("error", (error: Error) => this.#fail(error));
    worker.on("exit", () => {
      if (this.#worker === worker) this.#fail(new Error("The check thread has ended."));
    });
    worker.unref();
    send(worker, { kind: "project", project: this.#project });
    return worker;
  }

  #settle(answer: CheckAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.message === undefined) waiting?.resolve(answer.found);
    else waiting?.reject(new Error(answer.message));
    if (this.#waiting.size > 0) return;
    this.#worker?.unref();
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
  }

  #fail(error: Error): void {
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function send(worker: Worker, question: CheckQuestion): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(question);
}
