import path from "node:path";
import { bundleModule } from "./bundle.js";
import type { ModuleHost } from "./host.js";
import { ModuleError } from "./module-error.js";
import type { readDefaultExport } from "./read-default-task.js";
import type { Task } from "./task.js";

const READ_DEFAULT: Task<typeof readDefaultExport> = {
  module: new URL("./read-default-task.js", import.meta.url),
  name: "readDefaultExport",
};

/**
 * What a module exports by default, as data: how a configuration file is read.
 *
 * @example
 * const project = await loadProject(location, (file) => readDefault(host, file));
 *
 * @throws {ModuleError} It cannot be loaded, or what it exports is not data (holds a function, for instance).
 * @throws {MissingPeerError} rolldown is not installed.
 */
export async function readDefault(host: ModuleHost, file: string): Promise<unknown> {
  const bundle = await bundleModule(file);
  const found = await host.run(READ_DEFAULT, bundle);
  const name = path.basename(file);
  if (found.kind === "value") return found.value;
  throw new ModuleError(
    found.kind === "missing"
      ? `${name} has no default export.`
      : `${name} exports something that is not data: ${found.reason}`,
    { file },
  );
}
