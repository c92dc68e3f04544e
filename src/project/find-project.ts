import { existsSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { ConfigurationError } from "../errors.js";
import { upwards } from "../files.js";

/** Where a project is, found without running any of its code. */
export interface ProjectLocation {
  /**
   * The folder of the configuration file, else of the nearest package.json, else the current one if the local service
   * has run there. Absolute, with symbolic links resolved.
   */
  readonly folder: string;
  readonly configFile?: string;
  /** `<folder>/.lettershop`: caches and the local service's data. */
  readonly dataFolder: string;
}

/** The possible names of a configuration file. */
export const configNames = ["ts", "mts", "js", "mjs", "json"].map((extension) => `lettershop.config.${extension}`);

export interface FindOptions {
  readonly cwd: string;
  /** The value of `--config`, relative to `cwd`. */
  readonly configFile?: string | undefined;
  /** Whether to use `cwd` if there is neither a configuration file nor a package.json. */
  readonly orHere?: boolean;
}

/**
 * Finds the project of a folder.
 *
 * @throws {ConfigurationError} The configuration file does not exist. If none was given: `cwd` and its parents have
 * neither a configuration file nor a package.json, and `cwd` has no `.lettershop`.
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
      throw new ConfigurationError(`The project has two configuration files: ${file} and ${second}.`, {
        hint: "Delete one of them.",
      });
    }
    if (file !== undefined) return locationOf(folder, file);
  }
  for (const folder of upwards(start)) if (existsSync(path.join(folder, "package.json"))) return locationOf(folder);
  // The local service runs without a project, too.
  if (orHere || existsSync(path.join(start, ".lettershop"))) return locationOf(start);
  throw new ConfigurationError(`There is no lettershop.config.ts or package.json in ${start} or its parent folders.`, {
    hint: "Run: npx lettershop init",
  });
}

/** The package.json whose `name` is the default marker of the project's templates. */
export function packageFile({ folder }: ProjectLocation): string {
  return path.join(folder, "package.json");
}

function locationOf(folder: string, configFile?: string): ProjectLocation {
  const dataFolder = path.join(folder, ".lettershop");
  if (statSync(dataFolder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new ConfigurationError(`${dataFolder} is not a folder.`, {
      hint: "Delete it. lettershop stores its data in a folder of this name.",
    });
  return configFile === undefined ? { folder, dataFolder } : { folder, configFile, dataFolder };
}
