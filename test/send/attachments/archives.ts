import { crc32, deflateRawSync } from "node:zlib";

interface Entry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** Set if the local header differs from the central directory. */
  readonly localName?: string;
  readonly extra?: Buffer;
}

interface ZipOptions {
  /** Puts sizes and checksum after each file instead of before it. */
  readonly hasDescriptors?: boolean;
  readonly isEncrypted?: boolean;
  readonly isStored?: boolean;
  readonly isZip64?: boolean;
  /** Data before the zip, not counted in its offsets. */
  readonly prefix?: Uint8Array;
  readonly comment?: string;
}

const ZIP_FLAGS = { encrypted: 1, descriptor: 8, unicode: 0x800 };

/** A zip as programs write it. */
export function zip(entries: readonly (string | Entry)[], options: ZipOptions = {}): Buffer {
  const { hasDescriptors = false, isEncrypted = false, isStored = false, isZip64 = false, comment = "" } = options;
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const input of entries) {
    const entry: Entry = typeof input === "string" ? { name: input } : input;
    const { name, content = "hello", localName = name, extra = Buffer.alloc(0) } = entry;
    const raw = Buffer.from(content);
    const data = isStored ? raw : deflateRawSync(raw);
    const flags =
      ZIP_FLAGS.unicode | (hasDescriptors ? ZIP_FLAGS.descriptor : 0) | (isEncrypted ? ZIP_FLAGS.encrypted : 0);
    const sizes = numbers(
      [4, crc32(raw)],
      [4, isZip64 ? 0xffffffff : data.length],
      [4, isZip64 ? 0xffffffff : raw.length],
    );
    const facts = numbers([2, 45], [2, flags], [2, isStored ? 0 : 8], [4, 0]);
    const wide = isZip64 ? Buffer.concat([numbers([2, 1], [2, 16], [8, raw.length], [8, data.length]), extra]) : extra;
    const local = Buffer.concat([
      Buffer.from("PK\x03\x04"),
      facts,
      hasDescriptors ? Buffer.alloc(12) : sizes,
      numbers([2, Buffer.byteLength(localName)], [2, wide.length]),
      Buffer.from(localName),
      wide,
      data,
      ...(hasDescriptors ? [Buffer.from("PK\x07\x08"), sizes] : []),
    ]);
    directory.push(
      Buffer.from("PK\x01\x02\x2d\0"),
      facts,
      sizes,
      numbers([2, Buffer.byteLength(name)], [2, wide.length], [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
      Buffer.from(name),
      wide,
    );
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = isZip64 ? 0xffff : entries.length;
  const end64 = numbers(
    [8, 44],
    [2, 45],
    [2, 45],
    [4, 0],
    [4, 0],
    [8, entries.length],
    [8, entries.length],
    [8, central.length],
    [8, offset],
  );
  return Buffer.concat([
    options.prefix ?? Buffer.alloc(0),
    ...files,
    central,
    ...(isZip64
      ? [
          Buffer.from("PK\x06\x06"),
          end64,
          Buffer.from("PK\x06\x07"),
          numbers([4, 0], [8, offset + central.length], [4, 1]),
        ]
      : []),
    Buffer.from("PK\x05\x06"),
    numbers(
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
      [4, central.length],
      [4, isZip64 ? 0xffffffff : offset],
      [2, comment.length],
    ),
    Buffer.from(comment),
  ]);
}

/** Info-ZIP's extra field with the name in Unicode. */
export function unicodePath(path: string): Buffer {
  const name = Buffer.from(path);
  return Buffer.concat([numbers([2, 0x7075], [2, name.length + 5], [1, 1], [4, 0]), name]);
}

/** A tar with a file for each name; a name of more than 100 bytes is a GNU long name or a pax record. */
export function tar(names: readonly string[], { longNames = "gnu" }: { longNames?: "gnu" | "pax" } = {}): Buffer {
  const blocks = names.flatMap((name) => {
    const content = Buffer.from("hello");
    if (Buffer.byteLength(name) <= 100) return [tarHeader(name, content.length, "0"), padded(content)];
    const record = ` path=${name}\n`;
    const length = record.length + String(record.length + 3).length;
    const long = longNames === "gnu" ? Buffer.from(`${name}\0`) : Buffer.from(`${length}${record}`);
    const header = tarHeader(
      longNames === "gnu" ? "././@LongLink" : "PaxHeader/x",
      long.length,
      longNames === "gnu" ? "L" : "x",
    );
    return [header, padded(long), tarHeader(name.slice(0, 100), content.length, "0"), padded(content)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export function tarHeader(name: string, size: number, type: string): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, 100);
  block.write("0000644\x000001750\x000001750\x00", 100);
  block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  block.write("00000000000\0        ", 136);
  block.write(type, 156);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

/** A gzip whose header has a name. */
export function namedGzip(name: string, gzipped: Buffer): Buffer {
  const header = Buffer.from(gzipped.subarray(0, 10));
  header[3] = 8;
  return Buffer.concat([header, Buffer.from(`${name}\0`), gzipped.subarray(10)]);
}

/** A RAR of version 4 with stored files. */
export function rar4(names: readonly string[], { isEncrypted = false } = {}): Buffer {
  const block = (type: number, flags: number, rest: Buffer, data = Buffer.alloc(0)) =>
    Buffer.concat([numbers([2, 0], [1, type], [2, flags], [2, 7 + rest.length]), rest, data]);
  const files = names.map((name) => {
    const data = Buffer.from("hello");
    const bytes = Buffer.from(name);
    const facts = numbers(
      [4, data.length],
      [4, data.length],
      [1, 2],
      [4, crc32(data)],
      [4, 0],
      [1, 29],
      [1, 0x30],
      [2, bytes.length],
      [4, 0],
    );
    return block(0x74, 0x8000, Buffer.concat([facts, bytes]), data);
  });
  return Buffer.concat([
    Buffer.from("Rar!\x1a\x07\0"),
    block(0x73, isEncrypted ? 0x80 : 0, Buffer.alloc(6)),
    ...files,
    block(0x7b, 0x4000, Buffer.alloc(0)),
  ]);
}

/** A RAR of version 5 with stored files. */
export function rar5(names: readonly string[], { isEncrypted = false } = {}): Buffer {
  const block = (type: number, flags: number, rest: Buffer, data?: Buffer) => {
    const body = Buffer.concat([
      vint(type),
      vint(flags | (data ? 2 : 0)),
      data ? vint(data.length) : Buffer.alloc(0),
      rest,
    ]);
    const head = Buffer.concat([vint(body.length), body]);
    return Buffer.concat([numbers([4, crc32(head)]), head, data ?? Buffer.alloc(0)]);
  };
  const files = names.map((name) => {
    const bytes = Buffer.from(name);
    const data = Buffer.from("hello");
    const facts = [
      vint(4),
      vint(data.length),
      vint(0o644),
      numbers([4, crc32(data)]),
      vint(0),
      vint(1),
      vint(bytes.length),
    ];
    return block(2, 0, Buffer.concat([...facts, bytes]), data);
  });
  return Buffer.concat([
    Buffer.from("Rar!\x1a\x07\x01\0"),
    ...(isEncrypted ? [block(4, 0, Buffer.alloc(20))] : []),
    block(1, 0, vint(0)),
    ...files,
    block(5, 0, vint(0)),
  ]);
}

function vint(value: number): Buffer {
  const bytes = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest >>>= 7)
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  return Buffer.from(bytes);
}

/** A 7-Zip archive of empty files, whose header is plain or compressed. */
export function sevenZip(names: readonly string[], { isPacked = false } = {}): Buffer {
  const text = Buffer.concat(names.map((name) => Buffer.from(`${name}\0`, "utf16le")));
  const property = Buffer.concat([Buffer.from([0]), text]);
  const size =
    property.length < 0x80
      ? Buffer.from([property.length])
      : Buffer.from([0x80 | (property.length >> 8), property.length & 0xff]);
  const header = isPacked
    ? Buffer.from([0x17, 6, 0, 1, 9, 0])
    : Buffer.concat([Buffer.from([1, 5, names.length, 0x11]), size, property, Buffer.from([0, 0])]);
  const start = numbers([8, 0], [8, header.length], [4, crc32(header)]);
  return Buffer.concat([Buffer.from("7z\xbc\xaf\x27\x1c\0\x04", "latin1"), numbers([4, crc32(start)]), start, header]);
}

/** Little-endian numbers, each with its size in bytes. */
export function numbers(...values: readonly (readonly [size: number, value: number])[]): Buffer {
  return Buffer.concat(
    values.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      if (size === 8) bytes.writeBigUInt64LE(BigInt(value));
      else bytes.writeUIntLE(value, 0, size);
      return bytes;
    }),
  );
}
