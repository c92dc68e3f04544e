import { readFileSync } from "node:fs";
import type { SourceFile } from "./template.js";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a text file, its line ends and byte order mark normalised.
 *
 * @throws {Error} It cannot be read.
 * @throws {TypeError} It is not UTF-8.
 */
export function readSource(file: string): SourceFile {
  const text = utf8.decode(readFileSync(file));
  return { file, text: text.replaceAll(/\r\n?/g, "\n") };
}
