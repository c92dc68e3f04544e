import { type Bundle, Bundles, type ModuleTransform } from "../../process/bundle.js";
import type { Task } from "../../process/host.js";
import type { Template } from "../../project/template.js";
import type { CompileContext } from "../engine.js";
import type { prepareWorker } from "./compile-task.js";
import { rewriteModule, rewriteWithPositions } from "./rewrite/rewrite.js";

/** The sources of a component's own modules at the time of bundling. */
export type ModuleSources = ReadonlyMap<string, string>;

/**
 * A component's modules, rewritten to accept symbolic values.
 *
 * @param texts Receives the source of each own module, by file; if bundling fails, of those read so far.
 * @throws {ModuleError} A syntax error, or an import that can't be resolved.
 */
export async function rewrittenBundle(
  { body: { file } }: Template,
  context: CompileContext,
  texts: Map<string, string>,
): Promise<Bundle> {
  const run = runOf(context);
  let sources: Iterable<string> = run.texts.keys();
  try {
    const bundle = await (context.sited ? run.positioned : run.rewritten).get(file);
    ({ sources } = bundle);
    return bundle;
  } finally {
    for (const source of sources) {
      const text = run.texts.get(source);
      if (text !== undefined) texts.set(source, text);
    }
  }
}

/**
 * A component's modules as written.
 *
 * @throws {ModuleError} A syntax error, or an import that can't be resolved.
 */
export function writtenBundle({ body: { file } }: Template, context: CompileContext): Promise<Bundle> {
  return runOf(context).written.get(file);
}

/** Bundles all components that are compiled in one run, if there are enough to bundle them together. */
export async function bundleAll(context: CompileContext): Promise<void> {
  const { positioned, rewritten, written } = runOf(context);
  await Promise.all((context.sited ? [positioned] : [rewritten, written]).map((bundles) => bundles.start()));
}

interface BundleRun {
  readonly rewritten: Bundles;
  /** Rewritten so that elements also have their source positions. */
  readonly positioned: Bundles;
  readonly written: Bundles;
  /** The sources of own modules, by file. */
  readonly texts: ReadonlyMap<string, string>;
}

const runs = new WeakMap<readonly Template[], BundleRun>();

function runOf({ together = [] }: CompileContext): BundleRun {
  const run = runs.get(together) ?? startRun(together);
  runs.set(together, run);
  return run;
}

function startRun(together: readonly Template[]): BundleRun {
  const files = together.filter(({ engine }) => engine === "react").map(({ body }) => body.file);
  const texts = new Map<string, string>();
  const bundles = (rewrite: ModuleTransform): Bundles =>
    new Bundles(files, {
      transform(module) {
        texts.set(module.file, module.code);
        rewrite(module);
      },
    });
  return {
    rewritten: bundles(rewriteModule),
    positioned: bundles(rewriteWithPositions),
    written: new Bundles(files),
    texts,
  };
}

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
  await Promise.all([
    bundleAll(context),
    context.host.run(PREPARE, { file: first.body.file }, { place: context }).catch(() => {}),
  ]);
}
