import type { ArchiveContents } from "./contents.js";

const SIGNATURE = Buffer.from("7z\xbc\xaf\x27\x1c", "latin1");
/** How far into a file an archive may begin. */
const SEARCHED_BYTES = 1024 * 1024;
const START_HEADER_BYTES = 32;
const PLAIN_HEADER = 1;

/** The names in a 7-Zip archive, if its header is not compressed. Undefined if it is not one. */
export function sevenZipContents(bytes: Buffer): ArchiveContents | undefined {
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
