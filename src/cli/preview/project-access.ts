import { assetsToCheck } from "../assets.js";
import { findProject, packageFile } from "../../project/find-project.js";
import { hideFromSystem, secretNames } from "../../project/own-environment.js";
import type { OpenedProject, ProjectAccess } from "../../preview/server/preview-access.js";
import { compileContext, type OpenProject, openProjectAt, type ProjectFlags, workingFolder } from "../project.js";
import { CheckThread } from "./check-thread.js";
import type { ProjectState } from "../../preview/contract.js";
import type { Output } from "../output.js";

/**
 * Gives the preview access to a project whose configuration may change while it runs. As with `withProject`, keys are hidden
 * before any project code runs.
 *
 * @throws {ConfigurationError} There is no project. Errors in its configuration are reported by `open`.
 */
export async function projectAccess(flags: ProjectFlags): Promise<ProjectAccess> {
  hideFromSystem(secretNames({}));
  const find = () => findProject({ cwd: workingFolder(flags), configFile: flags.config });
  const first = await find();
  let files: readonly string[] = [first.configFile ?? "", packageFile(first)].filter((file) => file !== "");

  return {
    folder: first.folder,
    dataFolder: first.dataFolder,
    configurationFiles: () => files,
    async open() {
      const location = await find();
      const open = await openProjectAt(location);
      files = open.files;
      return access(open);
    },
  };
}

function access(open: OpenProject): OpenedProject {
  const { project, host } = open;
  const checking = new CheckThread(project);
  return {
    project,
    assets: assetsToCheck(project, undefined),
    context: (assets) => ({ ...compileContext(open), assets }),
    check: (loaded, isWhole) => checking.check(loaded, isWhole),
    async close() {
      await Promise.all([host.close(), checking.close()]);
    },
  };
}

/** Prints the problems that prevent templates from being loaded. Returns whether there are any. */
export function printProblems({ problems }: ProjectState, output: Output): boolean {
  const blocking = problems.filter(
    // The page treats a missing templates folder as a new project, but a command that writes files would write none.
    ({ isBlocking, severity, rule }) => (isBlocking === true && severity === "error") || rule === "templates-root",
  );
  for (const { message, hint, at } of blocking) {
    const place = [at?.file, at?.line, at?.column].filter((part) => part !== undefined).join(":");
    output.note([place, message].filter((part) => part !== "").join(": "));
    if (hint !== undefined) output.note(hint);
  }
  return blocking.length > 0;
}
