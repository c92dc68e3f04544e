import type { Task } from "../../modules/task.js";
import type { Template } from "../../template/template.js";
import type { CompileContext } from "../engine.js";
import type { prepareWorker } from "./compile-task.js";
import { bundleAll } from "./component-bundles.js";

const PREPARE: Task<typeof prepareWorker> = {
  module: new URL("./compile-task.js", import.meta.url),
  name: "prepareWorker",
};

/**
 * Does what all components wait for, before the first of them: bundles them while the worker starts and loads React. What
 * is wrong shows when a component is compiled.
 */
export async function prepareComponents([first]: readonly Template[], context: CompileContext): Promise<void> {
  if (!first) return;
  await Promise.all([bundleAll(context), context.host.run(PREPARE, { file: first.body.file }).catch(() => {})]);
}
