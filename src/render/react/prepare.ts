import type { Task } from "../../process/host.js";
import type { Template } from "../../project/template.js";
import type { CompileContext } from "../engine.js";
import type { prepareWorker } from "./compile-task.js";
import { bundleAll } from "./component-bundles.js";

const PREPARE: Task<typeof prepareWorker> = {
  module: new URL("./compile-task.js", import.meta.url),
  name: "prepareWorker",
};

/**
 * Prepares what all components need: bundles them while the worker starts and loads React. Errors are reported when a
 * component is compiled.
 */
export async function prepareComponents([first]: readonly Template[], context: CompileContext): Promise<void> {
  if (!first) return;
  await Promise.all([bundleAll(context), context.host.run(PREPARE, { file: first.body.file }).catch(() => {})]);
}
