import { constants, setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import type { Checked } from "../../preview/server/preview-access.js";
import { assetsToCheck } from "../assets.js";
import { type OpenProject, projectHost } from "../project.js";
import { checkProject } from "../check-project.js";
import { serveThread } from "../../process/rpc.js";
import type { Project } from "../../project/load-project.js";
import type { LoadedTemplates } from "../../project/load-templates.js";

/*
 * The thread that checks templates for the preview, so that slow checks don't delay showing what was saved.
 */

// Rendering has priority. On Linux this affects only this thread and those that it starts; elsewhere, the whole process.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** Maximum number of templates to return element positions for: the positions are as large as the HTML. */
const SITED_MAX = 2;

export interface Checker {
  check(request: CheckRequest): Promise<Checked>;
  /** Ends the worker in which project code runs. */
  close(input: undefined): Promise<void>;
}

interface CheckRequest {
  readonly loaded: LoadedTemplates;
  readonly isWhole: boolean;
}

const project: Project = workerData;
const open: OpenProject = { project, host: projectHost(project) };
const functions = { check, close: () => open.host.close() } satisfies Checker;
serveThread({ functions });

async function check({ loaded, isWhole }: CheckRequest): Promise<Checked> {
  const { check: config, configFile } = project;
  const { diagnostics, checked } = await checkProject(open, {
    loaded,
    config,
    configFile,
    isPartial: !isWhole,
    assets: assetsToCheck(project, undefined),
  });
  const sited =
    checked.length > SITED_MAX
      ? []
      : checked.flatMap(({ result: { compiled }, sited: where }) =>
          compiled && where ? [{ name: compiled.name, hash: compiled.hash, sited: where }] : [],
        );
  return { diagnostics, sited };
}
