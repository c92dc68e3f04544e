import { type Bundle, bundleModule, bundleTogether } from "../../modules/bundle.js";
import type { OwnModule } from "../../modules/own-module.js";
import type { Template } from "../../template/template.js";
import type { CompileContext } from "../engine.js";
import { rewriteModule } from "./rewrite/rewrite.js";

/**
 * A component's modules, rewritten so that they take symbolic values.
 *
 * @param texts Gets each own module's text, by its file: of those that were read where it throws, too.
 * @throws {ModuleError} A syntax error, or an import that leads nowhere.
 */
export async function rewrittenBundle(
  { body: { file } }: Template,
  context: CompileContext,
  texts: Map<string, string>,
): Promise<Bundle> {
  const together = await runOf(context)?.rewritten;
  const bundle = together?.bundles.get(file);
  if (!together || !bundle) return bundleModule(file, { transform: rewritingInto(texts) });
  for (const source of bundle.sources) {
    const text = together.texts.get(source);
    if (text !== undefined) texts.set(source, text);
  }
  return bundle;
}

/**
 * A component's modules as they are written.
 *
 * @throws {ModuleError} A syntax error, or an import that leads nowhere.
 */
export async function writtenBundle({ body: { file } }: Template, context: CompileContext): Promise<Bundle> {
  return (await runOf(context)?.written)?.get(file) ?? bundleModule(file);
}

/** The bundles of all components that are compiled in one run. */
interface Run {
  readonly rewritten: Promise<{ bundles: ReadonlyMap<string, Bundle>; texts: ReadonlyMap<string, string> }>;
  readonly written: Promise<ReadonlyMap<string, Bundle>>;
}

const runs = new WeakMap<readonly Template[], Run>();

function runOf({ together = [] }: CompileContext): Run | undefined {
  const known = runs.get(together);
  if (known) return known;
  const files = together.filter(({ engine }) => engine === "react").map(({ body }) => body.file);
  if (files.length < WORTH_WHILE) return undefined;
  const texts = new Map<string, string>();
  const run: Run = {
    rewritten: bundleTogether(files, { transform: rewritingInto(texts) }).then((bundles) => ({ bundles, texts })),
    written: bundleTogether(files),
  };
  runs.set(together, run);
  return run;
}

const WORTH_WHILE = 4;

function rewritingInto(texts: Map<string, string>): (module: OwnModule) => void {
  return (module) => {
    texts.set(module.file, module.code);
    rewriteModule(module);
  };
}
