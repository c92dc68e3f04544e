import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { catalogue, RULES } from "../../check/catalogue.js";
import type { Checked } from "../../preview/server/preview-access.js";
import { assetsToCheck } from "../assets.js";
import { type OpenProject, projectHost } from "../project.js";
import { checkProject } from "../check-project.js";
import type { CheckAnswer, CheckQuestion } from "./check-thread.js";

/*
 * The thread that checks templates for the preview, so that slow checks don't delay showing what was saved.
 */

// Rendering has priority. On Linux this affects only this thread and those that it starts; elsewhere, the whole process.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** Maximum number of templates to return element positions for: the positions are as large as the HTML. */
const SITED_MAX = 2;

let opened: OpenProject | undefined;

parentPort?.on("message", (question: CheckQuestion) => {
  if (question.kind === "project") opened = { project: question.project, host: projectHost(question.project) };
  else if (question.kind === "check") void check(question);
  else void end();
});

async function check({ id, loaded, isWhole }: CheckQuestion & { kind: "check" }): Promise<void> {
  try {
    if (!opened) throw new Error("No project was opened.");
    answer({ id, found: await find(opened, loaded, isWhole) });
  } catch (error) {
    answer({ id, message: error instanceof Error ? error.message : String(error) });
  }
}

async function find(
  open: OpenProject,
  loaded: (CheckQuestion & { kind: "check" })["loaded"],
  isWhole: boolean,
): Promise<Checked> {
  const { check: config, configFile } = open.project;
  const known = catalogue([...RULES, ...config.custom]).map(({ id }) => id);
  const { diagnostics, checked } = await checkProject(open, {
    loaded,
    config,
    configFile,
    known,
    only: undefined,
    isPartial: !isWhole,
    network: false,
    assets: assetsToCheck(open.project, undefined),
  });
  const sited =
    checked.length > SITED_MAX
      ? []
      : checked.flatMap(({ result: { compiled }, sited: where }) =>
          compiled && where ? [{ name: compiled.name, hash: compiled.hash, sited: where }] : [],
        );
  return { diagnostics, sited };
}

async function end(): Promise<void> {
  await opened?.host.close();
  parentPort?.close();
}

function answer(message: CheckAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}
