import { BLOCKED_EXTENSIONS } from "../../api/limits.js";
import { hiddenIn } from "../message/hidden.js";
import { hasControlCharacters, type Report } from "../message/report.js";
import { asItLooks } from "./look-alikes.js";

/** What file systems take, and the local service. */
const FILENAME_MAX = 255;

/**
 * Blocked extensions that are no words or names: they betray a program also in the middle of a name, as in
 * `invoice.exe.pdf`. Of `com`, `js` or `app` that cannot be said: `example.com.pdf`, `node.js.pdf`.
 */
const NEVER_A_WORD = new Set("exe bat cmd scr pif vbs vbe jse wsf wsh hta ps1 psm1 msi cpl lnk dll".split(" "));

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
  if (blocked !== undefined) report(path, `has the extension ".${blocked}", which the service does not let through`);
}

/**
 * The extension that stands in the way of a file, if one does: the last one, as it is and as it looks, also where dots, spaces
 * or signs follow it, in percent-encoding or before the name of a stream; and one in the middle that is no word.
 *
 * @example
 * blockedExtension("Invoice.PDF.EXE. "); // "exe"
 * blockedExtension("invoice.exe.pdf"); // "exe"
 * blockedExtension("node.js.pdf"); // undefined
 */
export function blockedExtension(filename: string): string | undefined {
  for (const reading of new Set([filename, unescaped(filename)])) {
    const name = asItLooks(reading);
    // What follows a zero byte is not read, and what follows a colon names a stream of the file on NTFS.
    for (const part of new Set([name, ...name.split(/\0|:(?! )/)])) {
      const blocked = blockedIn(part);
      if (blocked !== undefined) return blocked;
    }
  }
  return undefined;
}

function blockedIn(name: string): string | undefined {
  const extensions = name.split(".").slice(1).map(trimmed).filter(Boolean);
  const last = extensions.at(-1);
  if (last === undefined) return undefined;
  // A class id in the place of an extension says by which program Windows opens the file.
  if (BLOCKED_EXTENSIONS.has(last) || /^\{[\da-f-]{36}\}$/.test(last)) return last;
  // Also before a sign that ends a name for some programs: `invoice.exe;.pdf`.
  return extensions
    .map((extension) => extension.replace(/["'<>|*?;:].*/s, "").trim())
    .find((extension) => NEVER_A_WORD.has(extension));
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
