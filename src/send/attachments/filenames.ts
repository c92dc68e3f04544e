import { hiddenIn } from "../message/hidden.js";
import { hasControlCharacters, type Report } from "../message/report.js";
import { blockListOf } from "./blocked-types.js";
import { asItLooks } from "./look-alikes.js";

/** The limit of file systems, and of the local service. */
const FILENAME_MAX = 255;

/** A class id used as an extension determines which program opens the file on Windows. */
const CLASS_ID = /^\{[\da-f-]{36}\}$/;

/** An encoded word (RFC 2047), or a parameter's value (RFC 2231). */
const ENCODED = /=\?[^?]+\?[bq]\?[^?]*\?=|^(?:utf-?8|us-ascii|iso-8859-\d+|windows-\d+)'[\w-]*'|filename\*?\d*\*?=/i;

/** Reports a filename that the service refuses, or that would look different to the recipient. */
export function checkFilename(filename: string, path: string, report: Report): void {
  if (filename.trim() === "") return report(path, "is empty");
  if (hasControlCharacters(filename, path, report)) return;
  if (filename.length > FILENAME_MAX)
    return report(path, `has ${filename.length} characters; the limit is ${FILENAME_MAX}`);
  if (/[/\\]/.test(filename)) return report(path, "is a path: pass only the file's name");
  if (/^[. ]+$/.test(filename)) return report(path, "contains nothing but dots");
  const hidden = hiddenIn(filename);
  if (hidden !== undefined) return report(path, hidden);
  if (ENCODED.test(filename)) return report(path, "is encoded for a header: pass the plain name");
  const blocked = blockedExtension(filename);
  if (blocked !== undefined) report(path, `has the extension ".${blocked}", ${whyBlocked(blocked)}`);
}

function whyBlocked(extension: string): string {
  const list = blockListOf(extension);
  return list === undefined
    ? "a class ID that determines which program opens the file on Windows. Rename it."
    : `${list.reason}. ${list.advice}.`;
}

/**
 * The extension because of which a file is blocked, if it is. The last extension decides, as it does for the programs
 * that open the file. It is read literally, as it looks, before dots, spaces and punctuation, percent-decoded, and
 * where programs truncate the name. An extension in the middle does not count.
 *
 * @param options.inArchive Whether the file is in an archive, where fewer types are blocked.
 * @example
 * blockedExtension("Invoice.PDF.EXE. "); // "exe"
 * blockedExtension("invoice.exe;.pdf"); // "exe"
 * blockedExtension("transcript.scr.pdf"); // undefined
 */
export function blockedExtension(filename: string, options: { readonly inArchive?: boolean } = {}): string | undefined {
  for (const reading of new Set([filename, unescaped(filename)])) {
    const name = asItLooks(reading);
    // Names are truncated at a zero byte and, by careless header parsers, at a semicolon. On NTFS a colon introduces a
    // stream name.
    for (const part of new Set([name, ...name.split(/\0|[:;](?! )/)])) {
      const last = part.split(".").slice(1).map(trimmed).findLast(Boolean);
      if (last !== undefined && (blockListOf(last, options) !== undefined || CLASS_ID.test(last))) return last;
    }
  }
  return undefined;
}

/** Removes punctuation at the end: programs drop some of it, and it is never part of an extension. */
function trimmed(extension: string): string {
  return extension.trimStart().replace(/[^\p{L}\p{N}_}]+$/u, "");
}

/** Percent-decodes a string, repeatedly if necessary. Invalid codes stay. */
function unescaped(text: string): string {
  const once = text.replaceAll(/(?:%[\da-f]{2})+/gi, (codes) =>
    Buffer.from(codes.replaceAll("%", ""), "hex").toString(),
  );
  return once === text ? text : unescaped(once);
}
