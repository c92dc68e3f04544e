/** How programs and installers begin, in hexadecimal, by name. */
const BEGINNINGS: readonly (readonly [name: string, ...beginnings: readonly string[]])[] = [
  ["ELF", "7f454c46"],
  ["Mach-O", "feedface", "feedfacf", "cefaedfe", "cffaedfe", "cafebabf"],
  // Java class files, and Mach-O for several processors.
  ["class or Mach-O", "cafebabe"],
  ["dex", "6465780a3033"],
  ["lnk", "4c0000000114020000000000c000000000000046"],
  ["deb", "213c617263683e0a64656269616e"],
  ["rpm", "edabeedb"],
];
/** Beginnings that text may also have: in a program, control characters follow. */
const LETTERS: readonly (readonly [name: string, beginning: RegExp])[] = [
  ["exe", /^(?:MZ|ZM)/],
  ["chm", /^ITSF/],
  ["cab", /^(?:MSCF|ISc\()/],
  ["crx", /^Cr24/],
  ["vhdx", /^vhdxfile/],
];

/** Class ids in the root of Windows Installer's compound files: packages, patches and transforms. */
const INSTALLER_CLASS_ID = /^8[246]100c0000000000c000000000000046$/;
const COMPOUND_FILE = "d0cf11e0a1b11ae1";

/** The type of program that a file is, by its content; undefined if it is not one. */
export function programIn(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 64);
  const hex = start.toString("hex");
  const known = BEGINNINGS.find(([, ...beginnings]) => beginnings.some((beginning) => hex.startsWith(beginning)));
  if (known !== undefined) return known[0];
  const letters = LETTERS.find(([, beginning]) => beginning.test(start.toString("latin1")));
  if (letters !== undefined && !isText(start)) return letters[0];
  if (hex.startsWith(COMPOUND_FILE) && INSTALLER_CLASS_ID.test(classIdOf(bytes))) return "msi";
  return diskImageIn(bytes);
}

/**
 * Whether bytes look like text: UTF-16 with a byte order mark, or UTF-8 or another superset of ASCII, without control
 * characters.
 */
export function isText(bytes: Uint8Array): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return isUtf16 || bytes.every((byte) => byte >= 0x20 || (byte >= 0x07 && byte <= 0x0d) || byte === 0x1b);
}

/**
 * The class id of a compound file's root, in hexadecimal: from the first entry of the sector that its header points to.
 */
function classIdOf(bytes: Buffer): string {
  if (bytes.length < 0x200) return "";
  const entry = (bytes.readUInt32LE(0x30) + 1) * 2 ** bytes.readUInt16LE(0x1e);
  return bytes.toString("hex", entry + 0x50, entry + 0x60);
}

function diskImageIn(bytes: Buffer): string | undefined {
  if (bytes.toString("latin1", 0x8001, 0x8006) === "CD001") return "iso";
  // A disc that starts without the ISO 9660 part.
  if (/^(?:BEA01|NSR0[23])$/.test(bytes.toString("latin1", 0x8001, 0x8006))) return "udf";
  const trailer = bytes.subarray(-512);
  if (trailer.toString("latin1", 0, 8) === "koly\0\0\0\x04") return "dmg";
  return trailer.toString("latin1", 0, 8) === "conectix" ? "vhd" : undefined;
}

/** How texts begin that a shell, Windows, its script host or PHP runs, or that Windows opens. */
const SCRIPT_BEGINNING =
  /^\uFEFF?\s*(?:#! ?\/|@echo off\b|\[InternetShortcut\]|<\?php\b|(?:<\?xml[^>]*>\s*)?<(?:job|package|component|scriptlet)\b)/i;
const HTML_APPLICATION = /<hta:application\b/i;
/** Parts of scripts, and also of texts about scripts. */
const SCRIPT_PARTS =
  /<script[\s>]|\b(?:WScript\.|CreateObject\s*\(|new ActiveXObject\b|Invoke-Expression\b|powershell(?:\.exe)?\s+-)/i;

const SCRIPT_HEAD_BYTES = 16 * 1024;

/**
 * Whether some program would run a text: `surely` according to its beginning, `perhaps` if it may just as well be about
 * scripts.
 */
export function scriptIn(bytes: Buffer): "surely" | "perhaps" | undefined {
  const text = headOf(bytes);
  if (SCRIPT_BEGINNING.test(text) || HTML_APPLICATION.test(text)) return "surely";
  return SCRIPT_PARTS.test(text) ? "perhaps" : undefined;
}

/** Windows also runs scripts in UTF-16. */
function headOf(bytes: Buffer): string {
  const head = bytes.subarray(0, SCRIPT_HEAD_BYTES);
  if (head[0] === 0xff && head[1] === 0xfe) return head.toString("utf16le", 2);
  return isText(head) ? head.toString() : "";
}
