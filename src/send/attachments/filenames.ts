import { hasControlCharacters, hiddenIn, type ReportProblem } from "../report.js";
import { blockListOf } from "./blocked-types.js";

/** The limit of file systems, and of the local service. */
const FILENAME_MAX = 255;

/** A class id used as an extension determines which program opens the file on Windows. */
const CLASS_ID = /^\{[\da-f-]{36}\}$/;

/** An encoded word (RFC 2047), or a parameter's value (RFC 2231). */
const ENCODED = /=\?[^?]+\?[bq]\?[^?]*\?=|^(?:utf-?8|us-ascii|iso-8859-\d+|windows-\d+)'[\w-]*'|filename\*?\d*\*?=/i;

/** Reports a filename that the service refuses, or that would look different to the recipient. */
export function checkFilename(filename: string, path: string, report: ReportProblem): void {
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

/**
 * Characters that Unicode does not map to the ASCII letter or the dot that they look like, in lower case: Cyrillic,
 * Greek, Armenian, Cherokee and Lisu letters, phonetic letters, small capitals, and symbols. Each group begins with its
 * letter.
 */
const GROUPS =
  "aаαɑᴀꭺꓮ bьвβʙƃƅꮟꓐ cсςᴄꮯꓚ dԁɗᴅꓒժ eеεɛєҽᴇꭼꓰ℮э fϝꞙꓝ gɡցɢԍꮐꓖ hһнհʜꮋꓧ iіιıɩӏɪꭵꓲ jјϳʝᴊꭻꓙ kкκᴋĸꮶꓗ lʟꮮꓡ mмᴍꓟ nпηɴոռꓠ " +
  "oоοօᴏσꓳ pрρᴘ⍴ꮲꓑ qԛգզ rгʀᴦꭇꮁꓣ sѕꜱƽꮪꓢ tтτᴛꭲꓔ uυᴜսꞟꓴ vνѵᴠ∨⋁ꮩꓦ wԝѡωшᴡꮃꓪ xхχ×ꭓꭕᕁ⤫⤬⨯✕✖ꓫ yуγүʏყꓬ zᴢꮓꓜ .·‧∙⋅•。۔܁܂ꓸꞏ᎐⸱٠۰";

const LOOK_ALIKES = new Map(
  GROUPS.split(" ").flatMap(([ascii = "", ...signs]) => signs.map((sign) => [sign, ascii] as const)),
);

/** Letters in circles, squares and flags: the code point of each alphabet's A. */
const ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];

/** Accents and invisible characters. Unpacking programs drop control characters; a zero byte ends a name. */
const UNSEEN = /[\p{M}\p{Cf}\p{DI}\u0001-\u001f\u007f-\u009f]/gu;

/**
 * A string as it looks at a glance: in lower case, without accents and invisible characters, with ASCII letters in
 * place of look-alikes.
 *
 * @example
 * asItLooks("Ｉnvoice․ЕХЕ\u200b"); // "invoice.exe"
 */
function asItLooks(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(UNSEEN, "")
    // A blank character that is not white space.
    .replaceAll("\u2800", " ");
  return Array.from(plain, (sign) => LOOK_ALIKES.get(sign) ?? asAscii(sign)).join("");
}

/** Converts letters in circles, squares and flags, and the digits of all scripts; others stay unchanged. */
function asAscii(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const start = ALPHABETS.find((first) => code >= first && code < first + 26);
  if (start !== undefined) return String.fromCodePoint(code - start + 0x61);
  return /^\p{Nd}$/u.test(sign) ? String(digitOf(code)) : sign;
}

/** The digits of a script are consecutive from its zero. */
function digitOf(code: number): number {
  let digit = 0;
  while (digit < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - digit - 1))) digit += 1;
  return digit;
}
