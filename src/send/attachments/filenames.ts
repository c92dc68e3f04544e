import { hiddenIn } from "../message/hidden.js";
import { hasControlCharacters, type Report } from "../message/report.js";
import { blockListOf } from "./blocked-types.js";
import { asItLooks } from "./look-alikes.js";

/** What file systems take, and the local service. */
const FILENAME_MAX = 255;

/** A class id in the place of an extension says by which program Windows opens the file. */
const CLASS_ID = /^\{[\da-f-]{36}\}$/;

/** An encoded word (RFC 2047), or a parameter's value (RFC 2231). */
const ENCODED = /=\?[^?]+\?[bq]\?[^?]*\?=|^(?:utf-?8|us-ascii|iso-8859-\d+|windows-\d+)'[\w-]*'|filename\*?\d*\*?=/i;

/** Reports a file's name that the service refuses, or that would reach the recipient as something else than it seems. */
export function checkFilename(filename: string, path: string, report: Report): void {
  if (filename.trim() === "") return report(path, "is empty");
  if (hasControlCharacters(filename, path, report)) return;
  if (filename.length > FILENAME_MAX)
    return report(path, `has ${filename.length} characters; a file's name has at most ${FILENAME_MAX}`);
  if (/[/\\]/.test(filename)) return report(path, "is a path: it takes the name alone");
  if (/^[. ]+$/.test(filename)) return report(path, "has nothing but dots in it");
  const hidden = hiddenIn(filename);
  if (hidden !== undefined) return report(path, hidden);
  if (ENCODED.test(filename)) return report(path, "is encoded as a header has it: pass the name itself");
  const blocked = blockedExtension(filename);
  if (blocked !== undefined) report(path, `has the extension ".${blocked}", ${whyBlocked(blocked)}`);
}

function whyBlocked(extension: string): string {
  const list = blockListOf(extension);
  return list === undefined
    ? "a class ID by which Windows chooses the program that opens the file. Rename it."
    : `${list.reason}. ${list.advice}.`;
}

/**
 * The extension for which a file is blocked, if it is. The last extension decides, as it does for the programs that open the
 * file: as it is and as it looks, before dots, spaces and signs, in percent-encoding, and where a program cuts the name off.
 * One in the middle decides nothing.
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
    // Names are cut off at a zero byte, and by careless readers of a header at a semicolon. On NTFS a stream's name follows a colon.
    for (const part of new Set([name, ...name.split(/\0|[:;](?! )/)])) {
      const last = part.split(".").slice(1).map(trimmed).findLast(Boolean);
      if (last !== undefined && (blockListOf(last, options) !== undefined || CLASS_ID.test(last))) return last;
    }
  }
  return undefined;
}

/** Without the signs at its end: some of them programs leave out of names, and none is part of an extension. */
function trimmed(extension: string): string {
  return extension.trimStart().replace(/[^\p{L}\p{N}_}]+$/u, "");
}

/** What percent-encoding stands for, also where it was applied twice. What is none stays. */
function unescaped(text: string): string {
  const once = text.replaceAll(/(?:%[\da-f]{2})+/gi, (codes) =>
    Buffer.from(codes.replaceAll("%", ""), "hex").toString(),
  );
  return once === text ? text : unescaped(once);
}
