import type { RequestFacts } from "../errors.js";
import type { Redact } from "./base-url.js";

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

/** Headers of an answer, with lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

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

/** Describes a network error. If several addresses were tried, the error's own message is empty. */
export function reasonOf(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const message = error.message || (first instanceof Error ? first.message : "");
  return message || ("code" in error ? String(error.code) : error.name);
}

/** Error codes of Node and Bun if there was no connection, or no trusted one. */
const NO_CONNECTION =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|(?:CERT|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_\w+)$/;

/** Whether there was no connection at the time of a network error, so that nothing was sent. */
export function failedToConnect(cause: Error): boolean {
  const [code, syscall]: unknown[] = [Reflect.get(cause, "code"), Reflect.get(cause, "syscall")];
  if (syscall === "connect" || syscall === "getaddrinfo") return true;
  if (typeof code === "string") return NO_CONNECTION.test(code);
  // Deno has no codes, and no platform has one for ports that fetch blocks.
  return /client error \(Connect\)|^bad port$|Requests to port \d+ are blocked/.test(cause.message);
}

/** How many bytes are encoded at a time: a multiple of three, so that only the last chunk has padding. */
const PIECE_BYTES = 48 * 1024;

/**
 * A file's bytes as a base64 string in JSON. Encoded in chunks, so that the whole string never exists in memory.
 *
 * @example
 * const content = new Base64Content(await readFile("terms.pdf"));
 * await client.emails.send("example.com", { ...email, attachments: [{ filename: "terms.pdf", content }] });
 */
export class Base64Content {
  /** @param bytes Not copied: don't change them until the call has ended. */
  constructor(readonly bytes: Uint8Array) {}

  /** Number of characters of the whole base64 string. */
  get length(): number {
    return Math.ceil(this.bytes.byteLength / 3) * 4;
  }

  *pieces(): Iterable<string> {
    const { buffer, byteOffset, byteLength } = this.bytes;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    for (let start = 0; start < byteLength; start += PIECE_BYTES)
      yield bytes.toString("base64", start, Math.min(start + PIECE_BYTES, byteLength));
  }

  /** The whole base64 string, for `JSON.stringify`. */
  toJSON(): string {
    return [...this.pieces()].join("");
  }
}

/** JSON of known length that is written in chunks, repeatedly if necessary. */
export class JsonPieces {
  readonly byteLength: number;

  constructor(private readonly parts: readonly (string | Base64Content)[]) {
    this.byteLength = parts.reduce(
      (sum, part) => sum + (typeof part === "string" ? Buffer.byteLength(part) : part.length),
      0,
    );
  }

  *[Symbol.iterator](): Iterator<string> {
    for (const part of this.parts) {
      if (typeof part === "string") yield part;
      else yield* part.pieces();
    }
  }
}
