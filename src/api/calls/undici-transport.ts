import type { Readable } from "node:stream";
import type { Dispatcher, Pool } from "undici";
import { AbortedError, TimeoutError, UnreachableError } from "../errors.js";
import { fetchTransport } from "./fetch-transport.js";
import {
  ANSWER_BYTES_MAX,
  type AnswerHeaders,
  type HttpAnswer,
  type HttpRequest,
  reasonOf,
  type Transport,
  TRUNCATED_BYTES,
} from "./http.js";
import { type Redact, redactCause } from "./base-url.js";

const CONNECTIONS_MAX = 64;

/**
 * Makes requests over a pool of kept-alive connections: four times as many per second as with fetch. If undici is
 * unusable, because Bun replaces it or a bundler broke it, fetch is used.
 */
export async function undiciTransport(origin: string, redact: Redact): Promise<Transport> {
  const Pool = await loadPool();
  if (Pool === undefined) return fetchTransport(origin, redact);
  // Each call's timeout replaces undici's own limits on waiting for an answer.
  const pool = new Pool(origin, { connections: CONNECTIONS_MAX, headersTimeout: 0, bodyTimeout: 0 });
  return {
    exchange: (request) => new Promise((resolve, reject) => new Exchange(request, redact, resolve, reject).start(pool)),
    close: () => pool.destroy(),
  };
}

async function loadPool(): Promise<typeof Pool | undefined> {
  const loaded = await import("undici").catch(() => undefined);
  return typeof loaded?.Pool?.prototype.dispatch === "function" ? loaded.Pool : undefined;
}

/**
 * One request and its answer. Implements undici's dispatch handler, because it reveals when a request is passed to a
 * connection: until then nothing was sent, and it can be withdrawn.
 */
class Exchange implements Dispatcher.DispatchHandler {
  #requestSent = false;
  #ended = false;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #status = 0;
  #statusText = "";
  #headers: AnswerHeaders = {};
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    private readonly request: HttpRequest,
    private readonly redact: Redact,
    private readonly resolve: (answer: HttpAnswer) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  start(pool: Pool): void {
    const { facts, target, headers, body, timeoutMs, remainingMs, signal } = this.request;
    if (signal?.aborted) return this.#onAbort();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.#timer = setTimeout(() => this.#fail(new TimeoutError(facts, this.#requestSent, timeoutMs)), remainingMs);
    pool.dispatch({ method: facts.method, path: target, ...withBody(headers, body) }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#ended) return controller.abort(new Error("withdrawn"));
    this.#controller = controller;
    this.#requestSent = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: AnswerHeaders,
    statusText = "",
  ): void {
    this.#status = status;
    this.#statusText = statusText;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > ANSWER_BYTES_MAX) this.#succeed(true);
  }

  onResponseEnd(): void {
    this.#succeed(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(
      new UnreachableError(
        this.request.facts,
        this.#requestSent,
        this.redact(reasonOf(error)),
        redactCause(error, this.redact),
      ),
    );
  }

  readonly #onAbort = (): void => {
    const { facts, signal } = this.request;
    this.#fail(new AbortedError(facts, this.#requestSent, redactCause(signal?.reason, this.redact)));
  };

  #succeed(truncated: boolean): void {
    if (!this.#end()) return;
    this.resolve({
      status: this.#status,
      statusText: this.#statusText,
      headers: this.#headers,
      body: Buffer.concat(this.#chunks, truncated ? TRUNCATED_BYTES : undefined),
      truncated,
    });
    if (truncated) this.#controller?.abort(new Error("too long"));
  }

  #fail(error: Error): void {
    if (!this.#end()) return;
    this.reject(error);
    this.#controller?.abort(error);
  }

  /** Whether this was the first end; what undici then reports about its own aborted request is ignored. */
  #end(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.request.signal?.removeEventListener("abort", this.#onAbort);
    return true;
  }
}

/** Chunks are requested as fast as the connection accepts them. */
function withBody(headers: HttpRequest["headers"], body: HttpRequest["body"]) {
  if (body === undefined || typeof body === "string") return { headers, body: body ?? null };
  // undici accepts any iterable, but its types don't say so.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { headers: { ...headers, "content-length": String(body.byteLength) }, body: body as unknown as Readable };
}
