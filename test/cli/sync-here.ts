import type { withProjectApart } from "../../src/cli/apart/project-apart.js";
import { compileTemplates } from "../../src/cli/apart/compile-templates.js";
import { parseArguments } from "../../src/cli/arguments.js";
import { sync, syncWith } from "../../src/cli/commands/sync.js";
import { failureOf } from "../../src/cli/failure.js";
import { createOutput } from "../../src/cli/output.js";
import { withProject } from "../../src/cli/project.js";
import { type Ended, runHere } from "./project.js";

/**
 * Runs `templates sync`, and compiles in this process: for what is about deciding and applying, not about the process
 * without keys, whose start is most of the command.
 */
export function syncHere(
  { folder }: { readonly folder: string },
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return runHere(folder, env, async (streams) => {
    const output = createOutput({ json: args.includes("--json"), ...streams });
    const { names, flags } = parseArguments("sync", sync, args);
    const { signal } = new AbortController();
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `run` does
      return await syncWith(withProjectHere, { names, flags, output, signal } as Parameters<typeof syncWith>[1]);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      output.note(failure.message);
      if (failure.hint !== undefined) output.note(failure.hint);
      return failure.exit;
    }
  });
}

const withProjectHere: typeof withProjectApart = (flags, _signal, use) =>
  withProject(flags, (open) =>
    use({
      project: open.project,
      compile: (names, assets, check = false) => compileTemplates(open, names, assets, check),
    }),
  );
