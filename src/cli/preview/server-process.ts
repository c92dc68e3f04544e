import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ProjectLocation } from "../../project/find-project.js";
import { ConfigurationError, LettershopError } from "../../errors.js";
import { endGroup } from "../keyless/end-group.js";
import { createSandbox } from "../keyless/sandbox.js";
import type { Order, Report, ServeOrder } from "./protocol.js";

/** Milliseconds that the process has to exit by itself before it is killed. */
const GRACE_MS = 1500;

/**
 * Limits V8's young generation. By default it takes 32 MB per thread, although most threads have little to do
 * (`npm run bench -- preview`).
 */
const SMALL_HEAP = ["--max-semi-space-size=4"];

/** By default, glibc gives each thread its own memory arena and returns little of it to the system. */
const ONE_ARENA = process.platform === "linux" ? { MALLOC_ARENA_MAX: "1" } : {};

/** An error from the preview process, with the message that the command itself would have shown. */
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
  /** The process's whole environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly order: ServeOrder;
  /** Resolves when the process may run project code. */
  readonly ready: Promise<unknown>;
  readonly onReport: (report: Report) => void;
}

/** The process that serves the preview and runs project code. */
export class ServerProcess {
  readonly #child: ChildProcess;
  #failure: Error | undefined;
  /** Rejects if the process fails. */
  readonly ended: Promise<void>;

  constructor({ location, env, order, ready, onReport }: ServerProcessOptions) {
    const script = fileURLToPath(new URL("./preview-process.js", import.meta.url));
    const sandbox = createSandbox(location);
    const [file, ...args] = [...sandbox.command, process.execPath, ...SMALL_HEAP, script] as const;
    this.#child = spawn(file, args, {
      env: { ...ONE_ARENA, ...env, ...sandbox.env },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // Detached from the terminal, because the command handles Ctrl-C.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#child.on("message", (report: Report | null) => {
      // Project code may have sent it.
      if (typeof report !== "object" || report === null) return;
      if (report.kind === "failed") this.#failure = new ServerFailure(report);
      else if (report.kind === "defect") this.#failure = new Error(report.trace);
      else onReport(report);
    });
    this.ended = this.#end();
    ready.then(
      () => this.send({ kind: "serve", ...order }),
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
      hint: "To find the template that causes it, compile them one by one: templates build NAME",
    });
  }

  send(order: Order): void {
    if (this.#child.connected) this.#child.send(order);
  }

  /** Ends the process and everything that it started: gracefully if possible, else by force. */
  async close(): Promise<void> {
    this.send({ kind: "end" });
    const killTimer = setTimeout(endGroup, GRACE_MS, this.#child);
    await this.ended.catch(() => undefined);
    clearTimeout(killTimer);
    endGroup(this.#child);
  }
}
