import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { ConfigurationError } from "../errors.js";
import { attempt } from "../files.js";
import { type Callable, type Channel, MalformedMessageError, Rpc, type RpcOptions } from "./rpc.js";
import { createSandbox, type SandboxFolders } from "./sandbox.js";

/*
 * A process that runs project code for a command that may hold keys. Messages are JSON documents, one per line. The process
 * reads them from its standard input, which closes when the command ends, however that happens. It writes them to the file
 * descriptor below, because project code may print to standard output.
 */
const OUTPUT = 3;

/** Well above 200 templates of the largest size, with their fixtures. */
const MESSAGE_MAX_BYTES = 512 * 1024 * 1024;

/** How many of the last characters of the process's stderr are kept, for when it ends unexpectedly. */
const PRINTED_MAX = 8000;

/** Milliseconds that the process has to exit by itself before it is killed. */
const GRACE_MS = 2000;

export interface KeylessProcessOptions extends RpcOptions {
  /** What it runs: a module that calls `serveProcess`. */
  readonly module: URL;
  /** What it does, for messages: `compiles the templates`. */
  readonly purpose: string;
  readonly folders: SandboxFolders;
  /** The process's whole environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly execArgv?: readonly string[];
  /** Whether to print its stderr. If not, the end of it is part of the error if the process ends unexpectedly. */
  readonly isPrinting?: boolean;
}

/**
 * A process without keys, isolated as far as the system allows.
 *
 * @typeParam Remote The functions that its module passes to `serveProcess`. Project code runs there and may answer in their
 * place, so their results have the type `unknown`.
 */
export class KeylessProcess<Remote extends Callable<Remote>> extends Rpc<Remote> {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #closing?: Promise<void>;

  constructor({ module, purpose, folders, env, execArgv = [], isPrinting = false, ...options }: KeylessProcessOptions) {
    const sandbox = createSandbox(folders);
    const [file, ...args] = [...sandbox.command, process.execPath, ...execArgv, fileURLToPath(module)] as const;
    const child = spawn(file, args, {
      env: { ...env, ...sandbox.env },
      stdio: ["pipe", "ignore", isPrinting ? "inherit" : "pipe", "pipe"],
      // Detached from the terminal: the command handles Ctrl-C, and project code can't read what the user types.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    super(channelTo(child, purpose), options);
    this.#child = child;
    this.#exited = once(child, "exit").catch(() => undefined);
  }

  /** Ends the process and everything that it started: gracefully if possible, else by force. Pending calls reject. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Rejects pending and later calls. */
  override disconnect(error: Error): void {
    super.disconnect(error instanceof MalformedMessageError ? tampered(error) : error);
  }

  async #close(): Promise<void> {
    this.disconnect(new Error("The process was closed."));
    this.#child.stdin?.end();
    outputOf(this.#child).destroy();
    const killTimer = setTimeout(killGroup, GRACE_MS, this.#child);
    await this.#exited;
    clearTimeout(killTimer);
    killGroup(this.#child);
  }
}

/** Kills the leader of a process group and everything that it started. */
function killGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  // Fails if it has already ended.
  attempt(() => (process.platform === "win32" ? child.kill("SIGKILL") : process.kill(-pid, "SIGKILL")));
}

/** The process sent something that lettershop never writes. */
export function tampered(cause: unknown): ConfigurationError {
  return new ConfigurationError("Project code tampered with the compiler's output.", {
    cause,
    hint: "None of the output is used. Look for code in the templates or the configuration that writes to open file descriptors.",
  });
}

function outputOf({ stdio }: ChildProcess): Readable {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a pipe, by `stdio`
  return stdio[OUTPUT] as Readable;
}

function channelTo(child: ChildProcess, purpose: string): Channel {
  let printed = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (printed = (printed + text).slice(-PRINTED_MAX)));
  child.stdin?.on("error", () => undefined); // The process has ended.
  return {
    send: (message) => writeLine(child.stdin, message),
    listen(onMessage, onClose) {
      readLines(outputOf(child), onMessage).catch(onClose);
      child.on("error", onClose);
      // Exited, and all of its output was read.
      child.on("close", (code, signal) => {
        const how = signal === null ? `with code ${code}` : `by ${signal}`;
        const lines = [`The process that ${purpose} ended ${how}.`, printed.trim()];
        onClose(
          new ConfigurationError(lines.filter((line) => line !== "").join("\n"), {
            hint: "To find the template that causes it, compile them one by one: templates build NAME",
          }),
        );
      });
    },
  };
}

/** The side of the process that runs project code. */
export interface ServedProcess<Remote extends Callable<Remote>> {
  /** The command that started this process. */
  readonly command: Rpc<Remote>;
  /** Aborted when the command has ended or needs nothing more. The process should then exit soon. */
  readonly signal: AbortSignal;
}

/** Connects this process with the command that started it. Called once. */
export function serveProcess<Remote extends Callable<Remote>>(options: RpcOptions): ServedProcess<Remote> {
  const output = new Socket({ fd: OUTPUT, readable: false, writable: true });
  output.on("error", () => undefined); // The command has stopped reading.
  const ended = new AbortController();
  const command = new Rpc<Remote>(
    {
      send: (message) => writeLine(output, message),
      listen: (onMessage, onClose) =>
        void readLines(process.stdin, onMessage)
          .catch(onClose)
          .then(() => ended.abort()),
    },
    options,
  );
  return { command, signal: ended.signal };
}

function writeLine(stream: Writable | null, message: unknown): void {
  stream?.write(`${JSON.stringify(message)}\n`);
}

/** @throws {ConfigurationError} A line is not JSON, or is too long. */
async function readLines(stream: Readable, onMessage: (message: unknown) => void): Promise<void> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream without an encoding
    let rest = chunk as Buffer;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const line = Buffer.concat([...parts, rest.subarray(0, end)]).toString();
      // A line that is not JSON is not a valid message.
      onMessage(attempt(() => JSON.parse(line)));
      rest = rest.subarray(end + 1);
      parts = [];
      size = 0;
    }
    size += rest.length;
    if (size > MESSAGE_MAX_BYTES)
      throw new ConfigurationError("The compiled templates are too large to read: more than 512 MB.");
    parts.push(rest);
  }
}
