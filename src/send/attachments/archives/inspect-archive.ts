import { blockedExtension } from "../filenames.js";
import { programIn } from "../programs.js";
import type { ArchiveContents } from "./contents.js";
import { gzipContents } from "./gzip.js";
import { rarContents } from "./rar.js";
import { sevenZipContents } from "./seven-zip.js";
import { tarContents } from "./tar.js";
import { zipContents } from "./zip.js";

/** What is in an archive that should not be, or cannot be known. */
export interface ArchiveFindings {
  /** Why it cannot be sent. */
  readonly blocked?: string;
  /** Why what is in it is not known, or not all of it. */
  readonly unread?: string;
  /** It is a document of Office with macros. */
  readonly hasMacros?: boolean;
}

/** Archives that nothing here unpacks. */
const PACKED = new Set("bz2 xz zst lz lz4 lzh Z arj ace cpio ar".split(" "));
/** Names by which a zip is a program of Java, Android or Windows. */
const PROGRAM_PARTS =
  /^(?:META-INF\/MANIFEST\.MF|AndroidManifest\.xml|classes\.dex|AppxManifest\.xml|AppxBundleManifest\.xml)$/i;
/** Where documents of Office keep their macros. */
const MACROS = /^(?:word|xl|ppt)[/\\]vbaProject\.bin$/i;
/** More of a name is not looked at. */
const NAME_MAX = 256;

/**
 * Inspects, one level deep, whatever in a file can be opened as an archive, also behind something else.
 *
 * @param kind What file-type says.
 */
export async function inspectArchive(bytes: Buffer, kind: string | undefined): Promise<ArchiveFindings> {
  const zip = zipContents(bytes);
  if (zip?.names.some((name) => PROGRAM_PARTS.test(name)))
    return { blocked: "is a program in a zip, whatever its name says" };
  if (zip?.names.some((name) => MACROS.test(name))) return { ...findIn([zip]), hasMacros: true };
  const gzip = await gzipContents(bytes);
  const program = gzip && programIn(gzip.head);
  if (program !== undefined) return { blocked: `has a program in it (${program})` };
  const archives = [zip, gzip, tarContents(bytes), rarContents(bytes), sevenZipContents(bytes)];
  const found = findIn(archives);
  if (found.blocked !== undefined || found.unread !== undefined) return found;
  return kind !== undefined && PACKED.has(kind) ? { unread: "what is in it is packed" } : {};
}

function findIn(archives: readonly (ArchiveContents | undefined)[]): ArchiveFindings {
  for (const { names } of archives.filter((archive) => archive !== undefined)) {
    const blocked = blockedAmong(names);
    if (blocked !== undefined)
      return { blocked: `has a file in it with the extension ".${blocked}", which the service does not let through` };
  }
  const unread = archives.find((archive) => archive?.unread !== undefined)?.unread;
  return unread === undefined ? {} : { unread };
}

function blockedAmong(names: readonly string[]): string | undefined {
  for (const name of new Set(names)) {
    // A program of macOS is a folder.
    if (/\.app[/\\]+Contents[/\\]/i.test(name)) return "app";
    const last = name.slice(-NAME_MAX).replace(/^.*[/\\]/s, "");
    const blocked = blockedExtension(last);
    if (blocked !== undefined) return blocked;
  }
  return undefined;
}
