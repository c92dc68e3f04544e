import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ProjectLocation } from "../../config/find.js";
import { ConfigurationError, LettershopError } from "../../errors.js";
import { endGroup } from "../apart/end-group.js";
import { createSandbox } from "../apart/sandbox.js";
import type { Order, Report, ServeOrder } from "./protocol.js";

/** Milliseconds to end in order, before it is ended. */
const GRACE_MS = 1500;

/**
 * Of what is allocated and soon dropped, each of its threads would keep 32 MB: it is looked at all day, and not every
 * thread has much to do (`npm run bench -- preview`).
 */
const SMALL = ["--max-semi-space-size=4"];

/** glibc gives each thread memory of its own to allot, and takes little of it back. */
const ONE_ARENA = process.platform === "linux" ? { MALLOC_ARENA_MAX: "1" } : {};

/** What failed in the process that serves the preview, with the words that the command would have had for it. */
class ServerFailure extends LettershopError {
  override readonly name = "ServerFailure";
  readonly code: string;

  constructor({ code, message, hint }: Report & { kind: "failed" }) {
    super(message, hint === undefined ? {} : { hint });
    this.code = code;
  }
}

export interface ServerProcessOptions {
  readonly location: ProjectLocation;
  /** All that it sees of the environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly order: ServeOrder;
  /** Resolves when it may run the project's own code. */
  readonly ready: Promise<unknown>;
  readonly onReport: (report: Report) => void;
}

/** The process that serves the preview, in which the project's own code runs. */
export class ServerProcess {
  readonly #child: ChildProcess;
  #failure: Error | undefined;
  /** Rejects where it ends by itself. */
  readonly ended: Promise<void>;

  constructor({ location, env, order, ready, onReport }: ServerProcessOptions) {
    const script = fileURLToPath(new URL("./preview-process.js", import.meta.url));
    const sandbox = createSandbox(location);
    const [file, ...args] = [...sandbox.command, process.execPath, ...SMALL, script] as const;
    this.#child = spawn(file, args, {
      env: { ...ONE_ARENA, ...env, ...sandbox.env },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // Without the command's terminal: Ctrl-C is the command's to handle.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#child.on("message", (report: Report | null) => {
      // The project's own code may have written it.
      if (typeof report !== "object" || report === null) return;
      if (report.kind === "failed") this.#failure = new ServerFailure(report);
      else if (report.kind === "defect") this.#failure = new Error(report.trace);
      else onReport(report);
    });
    this.ended = this.#end();
    ready.then(
      () => this.tell({ kind: "serve", ...order }),
      (error: Error) => {
        this.#failure = error;
        void this.close();
      },
    );
  }

  async #end(): Promise<void> {
    await once(this.#child, "exit");
    if (this.#failure !== undefined) throw this.#failure;
    const { exitCode, signalCode } = this.#child;
    if (exitCode === 0) return;
    const how = signalCode === null ? `with code ${exitCode}` : `by ${signalCode}`;
    throw new ConfigurationError(`The process that serves the preview ended ${how}.`, {
      hint: "Find out which template it is with: templates build NAME",
    });
  }

  tell(order: Order): void {
    if (this.#child.connected) this.#child.send(order);
  }

  /** Ends it, in order where it can, and with all that its modules have started. */
  async close(): Promise<void> {
    this.tell({ kind: "end" });
    const late = setTimeout(endGroup, GRACE_MS, this.#child);
    await this.ended.catch(() => undefined);
    clearTimeout(late);
    endGroup(this.#child);
  }
}
