import { blockedExtension } from "../filenames.js";
import { programIn } from "../programs.js";
import { gzipContents } from "./gzip.js";
import { rarContents } from "./rar.js";
import { sevenZipContents } from "./seven-zip.js";
import { tarContents } from "./tar.js";
import { readZipEntry, zipContents } from "./zip.js";

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
