import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { ConfigurationError } from "../../errors.js";

/**
 * Refuses a file that a command will write at its end, if it is not writable at the start.
 *
 * @param what Names the file in the message, as in "The summary".
 * @throws {ConfigurationError} The path is a folder or not writable; or the file is new and its folder is missing or not writable.
 */
export function refuseUnwritable(file: string, what: string): void {
  const folder = path.dirname(file);
  try {
    const existing = statSync(file, { throwIfNoEntry: false });
    if (existing?.isDirectory()) throw new Error(`${file} is a folder.`);
    if (existing === undefined && !statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder.`);
    accessSync(existing === undefined ? folder : file, constants.W_OK);
  } catch (cause) {
    throw unwritable(file, what, cause);
  }
}

export function unwritable(file: string, what: string, cause: unknown): ConfigurationError {
  return new ConfigurationError(`${what} can't be written to ${file}.`, {
    cause,
    hint: cause instanceof Error ? cause.message : String(cause),
  });
}
