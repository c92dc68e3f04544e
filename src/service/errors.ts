import { LettershopError } from "../errors.js";

/** Another process uses this data folder. Its data is not touched. */
export class DataFolderHeldError extends LettershopError {
  override readonly name = "DataFolderHeldError";
  readonly code = "data_folder_held";

  constructor(
    /** Absolute path of the folder. */
    readonly folder: string,
    /** The process that uses it, as far as it is recorded. */
    readonly holder: { readonly pid?: number; readonly url?: string },
  ) {
    const who = holder.pid === undefined ? "another process" : `the local service with process id ${holder.pid}`;
    super(`The data folder ${folder} is in use by ${who}${holder.url === undefined ? "" : ` (${holder.url})`}.`, {
      hint: "Use that service, stop it, or choose another data folder.",
    });
  }
}

/** The data folder is unusable: it is a file, its disk is read-only or full, or its content cannot be read. */
export class DataFolderError extends LettershopError {
  override readonly name = "DataFolderError";
  readonly code = "data_folder";

  constructor(
    /** Absolute path of the folder. */
    readonly folder: string,
    reason: string,
    options?: { cause?: unknown },
  ) {
    super(`The data folder ${folder} can't be used: ${reason}.`, {
      ...options,
      hint: "Choose another folder with --data, or fix this one. Missing folders are created.",
    });
  }
}

/** A newer version of lettershop wrote this database. It is not touched. */
export class DatabaseNewerError extends LettershopError {
  override readonly name = "DatabaseNewerError";
  readonly code = "database_newer";

  constructor(readonly file: string) {
    super(`${file} was written by a newer version of lettershop.`, {
      hint: "Update lettershop, or choose another data folder.",
    });
  }
}

/** The local service was closed before this call. */
export class ServiceClosedError extends LettershopError {
  override readonly name = "ServiceClosedError";
  readonly code = "service_closed";

  constructor(url: string) {
    super(`The local service at ${url} is closed.`, { hint: "Close it after the last test that uses it." });
  }
}

/** The requested port is not available. */
export class PortUnavailableError extends LettershopError {
  override readonly name = "PortUnavailableError";
  readonly code = "port_unavailable";

  constructor(
    readonly host: string,
    readonly port: number,
    options?: { cause?: unknown },
  ) {
    super(`The local service can't listen on port ${port} of ${host}.`, {
      ...options,
      hint: "Stop the program that uses it, choose another port, or leave out the port to use a free one.",
    });
  }
}

/** The seed is invalid. Nothing of it was added. */
export class SeedError extends LettershopError {
  override readonly name = "SeedError";
  readonly code = "seed";

  constructor(
    /** Problems with their place in the seed: `domains[0].name must be …`. */
    readonly problems: readonly string[],
  ) {
    super(`The seed is not valid:\n${problems.map((problem) => `  ${problem}`).join("\n")}`, {
      hint: "See the guide to the local service for what a seed can contain.",
    });
  }
}
