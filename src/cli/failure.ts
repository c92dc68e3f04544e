import { ConfigurationError, LettershopError } from "../errors.js";
import { ModuleError } from "../process/module-error.js";
import { type ExitCode, exitCode } from "./command.js";
import { formatPosition } from "./report/diagnostics.js";
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/** How to report an error that ended a command. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly exit: ExitCode;
}

/**
 * Exit codes by error code. An error that is not listed is neither the user's mistake nor the service's response: it is a bug
 * in lettershop.
 */
const exits: Readonly<Record<string, ExitCode>> = {
  usage: exitCode.usage,
  configuration: exitCode.usage,
  missing_peer: exitCode.usage,
  peer_load_failed: exitCode.usage,
  module: exitCode.usage,
  invalid_message: exitCode.usage,
  invalid_variables: exitCode.usage,
  refused: exitCode.refused,
  unreachable: exitCode.refused,
  other_project: exitCode.refused,
  timeout: exitCode.refused,
  contract: exitCode.refused,
  rejected: exitCode.refused,
  rate_limited: exitCode.refused,
  data_folder: exitCode.usage,
  data_folder_held: exitCode.usage,
  database_newer: exitCode.usage,
  port_unavailable: exitCode.usage,
  seed: exitCode.usage,
  plan: exitCode.findings,
  plan_file: exitCode.usage,
  plan_stale: exitCode.refused,
  backup: exitCode.usage,
  run_held: exitCode.refused,
  run_lost: exitCode.partial,
  run_folder: exitCode.usage,
  unknown_outcome: exitCode.partial,
  in_doubt: exitCode.refused,
  expired: exitCode.refused,
  store: exitCode.usage,
  message_not_found: exitCode.findings,
  aborted: exitCode.interrupted,
};

/** The failure to report for an error; undefined for a bug in lettershop. */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof LettershopError)) return undefined;
  const exit = exits[error.code];
  if (exit === undefined) return undefined;
  const message =
    error instanceof ModuleError ? `${formatPosition(error.at, process.cwd())}: ${error.message}` : error.message;
  return { code: error.code, message, ...(error.hint === undefined ? {} : { hint: error.hint }), exit };
}

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
    throw cannotWrite(file, what, cause);
  }
}

export function cannotWrite(file: string, what: string, cause: unknown): ConfigurationError {
  return new ConfigurationError(`${what} can't be written to ${file}.`, {
    cause,
    hint: cause instanceof Error ? cause.message : String(cause),
  });
}
