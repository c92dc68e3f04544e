import { parseArguments } from "../../src/cli/arguments.js";
import { checkAll } from "../../src/cli/check-all.js";
import type { FlagValues } from "../../src/cli/command.js";
import { sync } from "../../src/cli/commands/sync.js";
import { deploy } from "../../src/cli/deploy/deploy.js";
import {
  chosen,
  type deployFlags,
  environmentFlag,
  knowingAllowed,
  optionsOf,
} from "../../src/cli/deploy/deploy-flags.js";
import { withDeployTarget } from "../../src/cli/deploy/deploy-target.js";
import { localSide } from "../../src/cli/deploy/local-side.js";
import { failureOf } from "../../src/cli/failure.js";
import { createOutput, type Output } from "../../src/cli/output.js";
import { type ProjectFlags, withProject } from "../../src/cli/project.js";
import { type Ended, runHere } from "./project.js";

/**
 * Does what `templates sync` does with templates that are right, and compiles them in this process: for what is about
 * deciding and applying, not about the process without keys, whose start is most of the command.
 */
export function syncHere(
  { folder }: { readonly folder: string },
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return runHere(folder, env, async (streams) => {
    const output = createOutput({ json: args.includes("--json"), ...streams });
    try {
      return await deployProject(args, output);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      output.note(failure.message);
      if (failure.hint !== undefined) output.note(failure.hint);
      return failure.exit;
    }
  });
}

function deployProject(args: readonly string[], output: Output): Promise<number> {
  const { names, flags: given } = parseArguments("sync", sync, args);
  const flags = given as unknown as FlagValues<typeof deployFlags> &
    ProjectFlags & { readonly env: string | undefined };
  const { signal } = new AbortController();
  return withProject(flags, (open) => {
    const { project } = open;
    return withDeployTarget({ project, output, signal }, flags.env, async (deployTarget) => {
      const { environment } = deployTarget.target;
      const { results, diagnostics, present } = await checkAll(open, names, environment.assets);
      if (diagnostics.some(({ severity }) => severity === "error")) throw new Error(JSON.stringify(diagnostics));
      const templates = results.flatMap(({ compiled, template }) => {
        const { renamedFrom } = template.metadata;
        return compiled === undefined ? [] : [{ ...compiled, ...(renamedFrom !== undefined && { renamedFrom }) }];
      });
      const local = Promise.resolve(knowingAllowed(localSide(templates, present, environment, project), flags));
      const choices = chosen(project, environment, flags);
      const command = ["templates sync", ...names, ...environmentFlag(environment)].join(" ");
      return deploy({ ...deployTarget, local, isPartial: names.length > 0, choices }, optionsOf(flags, command));
    });
  });
}
