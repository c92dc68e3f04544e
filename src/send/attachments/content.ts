import { readFile, stat } from "node:fs/promises";
import { types } from "node:util";
import type { BlobLike } from "./attachment.js";
import { endStream, isByteStream, orAborted, readStream, StreamProblem, type TOO_LARGE } from "./streams.js";

/** What is attached, before it is read. */
export interface Content {
  /** How large it is; undefined for a stream, which nobody knows that of. */
  readonly size?: number | undefined;
  /** @throws What is wrong with it, for `problemOf`. */
  read(room: number, signal: AbortSignal): Promise<Uint8Array | typeof TOO_LARGE>;
  /** It is not read after all. */
  end(): void;
}

/** Tells what is wrong with a content that cannot be sent. */
export type Refuse = (message: string) => undefined;

/** What an application passed as `content`. */
export function contentOf(content: unknown, refuse: Refuse): Content | undefined {
  if (content === undefined || content === null) return refuse("is missing: an attachment has a content or a path");
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
  return refuse("is neither bytes, a base64 text, a Blob nor a stream");
}

/** A file on disk. */
export async function fileContent(file: string, refuse: Refuse): Promise<Content | undefined> {
  try {
    const facts = await stat(file);
    if (!facts.isFile()) return refuse("is not a file");
    return { size: facts.size, read: (_room, signal) => readFile(file, { signal }), end: nothing };
  } catch (error) {
    return refuse(problemOf(error));
  }
}

/** A failed reading in words, without what the error quotes: paths, and what an application puts there. */
export function problemOf(error: unknown): string {
  if (error instanceof StreamProblem) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return `cannot be read (${code ?? (error instanceof Error ? error.name : "unknown reason")})`;
}

function base64Content(text: string, refuse: Refuse): Content | undefined {
  const bytes = decodeBase64(text);
  if (bytes !== undefined) return bytesContent(bytes);
  return refuse(text.startsWith("data:") ? "is a data: address: pass only what is behind its comma" : NOT_BASE64);
}

const NOT_BASE64 = "is not base64; a text of its own is passed as bytes: Buffer.from(text)";

function bytesContent(bytes: Uint8Array): Content {
  return { size: bytes.byteLength, read: async () => bytes, end: nothing };
}

function isBlob(content: object): content is BlobLike {
  return "size" in content && "arrayBuffer" in content && typeof content.arrayBuffer === "function";
}

function nothing(): void {
  // There is nothing open.
}

/** How many bytes are compared at a time: a multiple of three, so that no piece but the last has padding. */
const PIECE_BYTES = 48 * 1024;

/**
 * What a base64 stands for (RFC 4648), also where it is broken into lines of one length, as mails have it, indented, as source
 * code has it, or without its padding. Undefined where it is none: a text of its own is mostly recognised by its spaces and signs.
 */
function decodeBase64(given: string): Uint8Array | undefined {
  const text = joinLines(given);
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, "base64");
  // Only what encodes back to the same text is base64. In pieces: the whole would be another text of megabytes.
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const encoded = bytes.toString("base64", start, Math.min(start + PIECE_BYTES, bytes.length));
    const at = (start / 3) * 4;
    const isLast = start + PIECE_BYTES >= bytes.length;
    const same = isLast ? padded(text.slice(at)) === encoded : text.startsWith(encoded, at);
    if (!same) return undefined;
  }
  return bytes.length === 0 && text !== "" ? undefined : bytes;
}

/** Without spaces around the whole and around its lines. Undefined where lines are not of one length, apart from the last one. */
function joinLines(given: string): string | undefined {
  const text = given.trim();
  if (!text.includes("\n")) return text;
  const lines = text.split("\n").map((line) => line.trim());
  const length = lines[0]?.length ?? 0;
  const areEven = length % 4 === 0 && lines.slice(0, -1).every((line) => line.length === length);
  return lines.length === 1 || (areEven && (lines.at(-1)?.length ?? 0) <= length) ? lines.join("") : undefined;
}

function padded(text: string): string {
  return text.includes("=") ? text : text + "=".repeat((4 - (text.length % 4)) % 4);
}
