import { blockedExtension } from "../filenames.js";
import { programIn } from "../programs.js";
import {
  type ArchiveContents,
  isTarHeader,
  rarContents,
  readZipEntry,
  tarContents,
  TarReader,
  zipContents,
} from "./zip.js";
import { createGunzip } from "node:zlib";

/** Forbidden or unreadable contents of an archive. */
export interface ArchiveFindings {
  /** Why it cannot be sent. */
  readonly blocked?: string;
  /** Why its contents are not completely known. */
  readonly unread?: string;
}

/** Archives that are not unpacked here. */
const PACKED = new Set("bz2 xz zst lz lz4 lzh Z arj ace cpio ar".split(" "));
/** Entries that make a zip a program for Java, Android or Windows. */
const PROGRAM_PARTS =
  /^(?:META-INF\/MANIFEST\.MF|AndroidManifest\.xml|classes\.dex|AppxManifest\.xml|AppxBundleManifest\.xml)$/i;
/** Where Office documents store macros: Visual Basic, and Excel 4 macros. */
const MACROS = /^(?:(?:word|xl|ppt|visio)[/\\]vbaProject\.bin$|xl[/\\]macrosheets[/\\])/i;
/** EPUB 3.3 allows scripts in books; readers run them in a sandbox, and nobody unpacks them. */
const SCRIPT_OF_A_BOOK = /\.m?js$/i;
/** The rest of a longer name is not checked. */
const NAME_MAX = 256;

/**
 * Inspects, one level deep, everything in a file that can be opened as an archive, even after other data.
 *
 * @param kind The type of the content.
 * @param options.isBook Whether the recipient opens the file as an EPUB.
 */
export async function inspectArchive(
  bytes: Buffer,
  kind: string | undefined,
  { isBook }: { readonly isBook: boolean },
): Promise<ArchiveFindings> {
  const zip = zipContents(bytes);
  if (zip?.names.some((name) => PROGRAM_PARTS.test(name)))
    return { blocked: "is a program in a zip, regardless of its name. Send a link to it instead." };
  const gzip = await gzipContents(bytes);
  const program = gzip && programIn(gzip.head);
  if (program !== undefined) return { blocked: `contains a program (${program}). Send a link to it instead.` };

  const archives = [zip, gzip, tarContents(bytes), rarContents(bytes), sevenZipContents(bytes)].filter(
    (archive) => archive !== undefined,
  );
  const names = archives.flatMap((archive) => archive.names).filter((name) => !(isBook && SCRIPT_OF_A_BOOK.test(name)));
  const blocked = blockedAmong(names);
  if (blocked !== undefined)
    return {
      blocked: `contains a file with the extension ".${blocked}", which mail servers block even in archives. Send a link instead.`,
    };
  if (zip?.names.some((name) => MACROS.test(name)) || hasTypeWithMacros(bytes))
    return {
      blocked:
        "is an Office document with macros, which many mail servers block. Save it without macros, or send a link to it.",
    };
  const unread = archives.find((archive) => archive.unread !== undefined)?.unread;
  if (unread !== undefined) return { unread };
  return kind !== undefined && PACKED.has(kind) ? { unread: "its contents are compressed" } : {};
}

/** Whether an Office document declares macros: in UTF-8 or UTF-16, and also with numeric character references. */
function hasTypeWithMacros(bytes: Buffer): boolean {
  const types = readZipEntry(bytes, "[Content_Types].xml")?.toString("latin1").replaceAll("\0", "") ?? "";
  const text = types.replaceAll(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (_, hex?: string, decimal?: string) =>
    String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
  return /macroEnabled/i.test(text);
}

/** The extension of the first file that is blocked even in archives. */
function blockedAmong(names: readonly string[]): string | undefined {
  for (const name of new Set(names)) {
    // A macOS program is a folder.
    if (/\.app[/\\]+Contents[/\\]/i.test(name)) return "app";
    const last = name.slice(-NAME_MAX).replace(/^.*[/\\]/s, "");
    const blocked = blockedExtension(last, { inArchive: true });
    if (blocked !== undefined) return blocked;
  }
  return undefined;
}

const SIGNATURE = Buffer.from("7z\xbc\xaf\x27\x1c", "latin1");
/** How far into a file an archive may begin. */
const SEARCHED_BYTES = 1024 * 1024;
const START_HEADER_BYTES = 32;
const PLAIN_HEADER = 1;

/** The names in a 7-Zip archive, if its header is not compressed. Undefined if it is not one. */
function sevenZipContents(bytes: Buffer): ArchiveContents | undefined {
  const start = bytes.subarray(0, SEARCHED_BYTES).indexOf(SIGNATURE);
  if (start < 0) return undefined;
  const archive = bytes.subarray(start);
  if (archive.length < START_HEADER_BYTES) return { names: [], unread: "it is damaged" };
  const headerStart = START_HEADER_BYTES + Number(archive.readBigUInt64LE(12));
  const header = archive.subarray(headerStart, headerStart + Number(archive.readBigUInt64LE(20)));
  if (header[0] !== PLAIN_HEADER) return { names: [], unread: "the list of its files is compressed" };
  return { names: [header, header.subarray(1)].flatMap(textsIn) };
}

/**
 * Everything that could be a zero-terminated UTF-16 string: names are such strings, at even or odd offsets. Other data
 * has no extension that matters, and data before a name does not hide how it ends.
 */
function textsIn(bytes: Buffer): string[] {
  return bytes.toString("utf16le").split("\0").filter(Boolean);
}

const DEFLATE = 8;
const [EXTRA, NAME] = [4, 8];
/** Maximum bytes to unpack when looking for names: many times what an email may have. */
const UNPACKED_MAX = 128 * 1024 * 1024;
const HEAD_BYTES = 512;

/** The contents of a gzip: the names in its tar, or one file with its stored name, if there is one. */
interface GzipContents extends ArchiveContents {
  /** The beginning of the unpacked content. */
  readonly head: Buffer;
}

/** The contents of a gzip. Unpacked in a stream, and no further than a tar goes. Undefined if it is not a gzip. */
async function gzipContents(bytes: Buffer): Promise<GzipContents | undefined> {
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
