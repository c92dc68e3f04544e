import { inflateRawSync } from "node:zlib";

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

/** What is known about an archive without unpacking it. */
export interface ArchiveContents {
  /** With their folders, separated by `/` or `\`. */
  readonly names: readonly string[];
  /** Why there may be more names; undefined if these are all. */
  readonly unread?: string;
}

const BLOCK = 512;
const CHECKSUM = { start: 148, end: 156 };
/** Maximum length of a name that has its own blocks. */
const LONG_NAME_MAX = 64 * 1024;

export function tarContents(bytes: Buffer): ArchiveContents | undefined {
  if (!isTarHeader(bytes.subarray(0, BLOCK))) return undefined;
  const reader = new TarReader();
  reader.take(bytes);
  return { names: reader.names };
}

/**
 * Finds the names in a tar that arrives in chunks. Each block is checked on its own, regardless of the sizes before it:
 * a block with a valid checksum is a header.
 */
export class TarReader {
  readonly names: string[] = [];
  #rest: Buffer = Buffer.alloc(0);
  /** The remaining and the received bytes of a long name. */
  #longBytes = 0;
  #long: Buffer[] = [];

  take(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    for (; at + BLOCK <= bytes.length; at += BLOCK) this.#takeBlock(bytes.subarray(at, at + BLOCK));
    this.#rest = bytes.subarray(at);
  }

  #takeBlock(block: Buffer): void {
    if (this.#longBytes > 0) {
      this.#long.push(Buffer.from(block.subarray(0, this.#longBytes)));
      this.#longBytes -= BLOCK;
      if (this.#longBytes <= 0) this.names.push(...longNames(Buffer.concat(this.#long.splice(0)).toString()));
    } else if (isTarHeader(block)) {
      this.names.push(text(block, 0, 100));
      // A GNU long name, or pax records.
      if (/[LxXg]/.test(text(block, 156, 157)))
        this.#longBytes = Math.min(Number.parseInt(text(block, 124, 136).trim(), 8) || 0, LONG_NAME_MAX);
    }
  }
}

/** Whether a block has a header's checksum: the sum of its bytes, with spaces in place of the checksum. */
export function isTarHeader(block: Buffer): boolean {
  if (block.length < BLOCK || block[0] === 0) return false;
  const noted = /^\s*([0-7]+)/.exec(text(block, CHECKSUM.start, CHECKSUM.end))?.[1];
  if (noted === undefined) return false;
  let sum = 0;
  let above = 0;
  for (let index = 0; index < BLOCK; index += 1) {
    const byte = index >= CHECKSUM.start && index < CHECKSUM.end ? 0x20 : (block[index] ?? 0);
    sum += byte;
    if (byte > 0x7f) above += 1;
  }
  // Old programs added bytes as signed numbers.
  return [sum, sum - above * 256].includes(Number.parseInt(noted, 8));
}

/** The `path` of pax records (`27 path=…`), or a plain long name. */
function longNames(long: string): string[] {
  const paths = [...long.matchAll(/(?:^|\n)\d+ path=([^\n]*)/g)].map(([, path = ""]) => path);
  return paths.length > 0 ? paths : [long.replace(/\0.*/s, "")];
}

function text(block: Buffer, start: number, end: number): string {
  return block.toString("utf8", start, end).replace(/\0.*/s, "");
}

const SIGNATURE = Buffer.from("Rar!\x1a\x07");
/** How far into a file an archive may begin: programs search this far for one after other data. */
const SEARCHED_BYTES = 1024 * 1024;
const ENCRYPTED = "the names in it are encrypted";
const DAMAGED = "it is damaged";

