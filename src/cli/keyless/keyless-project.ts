import type { AssetsConfig } from "../../project/config.js";
import { canBeLocal } from "../../project/environment.js";
import { findProject } from "../../project/find-project.js";
import type { Project } from "../../project/load-project.js";
import { hideFromSystem, projectVariables, secretNames } from "../../project/own-environment.js";
import { LettershopError } from "../../errors.js";
import type { Output } from "../output.js";
import { hideFromGit, type ProjectFlags, workingFolder } from "../project.js";
import { ifUsable, projectTarget } from "../target.js";
import type { KeylessTemplates } from "./compiled.js";
import { KeylessProcess } from "../../process/keyless-process.js";
import type { Compiler } from "./compiler.js";
import { preload } from "./preload.js";

/** The command was interrupted by Ctrl-C or SIGTERM. */
export class InterruptedError extends LettershopError {
  override readonly name = "InterruptedError";
  readonly code = "aborted";

  constructor(message = "Interrupted before the templates were compiled.") {
    super(message);
  }
}

/** A project whose code runs in another process, without access to keys. */
export interface KeylessProject {
  readonly project: Project;
  /**
   * Loads and compiles all of the project's templates, or only those named, in the background. Call it only once.
   *
   * @param check Whether to also run the rules of `templates check`.
   * @throws {LettershopError} Whatever `compileProject` throws; code `aborted` if the signal was aborted.
   */
  readonly compile: (names: readonly string[], assets?: AssetsConfig, check?: boolean) => Promise<KeylessTemplates>;
}

/**
 * Finds and reads the project for a command that holds a key, and passes it to `use`. This process loads none of the project's
 * code: another process, started without any secrets, reads the configuration and compiles.
 *
 * @param output Where to warn if that process can write files outside its own folders. Default: no warning.
 */
export async function withKeylessProject<Result>(
  flags: ProjectFlags & { readonly env?: string | undefined },
  signal: AbortSignal,
  use: (opened: KeylessProject) => Promise<Result>,
  output?: Output,
): Promise<Result> {
  const location = await findProject({ cwd: workingFolder(flags), configFile: flags.config });
  hideFromGit(location.dataFolder);
  const { folder, configFile } = location;
  const start = (env: NodeJS.ProcessEnv) =>
    new KeylessProcess<Compiler>({
      module: new URL("./compiler.js", import.meta.url),
      purpose: "compiles the templates",
      folders: location,
      env,
    });
  const ask = <Name extends keyof Compiler>(name: Name, input: Parameters<Compiler[Name]>[0]) =>
    compiler.call(name, input, signal).catch((error: unknown) => {
      throw signal.aborted ? new InterruptedError() : error;
    });
  const read = async (): Promise<Project> => {
    const data = await ask("project", { cwd: folder, config: configFile });
    const { readProjectData } = await import("../../project/config-schema.js");
    return readProjectData(location, data);
  };

  // SIGUSR1 starts Node's debugger, through which any process of the same user could read this process's memory.
  process.on("SIGUSR1", ignore);
  hideFromSystem(secretNames({}));
  const env = projectVariables({});
  let compiler = start(env);
  try {
    // Load while the other process starts.
    const [isReadOnly] = await Promise.all([ask("isReadOnly", undefined), preload(canBeLocal(flags.env))]);
    let project = await read();
    const { environments } = project;
    if (secretNames(environments, env).length > 0) {
      // The configuration names a key variable that doesn't look like one. Start again without it.
      hideFromSystem(secretNames(environments));
      await compiler.close();
      compiler = start(projectVariables(environments));
      await ask("isReadOnly", undefined);
      project = await read();
    }
    // The local service's key is not a secret.
    const { name } = ifUsable(() => projectTarget(project, flags.env)) ?? { name: "local" };
    if (output && isReadOnly !== true && name !== "local") warnAboutFileAccess(output);
    return await use({
      project,
      compile: async (names, assets, check = false) => {
        const { readCompiled } = await import("./compiled.js");
        const compiled = await ask("compile", { names, check, ...(assets && { assets }) });
        // The next steps need its memory.
        await compiler.close();
        return readCompiled(compiled);
      },
    });
  } finally {
    await compiler.close();
    process.off("SIGUSR1", ignore);
  }
}

export function warnAboutFileAccess(output: Output): void {
  output.note("Warning: template code can write files on this machine, because the system does not allow namespaces.");
  output.note("Run only reviewed code, or build without the key and sync that build: templates sync --from DIR");
}

function ignore(): void {}
