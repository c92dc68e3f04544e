import { inflateRawSync } from "node:zlib";
import type { ArchiveContents } from "./contents.js";

interface Header {
  readonly signature: Buffer;
  /** The offsets of the fields from the signature. */
  readonly flags: number;
  readonly nameLength: number;
  readonly extraLength: number;
  readonly name: number;
}

const LOCAL: Header = { signature: Buffer.from("PK\x03\x04"), flags: 6, nameLength: 26, extraLength: 28, name: 30 };
const CENTRAL: Header = { signature: Buffer.from("PK\x01\x02"), flags: 8, nameLength: 28, extraLength: 30, name: 46 };

/** Names in local headers are blanked, and the central directory is encrypted. */
const MASKED = 0x2000;
const UNICODE_PATH = 0x7075;
/** The offsets of the compression method and the size in a local header. */
const METHOD = 8;
const STORED = 0;
const PACKED_SIZE = 18;
const ENTRY_BYTES_MAX = 1024 * 1024;
/** Enough to see an extension. */
const NAME_END_BYTES = 64;
/** More extra fields than programs write. */
const EXTRA_FIELDS_MAX = 64;

/**
 * The names in a zip, wherever it begins: those of the central directory and those of the local headers, which may
 * differ. Both are found by their signatures, so that wrong lengths and offsets hide nothing. Undefined if it is not a
 * zip.
 */
export function zipContents(bytes: Buffer): ArchiveContents | undefined {
  const names: string[] = [];
  let masked = false;
  for (const header of [LOCAL, CENTRAL]) {
    for (let at = bytes.indexOf(header.signature); at >= 0; at = bytes.indexOf(header.signature, at + 4)) {
      if (at + header.name > bytes.length) break;
      const name = nameAt(bytes, at, header);
      if (name === "") continue;
      names.push(name, ...unicodePath(bytes, at, header));
      masked ||= (bytes.readUInt16LE(at + header.flags) & MASKED) > 0;
    }
  }
  if (names.length === 0) return undefined;
  return { names, ...(masked ? { unread: "the names in it are encrypted" } : {}) };
}

/**
 * The unpacked content of the first entry with this name; undefined if there is none, or if it cannot be unpacked.
 *
 * @param name ASCII; case does not matter.
 */
export function readZipEntry(bytes: Buffer, name: string): Buffer | undefined {
  const wanted = name.toLowerCase();
  for (let at = bytes.indexOf(LOCAL.signature); at >= 0; at = bytes.indexOf(LOCAL.signature, at + 4)) {
    if (at + LOCAL.name > bytes.length || nameAt(bytes, at, LOCAL).toLowerCase() !== wanted) continue;
    const start = at + LOCAL.name + name.length + bytes.readUInt16LE(at + LOCAL.extraLength);
    if (bytes.readUInt16LE(at + METHOD) === STORED)
      return bytes.subarray(start, start + bytes.readUInt32LE(at + PACKED_SIZE));
    try {
      return inflateRawSync(bytes.subarray(start), { maxOutputLength: ENTRY_BYTES_MAX });
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** The name up to a zero byte; if it contains a signature, only its end. */
function nameAt(bytes: Buffer, at: number, header: Header): string {
  const start = at + header.name;
  const end = Math.min(start + bytes.readUInt16LE(at + header.nameLength), bytes.length);
  // Otherwise overlapping headers would cause the same bytes to be read repeatedly.
  const isOverlapped = bytes.subarray(start, end).includes(header.signature);
  const name = bytes.toString("utf8", isOverlapped ? Math.max(start, end - NAME_END_BYTES) : start, end);
  return name.replace(/\0.*/s, "");
}

/** The Unicode name in the extra fields. */
function unicodePath(bytes: Buffer, at: number, header: Header): string[] {
  let field = at + header.name + bytes.readUInt16LE(at + header.nameLength);
  const end = Math.min(field + bytes.readUInt16LE(at + header.extraLength), bytes.length);
  for (let count = 0; count < EXTRA_FIELDS_MAX && field + 4 <= end; count += 1) {
    const next = field + 4 + bytes.readUInt16LE(field + 2);
    // Preceded by its version and the checksum of the name it replaces; only its end matters.
    if (bytes.readUInt16LE(field) === UNICODE_PATH)
      return [bytes.toString("utf8", Math.max(field + 9, next - 512), next)];
    field = next;
  }
  return [];
}
