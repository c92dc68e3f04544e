import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { ConfigurationError } from "../../errors.js";

/**
 * Refuses a file that a command could not write in the end, before it begins.
 *
 * @param what Names the file in the message, as in "The summary".
 * @throws {ConfigurationError} It is a folder or must not be written to, or it is new and its folder is missing or must not.
 */
export function refuseUnwritable(file: string, what: string): void {
  const folder = path.dirname(file);
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw new Error(`${file} is a folder.`);
    if (there === undefined && !statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder.`);
    accessSync(there === undefined ? folder : file, constants.W_OK);
  } catch (cause) {
    throw unwritable(file, what, cause);
  }
}

export function unwritable(file: string, what: string, cause: unknown): ConfigurationError {
  return new ConfigurationError(`${what} cannot be written to ${file}.`, {
    cause,
    hint: cause instanceof Error ? cause.message : String(cause),
  });
}
