import { types } from "node:util";
import type { WebStream } from "./attachment.js";

/** A stream that cannot be sent, and why. */
export class StreamProblem extends Error {}
/** The stream was cut short because the rest is not needed. */
export const TOO_LARGE = Symbol("too large");

export type ByteStream = WebStream | AsyncIterable<unknown>;

export function isByteStream(content: object): content is ByteStream {
  return Symbol.asyncIterator in content || ("getReader" in content && typeof content.getReader === "function");
}

/**
 * Reads a stream until it ends, or until it exceeds the available room; then it is closed.
 *
 * @throws {StreamProblem} A chunk is neither bytes nor a string, or the stream was read before.
 * @throws The stream's own error, or the signal's reason.
 */
export async function readStream(
  stream: ByteStream,
  room: number,
  signal: AbortSignal,
): Promise<Uint8Array | typeof TOO_LARGE> {
  if ("readableEncoding" in stream && stream.readableEncoding)
    throw new StreamProblem("is a text stream: pass a byte stream, without an encoding");
  // It was at least partly read by another send, such as a failed one that is repeated: the beginning would be missing.
  if ("readableDidRead" in stream && stream.readableDidRead === true)
    throw new StreamProblem("is a stream that was read before: create a new one for each send");
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const source = open(stream);
  try {
    for (;;) {
      const { done, value } = await orAborted(source.next(), signal);
      if (done) return pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces, bytes);
      const piece = typeof value === "string" ? Buffer.from(value) : value;
      if (!types.isUint8Array(piece)) throw new StreamProblem("contains chunks that are neither bytes nor strings");
      bytes += piece.byteLength;
      if (bytes > room) return TOO_LARGE;
      pieces.push(piece);
    }
  } finally {
    source.end();
  }
}

/** Closes a stream that is no longer read, so that its resources are released. */
export function endStream(stream: ByteStream): void {
  try {
    open(stream).end();
  } catch {
    // Its other reader will close it.
  }
}

interface Source {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Releases its resources, without waiting for the result or reporting it. */
  end(): void;
}

function open(stream: ByteStream): Source {
  if (!(Symbol.asyncIterator in stream)) {
    const reader = stream.getReader();
    return { next: () => reader.read(), end: () => void reader.cancel().catch(() => undefined) };
  }
  const iterator = stream[Symbol.asyncIterator]();
  return {
    next: async () => iterator.next(),
    end() {
      // An iterator that waits for its stream cannot return; the stream itself can be destroyed.
      if ("destroy" in stream && typeof stream.destroy === "function") Reflect.apply(stream.destroy, stream, []);
      else void Promise.resolve(iterator.return?.()).catch(() => undefined);
    },
  };
}

/** @throws The signal's reason, immediately, when it is aborted. */
export async function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", stop));
}

/**
 * Keeps streams among attachments from crashing the process: a missing file fails immediately, and an error event
 * without a listener is thrown as an uncaught exception. Must be called before anything is awaited; reading the stream
 * reports its error.
 */
export function holdStreams(attachments: unknown): void {
  if (!Array.isArray(attachments)) return;
  for (const attachment of attachments as readonly unknown[]) {
    const content: unknown = isRecord(attachment) ? attachment["content"] : undefined;
    if (isRecord(content) && typeof content["on"] === "function")
      Reflect.apply(content["on"], content, ["error", ignore]);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function ignore(): void {
  // Reading the stream reports the error.
}
