import { inspect } from "node:util";
import { LettershopError } from "../errors.js";
import { type MessagePort, parentPort, Worker, type WorkerOptions } from "node:worker_threads";

/*
 * Calls between threads and processes: each side offers functions by name, and calls those of the other one. Only inputs,
 * results and facts about errors are sent, as plain data.
 */

/** A two-way connection to another thread or process. */
export interface Channel {
  /** @throws {Error} The message can't be cloned. */
  send(message: RpcMessage): void;
  /** @param onClose Nothing more will arrive. */
  listen(onMessage: (message: unknown) => void, onClose: (error: Error) => void): void;
}

/** The functions that one side offers. If the other side is not trusted, their inputs and results have the type `unknown`. */
export type Callable<Side> = { readonly [Name in keyof Side]: (input: never) => unknown };

type Functions = Readonly<Record<string, (input: never) => unknown>>;

/** What is sent about an error. */
export interface ErrorFacts {
  readonly message: string;
  readonly name?: string | undefined;
  /** The code of a `LettershopError`. */
  readonly code?: string | undefined;
  readonly hint?: string | undefined;
  readonly stack?: string | undefined;
}

/** A call, or a notification if it has no ID. */
interface Request {
  readonly id?: number;
  readonly name: string;
  readonly input: unknown;
}

export type RpcMessage =
  | Request
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: ErrorFacts };

export interface RpcOptions {
  /** What the other side can call. Calls wait for a promise. */
  readonly functions?: Functions | Promise<Functions>;
  /** What to send about an error that one of these functions throws. Default: its message, code, hint and stack. */
  readonly factsOf?: (error: unknown) => ErrorFacts | Promise<ErrorFacts>;
}

/** A `LettershopError` that the other side threw. */
export class RemoteError extends LettershopError {
  override readonly name = "RemoteError";
  readonly code: string;

  constructor(code: string, message: string, options: { hint?: string | undefined }) {
    super(message, options);
    this.code = code;
  }
}

/** The other side sent something that is not a message. */
export class MalformedMessageError extends Error {}

interface PendingCall {
  /** The value has the type of the function's result; of a side that is not trusted, that type is `unknown`. */
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * One side of a connection.
 *
 * @typeParam Remote The functions of the other side.
 */
export class Rpc<Remote extends Callable<Remote>> {
  readonly #channel: Channel;
  readonly #functions: Functions | Promise<Functions>;
  readonly #factsOf: NonNullable<RpcOptions["factsOf"]>;
  readonly #pending = new Map<number, PendingCall>();
  #lastId = 0;
  #closed: Error | undefined;

  constructor(channel: Channel, { functions = {}, factsOf = errorFacts }: RpcOptions = {}) {
    this.#channel = channel;
    this.#functions = functions;
    this.#factsOf = factsOf;
    channel.listen(
      (message) => this.#receive(message),
      (error) => this.disconnect(error),
    );
  }

  /** Number of calls that the other side has not answered yet. */
  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Calls a function of the other side.
   *
   * @param signal Stops waiting for the result; the promise rejects with its reason.
   * @throws {RemoteError} The function threw a `LettershopError`. For another error, an `Error` with its message and stack.
   */
  async call<Name extends keyof Remote & string>(
    name: Name,
    input: Parameters<Remote[Name]>[0],
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<Remote[Name]>>> {
    if (this.#closed) throw this.#closed;
    signal?.throwIfAborted();
    const id = (this.#lastId += 1);
    let onAbort = (): void => {};
    try {
      return await new Promise((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        onAbort = () => reject(signal?.reason);
        signal?.addEventListener("abort", onAbort);
        this.#channel.send({ id, name, input });
      });
    } finally {
      this.#pending.delete(id);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Calls a function of the other side without waiting for it. If it throws, that side disconnects. */
  notify<Name extends keyof Remote & string>(name: Name, input: Parameters<Remote[Name]>[0]): void {
    this.#send({ name, input });
  }

  /** Rejects pending and later calls with this error. */
  disconnect(error: Error): void {
    this.#closed ??= error;
    for (const call of this.#pending.values()) call.reject(this.#closed);
  }

  #send(message: RpcMessage): void {
    if (!this.#closed) this.#channel.send(message);
  }

  #receive(message: unknown): void {
    if (this.#closed) return;
    if (!isMessage(message)) return this.disconnect(new MalformedMessageError("The message is not valid."));
    if ("name" in message) return void this.#perform(message);
    const call = this.#pending.get(message.id);
    if ("error" in message) call?.reject(errorOf(message.error));
    else call?.resolve(message.value);
  }

  async #perform({ id, name, input }: Request): Promise<void> {
    try {
      const functions = await this.#functions;
      const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
      if (!called) throw new MalformedMessageError(`There is no function ${name}.`);
      // Functions that an untrusted side can call take `unknown`.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const value = await called(input as never);
      if (id !== undefined) this.#send({ id, value });
    } catch (error) {
      if (id === undefined) this.disconnect(error instanceof Error ? error : new Error(String(error)));
      else this.#send({ id, error: await this.#factsOf(error) });
    }
  }
}

function isMessage(message: unknown): message is RpcMessage {
  if (typeof message !== "object" || message === null) return false;
  if ("name" in message && typeof message.name !== "string") return false;
  return "id" in message ? typeof message.id === "number" : "name" in message;
}

export function errorFacts(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { message: inspect(error) };
  const { name, message, stack } = error;
  return { name, message, stack, ...(error instanceof LettershopError && { code: error.code, hint: error.hint }) };
}

function errorOf(facts: unknown): Error {
  const texts = Object.entries(Object(facts)).filter((fact): fact is [string, string] => typeof fact[1] === "string");
  const { name = "Error", message = "", code, hint, stack } = Object.fromEntries(texts);
  const error =
    code === undefined ? Object.assign(new Error(message), { name }) : new RemoteError(code, message, { hint });
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** A thread has ended. If it ended with an error, that is the cause. */
export class ThreadEndedError extends Error {}

interface ThreadOptions extends RpcOptions, WorkerOptions {
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
      { functions, factsOf },
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
