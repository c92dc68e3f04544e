import type { ArchiveContents } from "./contents.js";

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
