import { existsSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { ConfigurationError } from "../errors.js";

/** Where a project is: found without running any code of it. */
export interface ProjectLocation {
  /** The folder of the configuration file, else of the nearest package.json. Absolute, links resolved. */
  readonly folder: string;
  readonly configFile?: string;
  /** `<folder>/.lettershop`: caches and the local service's data. */
  readonly dataFolder: string;
}

/** What a configuration file may be called. */
export const configNames = ["ts", "mts", "js", "mjs", "json"].map((extension) => `lettershop.config.${extension}`);

export interface FindOptions {
  readonly cwd: string;
  /** As `--config` gives it, relative to `cwd`. */
  readonly configFile?: string;
  /** Whether `cwd` will do where there is neither a configuration file nor a package.json. */
  readonly orHere?: boolean;
}

/**
 * @example
 * const { folder } = await findProject({ cwd: process.cwd() });
 *
 * @throws {ConfigurationError} There is no such file, or neither a configuration file nor a package.json in `cwd` or above.
 */
export async function findProject({ cwd, configFile, orHere = false }: FindOptions): Promise<ProjectLocation> {
  const start = await realpath(cwd).catch((cause: unknown) => {
    throw new ConfigurationError(`There is no folder ${path.resolve(cwd)}.`, { cause });
  });
  if (configFile !== undefined) {
    const file = path.resolve(start, configFile);
    if (!existsSync(file)) throw new ConfigurationError(`There is no configuration file ${file}.`);
    return locationOf(path.dirname(file), file);
  }
  for (const folder of upwards(start)) {
    const [file, second] = configNames.map((name) => path.join(folder, name)).filter((each) => existsSync(each));
    if (file !== undefined && second !== undefined) {
      throw new ConfigurationError(`Both ${file} and ${second} configure the project.`, { hint: "Keep one of them." });
    }
    if (file !== undefined) return locationOf(folder, file);
  }
  for (const folder of upwards(start)) if (existsSync(path.join(folder, "package.json"))) return locationOf(folder);
  if (orHere) return locationOf(start);
  throw new ConfigurationError(`Neither lettershop.config.ts nor package.json is in ${start} or above it.`, {
    hint: "Run: npx lettershop init",
  });
}

/** The file whose `name` tells one project's templates from another's. */
export function packageFile({ folder }: ProjectLocation): string {
  return path.join(folder, "package.json");
}

function locationOf(folder: string, configFile?: string): ProjectLocation {
  const dataFolder = path.join(folder, ".lettershop");
  if (statSync(dataFolder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new ConfigurationError(`${dataFolder} is no folder.`, {
      hint: "Remove it: what lettershop keeps goes there.",
    });
  return configFile === undefined ? { folder, dataFolder } : { folder, configFile, dataFolder };
}

/** A folder and those around it, the innermost first. */
export function* upwards(start: string): Iterable<string> {
  let folder = start;
  yield folder;
  while (folder !== path.dirname(folder)) {
    folder = path.dirname(folder);
    yield folder;
  }
}
