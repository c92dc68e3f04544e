import { type RequestFacts, UnreachableError } from "../errors.js";
import type { JsonPieces } from "./json-pieces.js";
import type { AnswerHeaders } from "./rate-limit.js";
import type { Redact } from "./redact.js";

/**
 * Maximum bytes to read of an answer. A page is much smaller, but version 3's search returns all entries of a time
 * span.
 */
export const ANSWER_BYTES_MAX = 128 * 1024 * 1024;

/** How much of a longer answer is kept, for its error to quote. */
export const TRUNCATED_BYTES = 64 * 1024;

export interface HttpRequest {
  readonly facts: RequestFacts;
  /** After the origin, with the query, encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | JsonPieces | undefined;
  /** The timeout of the whole call, for error messages. */
  readonly timeoutMs: number;
  /** What is left of the timeout. */
  readonly remainingMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** The server's HTTP status text; may be empty. */
  readonly statusText: string;
  readonly headers: AnswerHeaders;
  readonly body: Buffer;
  /** Whether the body was too long, so that only its beginning was read. */
  readonly truncated: boolean;
}

/** Makes single requests to one origin. All network access is in implementations of this interface. */
export interface Transport {
  /**
   * Makes a request once, without following redirects.
   *
   * @throws UnreachableError, TimeoutError, AbortedError. An answer of any status is not an error here.
   */
  exchange(request: HttpRequest): Promise<HttpAnswer>;
  /** Called when no requests are in progress. */
  close(): Promise<void>;
}

/** Called when the first request needs it. */
export type OpenTransport = (origin: string, redact: Redact) => Transport | Promise<Transport>;

/** Sends requests to one origin. */
export interface Http {
  readonly closed: boolean;
  /** Throws the transport's errors. */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Waits for requests in progress, then closes the transport. */
  close(): Promise<void>;
}

export function createHttp(open: () => Transport | Promise<Transport>): Http {
  const underWay = new Set<Promise<HttpAnswer>>();
  let opening: Promise<Transport> | undefined;
  let opened: Transport | undefined;
  let closed = false;

  async function openTransport(): Promise<Transport> {
    opened = await open();
    return opened;
  }

  return {
    get closed() {
      return closed;
    },
    async request(request) {
      if (closed) throw new UnreachableError(request.facts, false, "the client is closed");
      const answer = opened
        ? opened.exchange(request)
        : (opening ??= openTransport()).then((transport) => transport.exchange(request));
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
      await (await opening)?.close();
    },
  };
}

/** Describes a network error. If several addresses were tried, the error's own message is empty. */
export function reasonOf(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const message = error.message || (first instanceof Error ? first.message : "");
  return message || ("code" in error ? String(error.code) : error.name);
}
