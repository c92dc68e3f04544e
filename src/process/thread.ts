import { type MessagePort, parentPort, Worker, type WorkerOptions } from "node:worker_threads";
import { type Callable, type Channel, Rpc, type RpcOptions } from "./rpc.js";

/** A thread has ended. If it ended with an error, that is the cause. */
export class ThreadEndedError extends Error {}

export interface ThreadOptions extends RpcOptions, WorkerOptions {
  /** What the thread is, for messages: `The thread that renders MJML`. */
  readonly title: string;
  readonly onEnd?: (error: ThreadEndedError) => void;
}

/**
 * A worker whose functions can be called. It keeps the process alive only while a call is pending.
 *
 * @typeParam Remote The functions that its module passes to `serveThread`.
 */
export class Thread<Remote extends Callable<Remote>> extends Rpc<Remote> {
  readonly #worker: Worker;

  constructor(module: URL, { functions, factsOf, title, onEnd, ...options }: ThreadOptions) {
    const worker = new Worker(module, { argv: [], execArgv: [], ...options });
    super(
      {
        send: (message) => post(worker, message),
        listen(onMessage, onClose) {
          let cause: Error | undefined;
          worker.on("message", onMessage);
          worker.on("error", (error: Error) => (cause = error));
          // A failing worker emits "error", which may overtake answers, and then "exit", which does not.
          worker.on("exit", (code) =>
            setImmediate(() => {
              const error = new ThreadEndedError(
                `${title} ended${cause ? `: ${cause.message}` : ` with code ${code}.`}`,
                { cause },
              );
              onClose(error);
              onEnd?.(error);
            }),
          );
        },
      },
      { ...(functions && { functions }), ...(factsOf && { factsOf }) },
    );
    this.#worker = worker;
    // Adding listeners would undo this, so it comes last.
    worker.unref();
  }

  override async call<Name extends keyof Remote & string>(
    name: Name,
    input: Parameters<Remote[Name]>[0],
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<Remote[Name]>>> {
    this.#worker.ref();
    try {
      return await super.call(name, input, signal);
    } finally {
      if (this.pending === 0) this.#worker.unref();
    }
  }

  /** Ends the thread now. Pending calls reject. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Connects a worker with the thread that started it. The worker's module calls this once. */
export function serveThread<Remote extends Callable<Remote>>(options: RpcOptions): Rpc<Remote> {
  const port = parentPort;
  if (!port) throw new Error("This module runs only in a worker.");
  return new Rpc(portChannel(port), options);
}

function portChannel(port: MessagePort): Channel {
  return {
    send: (message) => post(port, message),
    // The worker ends with the thread that started it.
    listen: (onMessage) => void port.on("message", onMessage),
  };
}

function post(port: MessagePort | Worker, message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(message);
}
