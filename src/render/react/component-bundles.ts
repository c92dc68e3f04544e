import { type Bundle, Bundles, type ModuleTransform } from "../../process/bundle.js";
import type { Template } from "../../project/template.js";
import type { CompileContext } from "../engine.js";
import { rewriteModule, rewriteSited } from "./rewrite/rewrite.js";

/** The sources of a component's own modules at the time of bundling. */
export type Sources = ReadonlyMap<string, string>;

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
    const bundle = await (context.sited ? run.sited : run.rewritten).get(file);
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
  const { sited, rewritten, written } = runOf(context);
  await Promise.all((context.sited ? [sited] : [rewritten, written]).map((bundles) => bundles.start()));
}

/** The bundles of all components that are compiled in one run. */
interface Run {
  readonly rewritten: Bundles;
  /** Rewritten so that elements also have their source positions. */
  readonly sited: Bundles;
  readonly written: Bundles;
  /** The sources of own modules, by file. */
  readonly texts: ReadonlyMap<string, string>;
}

const runs = new WeakMap<readonly Template[], Run>();

function runOf({ together = [] }: CompileContext): Run {
  const run = runs.get(together) ?? startRun(together);
  runs.set(together, run);
  return run;
}

function startRun(together: readonly Template[]): Run {
  const files = together.filter(({ engine }) => engine === "react").map(({ body }) => body.file);
  const texts = new Map<string, string>();
  const bundles = (rewrite: ModuleTransform): Bundles =>
    new Bundles(files, {
      transform(module) {
        texts.set(module.file, module.code);
        rewrite(module);
      },
    });
  return { rewritten: bundles(rewriteModule), sited: bundles(rewriteSited), written: new Bundles(files), texts };
}
