import type { AssetsConfig } from "../../config/define.js";
import { canBeLocal } from "../../config/environment.js";
import { findProject } from "../../config/find.js";
import type { Project } from "../../config/load.js";
import { hideFromSystem } from "../../config/own-environment.js";
import { projectVariables } from "../../config/project-variables.js";
import { secretNames } from "../../config/secrets.js";
import { ConfigurationError } from "../../errors.js";
import type { Output } from "../output.js";
import { type ProjectFlags, workingFolder } from "../project.js";
import { projectTarget } from "../target.js";
import type { CompiledApart } from "./compiled.js";
import { CompilerProcess } from "./compiler-process.js";
import { preload } from "./preload.js";
import { warnOfWrites } from "./sandbox.js";

/** A project whose own code runs in another process, without keys. */
export interface ProjectApart {
  readonly project: Project;
  /**
   * Loads and compiles the project's templates, all or those named, while the command goes on. To be called once.
   *
   * @param assets The environment's.
   * @param check Whether to find what `templates check` does, too.
   * @throws {LettershopError} What `compileProject` throws; `aborted` when the signal ended it.
   */
  readonly compile: (names: readonly string[], assets?: AssetsConfig, check?: boolean) => Promise<CompiledApart>;
}

/**
 * Finds and reads the project for a command that holds a key, and lends it out. Nothing of the project's own is loaded in
 * this process: another one, started without anything secret, reads the configuration and compiles.
 *
 * @param output Gets the warning where that process can write files that it shouldn't. Default: nobody is warned.
 * @example
 * return withProjectApart(flags, signal, ({ project, compile }) =>
 *   withTarget(project, flags.env, output, async ({ client, environment }) => {
 *     const [compiled, remote] = await Promise.all([compile(names, environment.assets), list(client)]);
 *     …
 *   }),
 * );
 */
export async function withProjectApart<Result>(
  flags: ProjectFlags & { readonly env?: string | undefined },
  signal: AbortSignal,
  use: (apart: ProjectApart) => Promise<Result>,
  output?: Output,
): Promise<Result> {
  const location = await findProject({
    cwd: workingFolder(flags),
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
  });
  const { folder, configFile } = location;
  const start = (env: NodeJS.ProcessEnv) => new CompilerProcess({ location, env, signal });
  const read = async (compiler: CompilerProcess): Promise<Project> => {
    const data = await compiler.ask({ kind: "project", folder, ...(configFile && { configFile }) });
    const { readProjectData } = await import("../../config/project-data.js");
    return readProjectData(location, data);
  };

  // With a signal that Node.js takes as a wish to be debugged, any process of the same user could read this one's memory.
  process.on("SIGUSR1", ignore);
  hideFromSystem(secretNames({}));
  const env = projectVariables({});
  let compiler = start(env);
  try {
    // Loaded while the other process starts.
    const [isReadOnly] = await Promise.all([compiler.start(), preload(canBeLocal(flags.env))]);
    let project = await read(compiler);
    const { environments } = project;
    if (secretNames(environments, env).length > 0) {
      // A key by a name that doesn't say so: what is compiled sees nothing of it.
      hideFromSystem(secretNames(environments));
      await compiler.close();
      compiler = start(projectVariables(environments));
      await compiler.start();
      project = await read(compiler);
    }
    if (output && !isReadOnly && hasKey(project, flags.env)) warnOfWrites(output);
    return await use({
      project,
      compile: async (names, assets, check = false) => {
        const { readCompiled } = await import("./compiled.js");
        const compiled = await compiler.ask({ kind: "compile", names, check, ...(assets && { assets }) });
        // Its memory is needed for what comes now.
        await compiler.close();
        return readCompiled(compiled);
      },
    });
  } finally {
    await compiler.close();
    process.off("SIGUSR1", ignore);
  }
}

/** Whether the command holds a secret: the key of the local service is not one. */
function hasKey(project: Project, environment: string | undefined): boolean {
  try {
    return projectTarget(project, environment).name !== "local";
  } catch (error) {
    if (error instanceof ConfigurationError) return false;
    throw error;
  }
}

function ignore(): void {}
