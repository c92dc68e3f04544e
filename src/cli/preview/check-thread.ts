import { setTimeout as sleep } from "node:timers/promises";
import type { Project } from "../../project/load-project.js";
import type { LoadedTemplates } from "../../project/load-templates.js";
import type { Checked } from "../../preview/server/preview-access.js";
import { Thread } from "../../process/rpc.js";
import type { Checker } from "./check-worker.js";

/** After this many idle milliseconds, the thread ends to free its memory. */
const IDLE_MS = 30_000;

/** Milliseconds that the thread has to end its own worker. Nobody needs the result of a check that is still running. */
const GRACE_MS = 200;

/** Checks a project's templates in a separate thread, which runs only while it is needed. */
export class CheckThread {
  readonly #project: Project;
  #thread: Thread<Checker> | undefined;
  #closing = new AbortController();
  #idle: NodeJS.Timeout | undefined;

  constructor(project: Project) {
    this.#project = project;
  }

  async check(loaded: LoadedTemplates, isWhole: boolean): Promise<Checked> {
    clearTimeout(this.#idle);
    const thread = (this.#thread ??= this.#start());
    try {
      return await thread.call("check", { loaded, isWhole }, this.#closing.signal);
    } finally {
      if (thread === this.#thread && thread.pending === 0)
        this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    }
  }

  /** Ends the thread. Pending checks reject. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    this.#closing.abort(new Error("The project was closed."));
    this.#closing = new AbortController();
    if (!thread) return;
    const timeout = sleep(GRACE_MS, undefined, { ref: false });
    await Promise.race([thread.call("close", undefined), timeout]).catch(() => undefined);
    await thread.terminate();
  }

  #start(): Thread<Checker> {
    const thread: Thread<Checker> = new Thread(new URL("./check-worker.js", import.meta.url), {
      title: "The check thread",
      workerData: this.#project,
      onEnd: () => {
        if (this.#thread === thread) this.#thread = undefined;
      },
    });
    return thread;
  }
}
