import path from "node:path";
import type { Inputs } from "../cache/inputs.js";
import { ConfigurationError } from "../errors.js";
import { PROJECT_PREFIX, projectVariables } from "../config/project-variables.js";
import { packageFile, type ProjectLocation } from "../config/find.js";
import type { Project } from "../config/load.js";
import type { ModuleHost } from "../modules/host.js";
import type { DefaultValue } from "../modules/read-default.js";
import { projectCache } from "./caches.js";
import { hideFromGit } from "./data-folder.js";

/** A project's configuration, and what it was read from. */
export interface ReadProject {
  readonly project: Project;
  /** Absolute; some may not be there. */
  readonly files: readonly string[];
}

/**
 * The project's configuration: as it was read before, where nothing that it depends on has changed.
 *
 * @param host Runs it where it does more than write data down. Its worker starts meanwhile, and is fit for the project's
 *   other modules: nothing of the configuration stays in it.
 */
export async function readProject(location: ProjectLocation, host: ModuleHost): Promise<ReadProject> {
  hideFromGit(location.dataFolder);
  const variables = projectVariables({});
  const cache = projectCache(location, variables);
  const key = { name: `configuration\n${location.configFile ?? location.folder}`, key: location };
  const known = cache.read(key);
  if (known && isProject(known.value)) return { project: known.value, files: known.inputs.files };

  const { prepareReading, readDefault } = await import("../modules/read-default.js");
  let read: Pick<DefaultValue, "sources" | "environment"> = { sources: [], environment: [] };
  if (isModule(location)) void prepareReading(host);
  const { loadProject } = await import("../config/load.js");
  const project = await loadProject(location, async (file) => {
    const { readPlainDefault } = await import("../modules/plain-default.js");
    const plain = await readPlainDefault(file, { name: "defineConfig", from: "lettershop/config" });
    if (plain) return plain.value;
    const { value, ...others } = await readDefault(host, file).catch(explain);
    read = others;
    await host.rest();
    return value;
  }).catch((error: unknown) => {
    throw withUnsetVariables(
      error,
      read.environment.filter((name) => variables[name] === undefined),
    );
  });
  const inputs = await inputsOf(location, read);
  cache.write(key, inputs, project);
  return { project, files: inputs.files };
}

function isModule({ configFile }: ProjectLocation): boolean {
  return configFile !== undefined && path.extname(configFile) !== ".json";
}

/** Data is what a configuration holds, and a rule is none unless it is made one. */
function explain(error: unknown): never {
  if (!(error instanceof Error) || !/could not be cloned/.test(error.message)) throw error;
  throw new ConfigurationError(error.message, {
    cause: error,
    hint: 'A configuration holds no functions. Make rules with defineRule of "lettershop/check".',
  });
}

/** A value that is missing may be one of a variable that is set, but not passed on. */
function withUnsetVariables(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof ConfigurationError) || error.hint !== undefined || names.length === 0) return error;
  return new ConfigurationError(error.message, {
    cause: error,
    hint: `It reads ${names.join(" and ")}, which its code doesn't get. Variables of your own must begin with ${PROJECT_PREFIX}.`,
  });
}

async function inputsOf(
  location: ProjectLocation,
  { sources, environment }: Pick<DefaultValue, "sources" | "environment">,
): Promise<Inputs> {
  const { moduleInputs } = await import("../modules/module-inputs.js");
  const { folder, configFile } = location;
  const { files, stems, trees } = moduleInputs(sources);
  return {
    files: [...new Set([...(configFile === undefined ? [] : [configFile]), ...files, packageFile(location)])],
    stems,
    trees,
    environment,
    // Where the registry goes by default.
    places: [path.join(folder, "src")],
  };
}

/** What `loadProject` gave, as this version of lettershop kept it. */
function isProject(value: unknown): value is Project {
  return typeof value === "object" && value !== null && "roots" in value && "environments" in value;
}
