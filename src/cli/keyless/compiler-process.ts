import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { ProjectLocation } from "../../project/find-project.js";
import { ConfigurationError } from "../../errors.js";
import { endGroup } from "./end-group.js";
import { CompilerFailure, forged, InterruptedError } from "./errors.js";
import { ANSWERS, type Question, readAnswer } from "./protocol.js";
import { createSandbox } from "./sandbox.js";

/** Well above 200 templates of the largest size, with their fixtures. */
const ANSWER_MAX_BYTES = 512 * 1024 * 1024;

/** How many of the last characters of the process's stderr are kept, for when it ends without an answer. */
const PRINTED_MAX = 8000;

/** Milliseconds that the process has to exit by itself before it is killed. */
const GRACE_MS = 2000;

export interface CompilerProcessOptions {
  readonly location: ProjectLocation;
  /** The process's whole environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Ends the process. */
  readonly signal: AbortSignal;
}

/** A process that reads a project's configuration and compiles its templates. */
export class CompilerProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  /** Exited, and all of its output was read. */
  readonly #closed: Promise<unknown>;
  readonly #answers: Readable;
  readonly #lines: AsyncIterator<string>;
  readonly #signal: AbortSignal;
  #closing?: Promise<void>;
  #last: Promise<unknown> = Promise.resolve();
  #printed = "";

  constructor({ location, env, signal }: CompilerProcessOptions) {
    const compiler = fileURLToPath(new URL("./compiler.js", import.meta.url));
    const sandbox = createSandbox(location);
    const [file, ...args] = [...sandbox.command, process.execPath, compiler] as const;
    this.#signal = signal;
    this.#child = spawn(file, args, {
      env: { ...env, ...sandbox.env },
      stdio: ["pipe", "ignore", "pipe", "pipe"],
      // Detached from the terminal: the command handles Ctrl-C, and project code can't read what the user types.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#exited = once(this.#child, "exit").catch(() => undefined);
    this.#closed = once(this.#child, "close").catch(() => undefined);
    this.#child.stdin?.on("error", () => undefined);
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#printed = (this.#printed + text).slice(-PRINTED_MAX);
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a pipe, by `stdio`
    this.#answers = this.#child.stdio[ANSWERS] as Readable;
    this.#lines = linesOf(this.#answers);
    signal.addEventListener("abort", this.#stop);
  }

  /** Resolves before any project code runs: true if the process can write only to its own folders. */
  async start(): Promise<boolean> {
    return (await this.ask({ kind: "start" })) === true;
  }

  /**
   * Sends a question once the previous one is answered.
   *
   * @throws {CompilerFailure} The answer is an error to show to the user.
   * @throws {InterruptedError} The signal was aborted.
   */
  ask(question: Question): Promise<unknown> {
    const answer = this.#last.then(() => this.#ask(question));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #ask(question: Question): Promise<unknown> {
    if (this.#signal.aborted) throw new InterruptedError();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a pipe, by `stdio`
    (this.#child.stdin as Writable).write(`${JSON.stringify(question)}\n`);
    const { value: line, done } = await this.#lines.next().catch((error: unknown) => {
      throw this.#signal.aborted ? new InterruptedError() : error;
    });
    if (this.#signal.aborted) throw new InterruptedError();
    if (done === true) throw await this.#ended();
    const answer = readAnswer(line);
    if (answer === undefined) throw forged(undefined);
    if (answer.kind === "done") return answer.value;
    if (answer.kind === "defect") throw new Error(answer.trace);
    throw new CompilerFailure(answer);
  }

  async #ended(): Promise<Error> {
    await this.#closed;
    const { exitCode, signalCode } = this.#child;
    const printed = this.#printed.trim();
    const how = signalCode === null ? `with code ${exitCode}` : `by ${signalCode}`;
    return new ConfigurationError(
      `The process that compiles the templates ended ${how}.${printed === "" ? "" : `\n${printed}`}`,
      { hint: "To find the template that causes it, compile them one by one: templates build NAME" },
    );
  }

  /** Ends the process and everything that it started: gracefully if possible, else by force. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#signal.removeEventListener("abort", this.#stop);
    this.#stop();
    const killTimer = setTimeout(endGroup, GRACE_MS, this.#child);
    await this.#exited;
    clearTimeout(killTimer);
    endGroup(this.#child);
  }

  readonly #stop = (): void => {
    this.#child.stdin?.end();
    this.#answers.destroy();
  };
}

async function* linesOf(stream: Readable): AsyncGenerator<string, undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream without an encoding
    let rest = chunk as Buffer;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      yield Buffer.concat([...parts, rest.subarray(0, end)]).toString();
      rest = rest.subarray(end + 1);
      parts = [];
      size = 0;
    }
    size += rest.length;
    if (size > ANSWER_MAX_BYTES)
      throw new ConfigurationError("The compiled templates are too large to read: more than 512 MB.");
    parts.push(rest);
  }
  return undefined;
}
