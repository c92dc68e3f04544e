import { createGunzip } from "node:zlib";
import type { ArchiveContents } from "./contents.js";
import { isTarHeader, TarReader } from "./tar.js";

const DEFLATE = 8;
const [EXTRA, NAME] = [4, 8];
/** Maximum bytes to unpack when looking for names: many times what an email may have. */
const UNPACKED_MAX = 128 * 1024 * 1024;
const HEAD_BYTES = 512;

/** The contents of a gzip: the names in its tar, or one file with its stored name, if there is one. */
export interface GzipContents extends ArchiveContents {
  /** The beginning of the unpacked content. */
  readonly head: Buffer;
}

/** The contents of a gzip. Unpacked in a stream, and no further than a tar goes. Undefined if it is not a gzip. */
export async function gzipContents(bytes: Buffer): Promise<GzipContents | undefined> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== DEFLATE) return undefined;
  const tar = new TarReader();
  let head = Buffer.alloc(0);
  let unread: string | undefined;
  try {
    const pieces = createGunzip();
    pieces.end(bytes);
    let unpacked = 0;
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      unpacked += piece.length;
      const isHead = head.length < HEAD_BYTES;
      if (isHead) head = Buffer.concat([head, piece]);
      if (head.length < HEAD_BYTES) continue;
      if (isHead && !isTarHeader(head.subarray(0, HEAD_BYTES))) break;
      tar.take(isHead ? head : piece);
      if (unpacked <= UNPACKED_MAX) continue;
      unread = "it is too large to unpack completely";
      break;
    }
  } catch {
    unread = "it is damaged";
  }
  return { names: [...storedName(bytes), ...tar.names], head, ...(unread === undefined ? {} : { unread }) };
}

/** The name of the packed file, which precedes the data. */
function storedName(bytes: Buffer): string[] {
  const flags = bytes[3] ?? 0;
  if (!(flags & NAME) || bytes.length < 12) return [];
  const start = 10 + (flags & EXTRA ? 2 + bytes.readUInt16LE(10) : 0);
  const end = bytes.indexOf(0, start);
  return end < 0 ? [] : [bytes.toString("utf8", start, end)];
}
