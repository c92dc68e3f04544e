import { type RequestFacts, UnreachableError } from "../errors.js";
import type { JsonPieces } from "./json-pieces.js";
import type { AnswerHeaders } from "./rate-limit.js";
import type { Redact } from "./redact.js";

/** Most of what is read of an answer. A page is far below; version 3's search gives all entries of a time at once. */
export const ANSWER_BYTES_MAX = 128 * 1024 * 1024;

/** What is kept of an answer that is longer: its error quotes the beginning. */
export const TRUNCATED_BYTES = 64 * 1024;

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

/** Makes single requests to one origin. All that touches the network is an implementation of this. */
export interface Transport {
  /**
   * Follows no redirect, and makes a request once.
   *
   * @throws UnreachableError, TimeoutError, AbortedError; an answer of any status is not an error here.
   */
  exchange(request: HttpRequest): Promise<HttpAnswer>;
  /** No request is under way any more. */
  close(): Promise<void>;
}

/** Called when the first request needs it. */
export type OpenTransport = (origin: string, redact: Redact) => Transport | Promise<Transport>;

/** Sends requests to one origin. */
export interface Http {
  readonly closed: boolean;
  /** Throws what the transport throws. */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Waits for the requests under way, then closes the transport. */
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

/** A network error in words. Trying several addresses fails with an error whose own message is empty. */
export function reasonOf(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const message = error.message || (first instanceof Error ? first.message : "");
  return message || ("code" in error ? String(error.code) : error.name);
}
