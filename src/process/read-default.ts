import path from "node:path";
import { bundleModule } from "./bundle.js";
import type { ModuleHost } from "./host.js";
import { ModuleError } from "./module-error.js";
import type { awaitReading, readDefaultExport } from "./read-default-task.js";
import type { Task } from "./task.js";

const module = new URL("./read-default-task.js", import.meta.url);
const READ_DEFAULT: Task<typeof readDefaultExport> = { module, name: "readDefaultExport" };
const AWAIT_READING: Task<typeof awaitReading> = { module, name: "awaitReading" };

/** A module's default export, as data. */
export interface DefaultValue {
  readonly value: unknown;
  /** Own modules that it was made from, and files that these read, absolute. */
  readonly sources: readonly string[];
  /** Names of the environment variables that they read. */
  readonly environment: readonly string[];
}

/** Starts the worker while this thread still loads what `readDefault` needs. Errors are reported by `readDefault`. */
export async function prepareReading(host: ModuleHost): Promise<void> {
  await host.run(AWAIT_READING, undefined).catch(() => {});
}

/**
 * Reads a module's default export as data, for configuration files.
 *
 * @example
 * const { value, sources } = await readDefault(host, configFile);
 *
 * @throws {ModuleError} It can't be loaded, or its export is not data (contains a function, for instance).
 * @throws {MissingPeerError} rolldown is not installed.
 */
export async function readDefault(host: ModuleHost, file: string): Promise<DefaultValue> {
  const bundle = await bundleModule(file);
  const output = await host.run(READ_DEFAULT, bundle);
  const name = path.basename(file);
  if (output.kind === "value") {
    const { environment, files } = output.reads;
    return {
      value: output.value,
      sources: [...bundle.sources, ...files],
      environment: environment.map((read) => read.name),
    };
  }
  throw new ModuleError(
    output.kind === "missing"
      ? `${name} has no default export.`
      : `${name} exports something that is not data: ${output.reason}`,
    { file },
  );
}
