import type { Readable } from "node:stream";
import type { Dispatcher, Pool } from "undici";
import { AbortedError, type RequestFacts, TimeoutError, UnreachableError } from "../errors.js";
import type { JsonPieces } from "./json-pieces.js";
import type { AnswerHeaders } from "./rate-limit.js";
import { type Redact, redactCause } from "./redact.js";

/** Most of what is read of an answer. A page is far below; version 3's search gives all entries of a time at once. */
export const ANSWER_BYTES_MAX = 128 * 1024 * 1024;
const CONNECTIONS_MAX = 64;

export interface HttpRequest {
  readonly facts: RequestFacts;
  /** From the origin, with the query, encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | JsonPieces | undefined;
  /** The deadline of the whole call, for what is said when it is over. */
  readonly timeoutMs: number;
  /** What is left of it. */
  readonly remainingMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** What HTTP calls the status, in the server's words; may be empty. */
  readonly statusText: string;
  readonly headers: AnswerHeaders;
  readonly body: Buffer;
  /** Whether the body was longer than what is read, and only its beginning was. */
  readonly truncated: boolean;
}

/** Sends requests to one origin over kept-alive connections. The one place that touches the network. */
export interface Http {
  readonly closed: boolean;
  /** @throws UnreachableError, TimeoutError, AbortedError; an answer of any status is not an error here. */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Waits for the requests under way, then closes the connections. */
  close(): Promise<void>;
}

export function createHttp(origin: string, redact: Redact): Http {
  const underWay = new Set<Promise<HttpAnswer>>();
  let opening: Promise<Pool> | undefined;
  let opened: Pool | undefined;
  let closed = false;

  async function open(): Promise<Pool> {
    const { Pool } = await import("undici");
    // The deadline of each call takes the place of undici's own limits on waiting for an answer.
    opened = new Pool(origin, { connections: CONNECTIONS_MAX, headersTimeout: 0, bodyTimeout: 0 });
    return opened;
  }

  function exchange(request: HttpRequest, pool: Pool): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => new Exchange(request, redact, resolve, reject).start(pool));
  }

  return {
    get closed() {
      return closed;
    },
    async request(request) {
      if (closed) throw new UnreachableError(request.facts, false, "the client is closed");
      const answer = opened ? exchange(request, opened) : (opening ??= open()).then((pool) => exchange(request, pool));
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    async close() {
      closed = true;
      await Promise.allSettled(underWay);
      await (await opening)?.destroy();
    },
  };
}

/**
 * One request and its answer. It handles undici's dispatch itself, because that is where the moment shows in which a
 * request is handed to a connection: until then nothing was sent, and it can still be withdrawn.
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
      body: Buffer.concat(this.#chunks),
      truncated,
    });
    if (truncated) this.#controller?.abort(new Error("too long"));
  }

  #fail(error: Error): void {
    if (!this.#end()) return;
    this.reject(error);
    this.#controller?.abort(error);
  }

  /** Whether this was the first end; what undici reports of its own aborted request afterwards is of no interest. */
  #end(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.request.signal?.removeEventListener("abort", this.#onAbort);
    return true;
  }
}

/** Pieces are asked for as fast as the connection takes them. */
function withBody(headers: HttpRequest["headers"], body: HttpRequest["body"]) {
  if (body === undefined || typeof body === "string") return { headers, body: body ?? null };
  // undici takes whatever can be iterated; only its types don't say so.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { headers: { ...headers, "content-length": String(body.byteLength) }, body: body as unknown as Readable };
}

/** A network error in words. Trying several addresses fails with an error whose own message is empty. */
function reasonOf(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const message = error.message || (first instanceof Error ? first.message : "");
  return message || ("code" in error ? String(error.code) : error.name);
}
