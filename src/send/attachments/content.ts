import { readFile, stat } from "node:fs/promises";
import { types } from "node:util";
import type { BlobLike, WebStream } from "./attachment.js";

/** The content of an attachment before it is read. */
export interface UnreadContent {
  /** Its size in bytes; undefined for a stream, whose size is unknown. */
  readonly size?: number | undefined;
  /** @throws The problem with it, for `problemOf`. */
  read(room: number, signal: AbortSignal): Promise<Uint8Array | typeof TOO_LARGE>;
  /** Releases it without reading. */
  end(): void;
}

export type Refuse = (message: string) => undefined;

export function readableContent(content: unknown, refuse: Refuse): UnreadContent | undefined {
  if (content === undefined || content === null) return refuse("is missing: an attachment needs content or a path");
  if (typeof content === "string") return base64Content(content, refuse);
  if (types.isUint8Array(content)) return bytesContent(content);
  if (types.isAnyArrayBuffer(content)) return bytesContent(new Uint8Array(content));
  if (typeof content === "object" && isBlob(content))
    return {
      size: content.size,
      read: async (_room, signal) => new Uint8Array(await orAborted(content.arrayBuffer(), signal)),
      end: nothing,
    };
  if (typeof content === "object" && isByteStream(content))
    return { read: (room, signal) => readStream(content, room, signal), end: () => endStream(content) };
  return refuse("is not bytes, a base64 string, a Blob or a stream");
}

export async function fileContent(file: string, refuse: Refuse): Promise<UnreadContent | undefined> {
  try {
    const facts = await stat(file);
    if (!facts.isFile()) return refuse("is not a file");
    return { size: facts.size, read: (_room, signal) => readFile(file, { signal }), end: nothing };
  } catch (error) {
    return refuse(problemOf(error));
  }
}

/** Describes a failed read without what the error quotes: paths, and the application's own data. */
export function problemOf(error: unknown): string {
  if (error instanceof StreamProblem) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return `can't be read (${code ?? (error instanceof Error ? error.name : "unknown reason")})`;
}

function base64Content(text: string, refuse: Refuse): UnreadContent | undefined {
  const bytes = decodeBase64(text);
  if (bytes !== undefined) return bytesContent(bytes);
  return refuse(text.startsWith("data:") ? "is a data: URL: pass only the part after the comma" : NOT_BASE64);
}

const NOT_BASE64 = "is not base64. To attach plain text, pass Buffer.from(text)";

function bytesContent(bytes: Uint8Array): UnreadContent {
  return { size: bytes.byteLength, read: async () => bytes, end: nothing };
}

function isBlob(content: object): content is BlobLike {
  return "size" in content && "arrayBuffer" in content && typeof content.arrayBuffer === "function";
}

function nothing(): void {
  // Nothing is open.
}

/**
 * Decodes base64 (RFC 4648), also if it is broken into lines of equal length, as in emails, indented, as in source
 * code, or without padding. Undefined if it is not base64: plain text is mostly recognised by its spaces and
 * punctuation.
 */
function decodeBase64(input: string): Uint8Array | undefined {
  const text = joinLines(input);
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, "base64");
  // Only what encodes back to the same string is base64.
  return bytes.toString("base64") === padded(text) ? bytes : undefined;
}

/**
 * Removes spaces around the whole and around its lines. Undefined if the lines have different lengths, apart from the
 * last one.
 */
function joinLines(input: string): string | undefined {
  const text = input.trim();
  if (!text.includes("\n")) return text;
  const lines = text.split("\n").map((line) => line.trim());
  const length = lines[0]?.length ?? 0;
  const areEven = length % 4 === 0 && lines.slice(0, -1).every((line) => line.length === length);
  return lines.length === 1 || (areEven && (lines.at(-1)?.length ?? 0) <= length) ? lines.join("") : undefined;
}

function padded(text: string): string {
  return text.includes("=") ? text : text + "=".repeat((4 - (text.length % 4)) % 4);
}

/** A stream that cannot be sent, and why. */
export class StreamProblem extends Error {}
/** The stream was cut short because the rest is not needed. */
export const TOO_LARGE = Symbol("too large");

type ByteStream = WebStream | AsyncIterable<unknown>;

function isByteStream(content: object): content is ByteStream {
  return Symbol.asyncIterator in content || ("getReader" in content && typeof content.getReader === "function");
}

/**
 * Reads a stream until it ends, or until it exceeds the available room; then it is closed.
 *
 * @throws {StreamProblem} A chunk is neither bytes nor a string, or the stream was read before.
 * @throws The stream's own error, or the signal's reason.
 */
async function readStream(
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
  const source = openSource(stream);
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
function endStream(stream: ByteStream): void {
  try {
    openSource(stream).end();
  } catch {
    // Its other reader will close it.
  }
}

interface ByteSource {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Releases its resources, without waiting for the result or reporting it. */
  end(): void;
}

function openSource(stream: ByteStream): ByteSource {
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
async function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", stop));
}