/** The names in a RAR archive of version 4 or 5, whose headers are not compressed. Undefined if it is not one. */
export function rarContents(bytes: Buffer): ArchiveContents | undefined {
  const start = bytes.subarray(0, SEARCHED_BYTES).indexOf(SIGNATURE);
  if (start < 0) return undefined;
  const archive = bytes.subarray(start);
  const names: string[] = [];
  try {
    const unread = archive[6] === 0 ? readVersion4(archive, names) : readVersion5(archive, names);
    return { names, ...(unread === undefined ? {} : { unread }) };
  } catch (error) {
    if (error instanceof RangeError) return { names, unread: DAMAGED };
    throw error;
  }
}

const [MARK_4, MAIN_4, FILE_4, END_4] = [0x72, 0x73, 0x74, 0x7b];
const [HEADERS_ENCRYPTED_4, LARGE_4, HAS_DATA_4] = [0x80, 0x100, 0x8000];

/** @throws {RangeError} It ends too early. */
function readVersion4(bytes: Buffer, names: string[]): string | undefined {
  let at = 7;
  while (at < bytes.length) {
    const type = bytes.readUInt8(at + 2);
    const flags = bytes.readUInt16LE(at + 3);
    const size = bytes.readUInt16LE(at + 5);
    if (type === END_4) return undefined;
    if (type === MAIN_4 && flags & HEADERS_ENCRYPTED_4) return ENCRYPTED;
    if (size < 7 || type < MARK_4 || type > END_4) return DAMAGED;
    let data = flags & HAS_DATA_4 || type === FILE_4 ? bytes.readUInt32LE(at + 7) : 0;
    if (type === FILE_4) {
      if (flags & LARGE_4) data += bytes.readUInt32LE(at + 32) * 2 ** 32;
      const start = at + (flags & LARGE_4 ? 40 : 32);
      const end = start + bytes.readUInt16LE(at + 26);
      if (end > at + size) return DAMAGED;
      // A zero byte and the compressed difference to the Unicode name may follow.
      names.push(bytes.toString("utf8", start, end).replace(/\0.*/s, ""));
    }
    at += size + data;
  }
  return at === bytes.length ? undefined : DAMAGED;
}

const [FILE_5, ENCRYPTION_5, END_5] = [2, 4, 5];
const [HAS_EXTRA_5, HAS_DATA_5] = [1, 2];
const [HAS_TIME_5, HAS_CHECKSUM_5] = [2, 4];

/** @throws {RangeError} It ends too early. */
function readVersion5(bytes: Buffer, names: string[]): string | undefined {
  let at = 8;
  while (at < bytes.length) {
    const header = new Numbers(bytes, at + 4);
    const size = header.next();
    const end = header.at + size;
    const type = header.next();
    const flags = header.next();
    if (type === END_5) return undefined;
    if (type === ENCRYPTION_5) return ENCRYPTED;
    if (end > bytes.length || header.at > end) return DAMAGED;
    if (flags & HAS_EXTRA_5) header.next();
    const data = flags & HAS_DATA_5 ? header.next() : 0;
    if (type === FILE_5) {
      const fileFlags = header.next();
      header.skip(2);
      header.at += (fileFlags & HAS_TIME_5 ? 4 : 0) + (fileFlags & HAS_CHECKSUM_5 ? 4 : 0);
      header.skip(2);
      const length = header.next();
      if (header.at + length > end) return DAMAGED;
      names.push(bytes.toString("utf8", header.at, header.at + length));
    }
    at = end + data;
  }
  return at === bytes.length ? undefined : DAMAGED;
}

/** Numbers with seven bits in each byte, the lowest first. */
class Numbers {
  constructor(
    private readonly bytes: Buffer,
    public at: number,
  ) {}

  next(): number {
    let value = 0;
    for (let power = 1; power < 2 ** 63; power *= 128) {
      const byte = this.bytes.readUInt8(this.at);
      this.at += 1;
      value += (byte & 0x7f) * power;
      if (byte < 0x80) return value;
    }
    throw new RangeError("A number is too long.");
  }

  skip(count: number): void {
    for (let index = 0; index < count; index += 1) this.next();
  }
}
