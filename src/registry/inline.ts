import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Project } from "../project/load-project.js";
import { bundleModule, type OwnModule } from "../process/bundle.js";
import { ModuleError } from "../process/module-error.js";
import { type ESTree, walk } from "../process/rolldown.js";
import { positionAt } from "../text/position.js";
import { isWithin } from "../files.js";

/** A template's `variables.ts`. */
export interface VariablesFile {
  readonly template: string;
  /** Absolute path. */
  readonly file: string;
}

/** JavaScript that runs in the application. */
export interface InlinedModules {
  /** Import declarations for the top of the file. */
  readonly imports: readonly string[];
  /** An expression: an object with `{ schema, derive }` for each template name. */
  readonly expression: string;
}

/** Stays an import, so that the application and its registry share one zod. */
const EXTERNAL = ["zod"];

/**
 * Bundles `variables.ts` files, with everything that they import except zod, into one expression, so that the generated
 * file is self-contained wherever an application puts it.
 *
 * @throws {ModuleError} One of them can't be bundled, or can't run elsewhere.
 */
export async function inlineVariables(
  files: readonly VariablesFile[],
  project: Pick<Project, "folder" | "dataFolder">,
): Promise<InlinedModules> {
  return withEntry(files, project, async (entry, folder) => {
    const problems: ModuleError[] = [];
    const { code, sources } = await bundleModule(entry, {
      external: EXTERNAL,
      transform(module) {
        problems.push(...[portabilityProblem(module)].filter((problem) => problem !== undefined));
      },
    });
    const [first] = problems.sort((a, b) => (a.at.file < b.at.file ? -1 : 1));
    if (first !== undefined) throw first;
    return splitBundle(code, moduleTitles(sources, folder, project.folder));
  });
}

/**
 * Writes a temporary module that imports all of them, and bundles it.
 *
 * @param bundle Its module exports `modules`: an object with `{ schema, derive }` for each template name.
 */
export async function withEntry<Bundled>(
  files: readonly VariablesFile[],
  { dataFolder }: Pick<Project, "dataFolder">,
  bundle: (entry: string, folder: string) => Promise<Bundled>,
): Promise<Bundled> {
  const cacheFolder = path.join(dataFolder, "cache");
  await mkdir(cacheFolder, { recursive: true });
  const folder = await mkdtemp(path.join(cacheFolder, "registry-"));
  try {
    const entry = path.join(folder, "registry.js");
    await writeFile(entry, entryModule(files, folder));
    return await bundle(entry, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One module that imports all of them, so that shared code is included once and names don't collide. */
function entryModule(files: readonly VariablesFile[], folder: string): string {
  const imports = files.map(
    ({ file }, index) => `import * as variables${index} from ${JSON.stringify(relativeImport(folder, file))};`,
  );
  const members = files.map(
    ({ template }, index) =>
      `${JSON.stringify(template)}: { schema: variables${index}.default, derive: variables${index}.derive }`,
  );
  return [...imports, `export const modules = { ${members.join(", ")} };`].join("\n");
}

/** Absolute only if it is on another drive of Windows. */
function relativeImport(folder: string, file: string): string {
  const relative = path.relative(folder, file);
  return path.isAbsolute(relative) ? relative : `./${relative.replaceAll(path.sep, "/")}`;
}

/** A bundle consists of import declarations, one on each line, then statements, then one export declaration. */
function splitBundle(code: string, titles: ReadonlyMap<string, string | undefined>): InlinedModules {
  const lines = code.trimEnd().split("\n");
  const firstStatement = lines.findIndex((line) => !line.startsWith("import "));
  const exporting = lines.findLastIndex((line) => line.startsWith("export {"));
  const statements = lines
    .slice(firstStatement, exporting)
    .map((line) => (titles.has(line) ? titles.get(line) : line))
    .filter((line) => line !== undefined);
  const name = /(\S+) as modules/.exec(lines[exporting] ?? "")?.[1] ?? "modules";
  return {
    // Drops `node:` imports without names, leftovers of packages' removed helpers.
    imports: lines
      .slice(0, firstStatement)
      .filter((line) => !line.startsWith('import "node:'))
      .map(importZodAsNamespace),
    expression: ["(() => {", ...statements, `return ${name};`, "})()"].join("\n"),
  };
}

/** The export `z` is zod's whole namespace, which esbuild can't tree-shake. Both imports provide the same `z`. */
function importZodAsNamespace(line: string): string {
  return line.replace(
    /^import \{ z(?: as ([\w$]+))? \} from ("zod["/].*)$/,
    (_, name = "z", from) => `import * as ${name} from ${from}`,
  );
}

/**
 * The bundler puts a comment with its path above each module. Maps it to the path within the project, or drops it for
 * modules elsewhere, whose paths differ between machines.
 */
function moduleTitles(
  sources: readonly string[],
  bundleFolder: string,
  project: string,
): Map<string, string | undefined> {
  const titles = sources.map((source): [string, string | undefined] => {
    const isOwn =
      isWithin(project, source) && !isWithin(bundleFolder, source) && !/[\\/]node_modules[\\/]/.test(source);
    return [title(bundleFolder, source), isOwn ? title(project, source) : undefined];
  });
  return new Map([[String.raw`// \0rolldown/runtime.js`, undefined], ...titles]);
}

function title(folder: string, file: string): string {
  return `// ${path.relative(folder, file).replaceAll(path.sep, "/")}`;
}

/**
 * Why a module can't run within the application's code, if it can't: top-level await, or use of its own path, which only
 * exists on the machine that generates the registry.
 */
export function portabilityProblem({ file, code, program }: OwnModule): ModuleError | undefined {
  const functions: ESTree.Node[] = [];
  const awaits: ESTree.Node[] = [];
  const locations: ESTree.Node[] = [];
  walk(program, (node) => {
    if (/Function/.test(node.type)) functions.push(node);
    if (node.type === "AwaitExpression" || (node.type === "ForOfStatement" && node.await)) awaits.push(node);
    if (node.type === "MetaProperty" && node.meta.name === "import") locations.push(node);
    if (node.type === "Identifier" && (node.name === "__dirname" || node.name === "__filename")) locations.push(node);
  });
  const problem = (node: ESTree.Node, message: string) =>
    new ModuleError(message, { file, ...positionAt(code, node.start) });

  const topLevelAwait = awaits.find(
    (node) => !functions.some((outer) => outer.start <= node.start && node.end <= outer.end),
  );
  if (topLevelAwait !== undefined)
    return problem(
      topLevelAwait,
      "The application can't run this module: top-level await is not supported here. Use await only inside functions.",
    );
  const [location] = locations;
  return (
    location &&
    problem(location, "The application runs this module from another place, where its own path doesn't exist.")
  );
}
