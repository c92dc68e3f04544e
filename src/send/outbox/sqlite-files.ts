import type { SqlValue } from "../../sqlite/driver.js";
import type { Row } from "./rows.js";

/** Files are written and read in parts, so that the database only copies small pieces. */
const PART_BYTES = 256 * 1024;

type Run = (sql: string, ...values: SqlValue[]) => void;
type Get = (sql: string, ...values: SqlValue[]) => Row | undefined;

export function writeFiles(run: Run, message: number, files: readonly Uint8Array[]): void {
  for (const [position, file] of files.entries())
    // An empty file also has one part.
    for (let start = 0; start === 0 || start < file.byteLength; start += PART_BYTES) {
      const part = file.subarray(start, start + PART_BYTES);
      run("INSERT INTO outbox_files VALUES (?, ?, ?, ?)", message, position, start, part);
    }
}

export function readFiles(get: Get, message: number): readonly Uint8Array[] {
  const files: Uint8Array[] = [];
  for (;;) {
    const row = get(
      "SELECT sum(length(content)) AS bytes FROM outbox_files WHERE message = ? AND position = ?",
      message,
      files.length,
    );
    if (typeof row?.["bytes"] !== "number") return files;
    const file = new Uint8Array(row["bytes"]);
    for (let start = 0; start < file.byteLength; start += PART_BYTES) {
      const part = get(
        "SELECT content FROM outbox_files WHERE message = ? AND position = ? AND start = ?",
        message,
        files.length,
        start,
      );
      if (part?.["content"] instanceof Uint8Array) file.set(part["content"], start);
    }
    files.push(file);
  }
}
