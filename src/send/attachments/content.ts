import { readFile, stat } from "node:fs/promises";
import { BLOCKED_EXTENSIONS } from "../../api/limits.js";
import type { Report } from "../message/report.js";

/** What is attached: its size is known before it is read. */
export interface Content {
  readonly bytes: number;
  /** Undefined where it cannot be read any more. */
  load(): Promise<Uint8Array | undefined>;
}

/** Bytes, or a text in base64. */
export function readContent(content: unknown, path: string, report: Report): Content | undefined {
  const bytes = typeof content === "string" ? decodeBase64(content, path, report) : content;
  if (bytes === undefined && typeof content === "string") return undefined;
  if (!(bytes instanceof Uint8Array)) {
    report(
      path,
      content === undefined
        ? "is missing: an attachment has a content or a path"
        : "is neither bytes nor a base64 text",
    );
    return undefined;
  }
  return sized(bytes.byteLength, path, report, async () => bytes);
}

/** A file on disk. It is read when it is asked for. */
export async function readFileContent(file: string, path: string, report: Report): Promise<Content | undefined> {
  const read = <Value>(reading: Promise<Value>) =>
    reading.catch((error: unknown) => {
      report(
        path,
        `cannot be read (${error instanceof Error && "code" in error ? String(error.code) : "unknown reason"})`,
      );
      return undefined;
    });
  const facts = await read(stat(file));
  if (facts === undefined) return undefined;
  if (facts.isFile()) return sized(facts.size, path, report, () => read(readFile(file)));
  report(path, "is not a file");
  return undefined;
}

function sized(bytes: number, path: string, report: Report, load: Content["load"]): Content | undefined {
  if (bytes > 0) return { bytes, load };
  report(path, "is empty");
  return undefined;
}

/** Base64 to the letter of RFC 4648: its own alphabet, padded, without line breaks. */
function decodeBase64(text: string, path: string, report: Report): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") === text) return bytes;
  report(path, text.startsWith("data:") ? "is a data: address: pass only what is behind its comma" : "is not base64");
  return undefined;
}

/** Types that file-type has a name for and that are programs, besides the blocked extensions. */
const PROGRAMS = new Set(["elf", "macho"]);

/** Reports a program, whatever its name says. */
export async function checkContent(bytes: Uint8Array, path: string, report: Report): Promise<void> {
  const { fileTypeFromBuffer } = await import("file-type");
  const type = await fileTypeFromBuffer(bytes);
  if (type === undefined || !(BLOCKED_EXTENSIONS.has(type.ext) || PROGRAMS.has(type.ext))) return;
  // "MZ" begins a program, and also a text may begin so. The header of a program is never without zeros.
  if (type.ext === "exe" && !bytes.subarray(0, 64).includes(0)) return;
  report(path, `is a program (${type.ext}), whatever its name says`);
}
