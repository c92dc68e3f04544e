import path from "node:path";
import type { Inputs } from "../cache/inputs.js";
import type { CompileResult } from "../project/template.js";
import { cacheEntryOf } from "./compile.js";

/** What a compiled template was made from, for comparison with changed files. */
export interface Dependencies {
  /** The template's own folder, unless it is one of the roots. */
  readonly folder: string;
  /** Absent if it did not compile: then any change may fix it. */
  readonly sources?: ReadonlySet<string>;
  readonly inputs?: Inputs;
}

/** What a result was made from. Pass the result that compiling returned: copies don't have all the information. */
export function dependenciesOf({ template, compiled }: CompileResult): Dependencies {
  const { folder } = template;
  if (!compiled) return { folder };
  const inputs = cacheEntryOf(compiled)?.inputs;
  return { folder, sources: new Set(compiled.sources), ...(inputs && { inputs }) };
}

/**
 * Whether a template must be compiled again after these files were written, added or removed: it is new, has failed
 * before, or depends on one of the files, directly or for resolving its imports and images.
 *
 * @param files Absolute.
 */
export function isAffected(
  before: Dependencies | undefined,
  roots: readonly string[],
  files: ReadonlySet<string>,
): boolean {
  if (!before?.sources) return true;
  const { folder, sources, inputs } = before;
  const within = (parent: string) => (file: string) => file.startsWith(parent + path.sep);
  const changed = [...files];
  return (
    changed.some((file) => sources.has(file)) ||
    (!roots.includes(folder) && changed.some(within(folder))) ||
    (inputs !== undefined && changed.some((file) => isInput(inputs, file)))
  );
}

function isInput({ files, places = [], stems = [], trees = [] }: Inputs, file: string): boolean {
  const { dir, base } = path.parse(file);
  return (
    files.includes(file) ||
    places.includes(file) ||
    stems.some((stem) => path.dirname(stem) === dir && isNamed(base, path.basename(stem))) ||
    trees.some((tree) => file.startsWith(tree + path.sep))
  );
}

/** Whether an import of the stem may resolve to a file of this name. */
function isNamed(name: string, stem: string): boolean {
  return name === stem || name.startsWith(`${stem}.`);
}

/** Modules of the project outside the templates roots that templates import: they need to be watched, too. */
export function outsideSources(made: Iterable<Dependencies>, roots: readonly string[]): string[] {
  const sources = new Set([...made].flatMap((each) => [...(each.sources ?? [])]));
  return [...sources].filter(
    (file) => !roots.some((root) => file.startsWith(root + path.sep)) && !/[\\/]node_modules[\\/]/.test(file),
  );
}
