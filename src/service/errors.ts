import { LettershopError } from "../errors.js";

/** Another process has this data folder. Its data is not touched. */
export class DataFolderHeldError extends LettershopError {
  override readonly name = "DataFolderHeldError";
  readonly code = "data_folder_held";

  constructor(
    /** The folder, absolute. */
    readonly folder: string,
    /** Who has it, as far as that process has written it down. */
    readonly holder: { readonly pid?: number; readonly url?: string },
  ) {
    const who = holder.pid === undefined ? "another process" : `the local service with process id ${holder.pid}`;
    super(`The data folder ${folder} is in use by ${who}${holder.url === undefined ? "" : ` (${holder.url})`}.`, {
      hint: "Use that service, stop it, or choose another data folder.",
    });
  }
}

/** A data folder that cannot be used: it is a file, its disk is read-only or full, or what is in it cannot be read. */
export class DataFolderError extends LettershopError {
  override readonly name = "DataFolderError";
  readonly code = "data_folder";

  constructor(
    /** The folder, absolute. */
    readonly folder: string,
    reason: string,
    options?: { cause?: unknown },
  ) {
    super(`The data folder ${folder} cannot be used: ${reason}.`, {
      ...options,
      hint: "Choose another folder with --data, or fix this one. A folder that is missing is created.",
    });
  }
}

/** A database that a newer version of lettershop has written. It is not touched. */
export class DatabaseNewerError extends LettershopError {
  override readonly name = "DatabaseNewerError";
  readonly code = "database_newer";

  constructor(readonly file: string) {
    super(`${file} was written by a newer version of lettershop.`, {
      hint: "Update lettershop, or choose another data folder.",
    });
  }
}

/** The port that was asked for cannot be listened on. */
export class PortUnavailableError extends LettershopError {
  override readonly name = "PortUnavailableError";
  readonly code = "port_unavailable";

  constructor(
    readonly host: string,
    readonly port: number,
    options?: { cause?: unknown },
  ) {
    super(`The local service cannot listen on port ${port} of ${host}.`, {
      ...options,
      hint: "Stop what uses the port, choose another one, or leave the choice to the service.",
    });
  }
}

/** A seed that cannot be planted. Nothing of it is. */
export class SeedError extends LettershopError {
  override readonly name = "SeedError";
  readonly code = "seed";

  constructor(
    /** What is wrong, each with its place in the seed: `domains[0].name must be …`. */
    readonly problems: readonly string[],
  ) {
    super(`The seed cannot be used:\n${problems.map((problem) => `  ${problem}`).join("\n")}`, {
      hint: "The guide to the local service has what a seed may hold.",
    });
  }
}

/** Whatever was thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
