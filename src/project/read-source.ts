import { readFileSync } from "node:fs";
import type { SourceFile } from "./template.js";

const utf8 = new TextDecoder("utf-8", { fatal: true });
const utf8Verbatim = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a text file; normalises line ends and removes a byte order mark.
 *
 * @param verbatim Keeps the content unchanged. Default false.
 * @throws {Error} It cannot be read.
 * @throws {TypeError} It is not UTF-8.
 */
export function readSource(file: string, verbatim = false): SourceFile {
  if (verbatim) return { file, text: utf8Verbatim.decode(readFileSync(file)) };
  const text = utf8.decode(readFileSync(file));
  return { file, text: text.replaceAll(/\r\n?/g, "\n") };
}
