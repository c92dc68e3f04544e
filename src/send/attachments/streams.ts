import { types } from "node:util";
import type { WebStream } from "./attachment.js";

/** Why a stream gave nothing that can be sent. */
export class StreamProblem extends Error {}
/** A stream was ended before its end: nobody needs the rest. */
export const TOO_LARGE = Symbol("too large");

export type ByteStream = WebStream | AsyncIterable<unknown>;

export function isByteStream(content: object): content is ByteStream {
  return Symbol.asyncIterator in content || ("getReader" in content && typeof content.getReader === "function");
}

/**
 * Reads a stream to its end, or until it has given more than there is room for; then it is ended.
 *
 * @throws {StreamProblem} A piece of it is neither bytes nor a text, or it was read before.
 * @throws Whatever the stream fails with, or the signal's reason.
 */
export async function readStream(
  stream: ByteStream,
  room: number,
  signal: AbortSignal,
): Promise<Uint8Array | typeof TOO_LARGE> {
  if ("readableEncoding" in stream && stream.readableEncoding)
    throw new StreamProblem("is a stream of text: make it one of bytes, without an encoding");
  // In another send, as when one that failed is made again, or a part of it: the beginning would be missing.
  if ("readableDidRead" in stream && stream.readableDidRead === true)
    throw new StreamProblem("is a stream that was read before: make a new one for each send");
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const source = open(stream);
  try {
    for (;;) {
      const { done, value } = await orAborted(source.next(), signal);
      if (done) return pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces, bytes);
      const piece = typeof value === "string" ? Buffer.from(value) : value;
      if (!types.isUint8Array(piece)) throw new StreamProblem("gives something that is neither bytes nor a text");
      bytes += piece.byteLength;
      if (bytes > room) return TOO_LARGE;
      pieces.push(piece);
    }
  } finally {
    source.end();
  }
}

/** Ends a stream that is not read any more, so that what is behind it is closed. */
export function endStream(stream: ByteStream): void {
  try {
    open(stream).end();
  } catch {
    // Somebody else reads it, and will end it.
  }
}

interface Source {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Lets go of what is behind it. Nobody waits for that, nor hears whether it worked. */
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
      // An iterator that waits for its stream cannot be asked to return; the stream itself can be ended.
      if ("destroy" in stream && typeof stream.destroy === "function") Reflect.apply(stream.destroy, stream, []);
      else void Promise.resolve(iterator.return?.()).catch(() => undefined);
    },
  };
}

/** @throws The signal's reason, at once, when it is aborted. */
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
 * Keeps streams among attachments from ending the process: a file that is not there fails at once, and a stream's failure that
 * nobody listens to is thrown at no one. To be called before anything is awaited; the reading tells of the failure.
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
  // Reading it says what went wrong.
}
