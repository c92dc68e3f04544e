import type { AssetsConfig } from "../../config/define.js";
import { findProject } from "../../config/find.js";
import type { Project } from "../../config/load.js";
import { secretNames, withoutSecrets } from "../../config/secrets.js";
import { type ProjectFlags, workingFolder } from "../project.js";
import type { CompiledApart } from "./compiled.js";
import { CompilerProcess } from "./compiler-process.js";
import { hideFromSystem } from "../../config/own-environment.js";

/** A project whose own code runs in another process, without keys. */
export interface ProjectApart {
  readonly project: Project;
  /**
   * Loads and compiles the project's templates, all or those named, while the command goes on.
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
 * @example
 * return withProjectApart(flags, signal, ({ project, compile }) =>
 *   withTarget(project, flags.env, output, async ({ client, environment }) => {
 *     const [compiled, remote] = await Promise.all([compile(names, environment.assets), list(client)]);
 *     …
 *   }),
 * );
 */
export async function withProjectApart<Result>(
  flags: ProjectFlags,
  signal: AbortSignal,
  use: (apart: ProjectApart) => Promise<Result>,
): Promise<Result> {
  const location = await findProject({
    cwd: workingFolder(flags),
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
  });
  const { folder, configFile } = location;
  const start = (env: NodeJS.ProcessEnv) => new CompilerProcess({ folder, env, signal });
  const read = async (compiler: CompilerProcess): Promise<Project> => {
    const answer = compiler.ask({ kind: "project", folder, ...(configFile && { configFile }) });
    // Loaded while the other process starts.
    const [data, { readProjectData }] = await Promise.all([answer, import("../../config/project-data.js")]);
    return readProjectData(location, data);
  };

  // With a signal that Node.js takes as a wish to be debugged, any process of the same user could read this one's memory.
  process.on("SIGUSR1", ignore);
  hideFromSystem(secretNames({}));
  const env = withoutSecrets({});
  let compiler = start(env);
  try {
    let project = await read(compiler);
    const { environments } = project;
    if (secretNames(environments, env).length > 0) {
      // A key by a name that doesn't say so: what is compiled sees nothing of it.
      hideFromSystem(secretNames(environments));
      await compiler.close();
      compiler = start(withoutSecrets(environments));
      project = await read(compiler);
    }
    return await use({
      project,
      compile: async (names, assets, check = false) => {
        const answer = compiler.ask({ kind: "compile", names, check, ...(assets && { assets }) });
        const [compiled, { readCompiled }] = await Promise.all([answer, import("./compiled.js")]);
        return readCompiled(compiled);
      },
    });
  } finally {
    await compiler.close();
    process.off("SIGUSR1", ignore);
  }
}

function ignore(): void {}
