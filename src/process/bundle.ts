import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { BundleProblems, isEntryMissing, ModuleError, tsconfigProblem } from "./module-error.js";
import { type ModuleTransform, type OwnModule, resolving, rewriting } from "./resolving.js";
import { type ESTree, loadRolldown, type OutputChunk, type RolldownOutput, walk } from "./rolldown.js";
import { splitting } from "./splitting.js";
import { pathToFileURL } from "node:url";
import { upwards } from "../files.js";

export type { ModuleTransform, OwnModule } from "./resolving.js";

export interface BundleOptions {
  readonly transform?: ModuleTransform;
  /**
   * For code that will run elsewhere: these packages stay imports as written (`"zod"` covers `zod/v4`), and every other
   * package is bundled, without unused code. Without this option, the code is for running here: every package stays an
   * import, by absolute URL, and own modules are kept whole.
   */
  readonly external?: readonly string[];
  /** The platform, if not Node.js: imports that only Node.js supports are then problems. */
  readonly platform?: "browser";
}

/**
 * Bundles a module with the own modules that it imports: those without `node_modules` in their real path, which includes
 * symlinked workspace packages.
 *
 * @throws {ModuleError} A syntax error, or an import that can't be resolved, with file, line and column.
 * @throws {MissingPeerError} rolldown is not installed.
 */
export async function bundleModule(file: string, options: BundleOptions = {}): Promise<Bundle> {
  const entry = entryOf(file);
  const folder = path.dirname(entry);
  try {
    return only(await bundleEntries([entry], options, nearestTsconfig(folder)));
  } catch (error) {
    if (isEntryMissing(error)) throw unreadable(entry, error);
    const problem = tsconfigProblem(error);
    if (problem === undefined) throw error;
    // In a monorepo, it often extends a config that is not installed here; esbuild ignores it then, too.
    return only(
      await bundleEntries([entry], options, false).catch((thrown: unknown) => {
        throw thrown instanceof ModuleError ? withHint(thrown, `tsconfig.json was ignored: ${problem}`) : thrown;
      }),
    );
  }
}

/**
 * Bundles several modules together, in a fraction of the time: shared modules are read, rewritten and compiled once.
 *
 * @returns By the given file paths. Empty if any module has a problem: bundle them one by one to get each module's error.
 */
export async function bundleTogether(
  files: readonly string[],
  options: Pick<BundleOptions, "transform"> = {},
): Promise<ReadonlyMap<string, Bundle>> {
  const bundles = new Map<string, Bundle>();
  try {
    const entries = new Map(files.map((file) => [entryOf(file), file]));
    const tsconfigOf = new Map(Array.from(entries.keys(), (entry) => [entry, findTsconfig(path.dirname(entry))]));
    for (const tsconfig of new Set(tsconfigOf.values())) {
      const together = [...entries.keys()].filter((entry) => tsconfigOf.get(entry) === tsconfig);
      for (const bundle of await bundleEntries(together, options, tsconfig)) {
        bundles.set(entries.get(bundle.file) ?? bundle.file, bundle);
      }
    }
    return bundles;
  } catch {
    return new Map();
  }
}

function entryOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): ModuleError {
  return new ModuleError(`${path.basename(file)} can't be read.`, { file }, { cause });
}

function only([bundle]: readonly Bundle[]): Bundle {
  if (bundle === undefined) throw new Error("The bundler returned nothing for an entry.");
  return bundle;
}

function withHint({ message, at, cause, hint, others }: ModuleError, more: string): ModuleError {
  return new ModuleError(message, at, { cause, hint: hint === undefined ? more : `${hint} ${more}`, others });
}

/** @param entries Absolute, links resolved. */
async function bundleEntries(
  entries: readonly string[],
  options: BundleOptions,
  tsconfig: string | boolean,
): Promise<Bundle[]> {
  const [first = ""] = entries;
  const library = await loadRolldown(`loading ${path.basename(first)}`);
  const folder = path.dirname(first);
  const problems = new BundleProblems(library, folder);
  const sources = new Set(entries);
  const { external, platform } = options;
  const portable = external !== undefined;
  const build = await library.rolldown({
    input: Object.fromEntries(entries.map((entry, index) => [`entry-${index}`, entry])),
    cwd: folder,
    platform: platform ?? "node",
    // The code runs in workers and in applications on Node.js, without a DOM.
    ...(platform === "browser" && { resolve: { conditionNames: ["worker", "browser"] } }),
    tsconfig,
    treeshake: portable,
    optimization: { inlineConst: false },
    transform: {
      jsx: { runtime: "automatic", development: false },
      target: platform === "browser" ? "es2022" : "node20",
      ...(platform === "browser" && { define: { "process.env.NODE_ENV": '"production"' } }),
    },
    moduleTypes: { ".js": "jsx" },
    logLevel: "silent",
    plugins: [
      resolving({ external, platform, sources, problems }),
      options.transform && rewriting(library, options.transform),
      rewriting(library, keepLocation, readsLocation),
      !portable && splitting(library),
    ],
  });
  try {
    const { output } = await build.generate({
      dir: folder,
      format: "esm",
      sourcemap: "hidden",
      entryFileNames: "[name].mjs",
      chunkFileNames: "shared-[hash].mjs",
      codeSplitting: entries.length > 1,
      minify: platform === "browser" || (portable && "dce-only"),
    });
    const problem = problems.all();
    if (problem !== undefined) throw problem;
    return bundlesOf(output, folder, sources);
  } catch (error) {
    throw problems.allWith(error);
  } finally {
    await build.close();
  }
}

/** Rolldown finds it by itself, unless a folder has a `#` in its name. */
function nearestTsconfig(folder: string): string | boolean {
  return !folder.includes("#") || findTsconfig(folder);
}

function findTsconfig(folder: string): string | false {
  const files = Array.from(upwards(folder), (each) => path.join(each, "tsconfig.json"));
  return files.find((file) => existsSync(file)) ?? false;
}

/** Whether a module uses its own path. */
function readsLocation(code: string): boolean {
  return /\bimport\.meta\b|\b__(?:dirname|filename)\b/.test(code);
}

/** Makes `import.meta`, `__dirname` and `__filename` refer to the original module instead of the bundle. */
function keepLocation({ file, program, edits }: OwnModule): void {
  const used = new Set<string>();
  walk(program, (node) => {
    if (node.type === "Identifier") used.add(node.name);
    if (node.type !== "MetaProperty" || node.meta.name !== "import") return;
    used.add("__importMeta");
    edits.overwrite(node.start, node.end, "__importMeta");
  });
  for (const name of program.body.flatMap(declaredNames)) used.delete(name);

  const [url, dirname, filename] = [pathToFileURL(file).href, path.dirname(file), file].map((each) =>
    JSON.stringify(each),
  );
  const values = {
    // Vite and Bun provide `env`.
    __importMeta: `{ url: ${url}, dirname: ${dirname}, filename: ${filename}, get env() { return process.env; } }`,
    __dirname: dirname,
    __filename: filename,
  };
  for (const [name, value] of Object.entries(values)) {
    // Prepended to the first line, so that line numbers don't change.
    if (used.has(name)) edits.prepend(`const ${name} = ${value};`);
  }
}

function declaredNames(statement: ESTree.Node): string[] {
  if (statement.type === "ExportNamedDeclaration")
    return statement.declaration ? declaredNames(statement.declaration) : [];
  if (statement.type === "ImportDeclaration") return statement.specifiers.map(({ local }) => local.name);
  if (statement.type !== "VariableDeclaration") return [];
  const names: string[] = [];
  for (const { id } of statement.declarations) {
    walk(id, (node) => {
      if (node.type === "Identifier") names.push(node.name);
    });
  }
  return names;
}

/**
 * The bundles in a build's output: one for each entry, with the chunks that it shares with others.
 *
 * @param folder The folder that paths in source maps are relative to.
 * @param sources All files that were bundled.
 */
function bundlesOf(output: RolldownOutput["output"], folder: string, sources: ReadonlySet<string>): Bundle[] {
  const chunks = new Map(output.filter(isChunk).map((chunk) => [chunk.fileName, chunk]));
  const files = new Map([...chunks].map(([name, chunk]) => [name, fileOf(chunk, folder)]));
  return [...chunks.values()].flatMap((entry): Bundle[] => {
    if (!entry.isEntry || entry.facadeModuleId === null) return [];
    const reached = reachedFrom(entry, chunks);
    const modules = [entry, ...reached].flatMap(({ moduleIds }) => moduleIds).map((id) => path.normalize(id));
    return [
      {
        file: path.normalize(entry.facadeModuleId),
        code: entry.code,
        map: files.get(entry.fileName)?.map ?? "",
        sources: [...new Set(modules)].filter((file) => sources.has(file)).sort(),
        ...(reached.length > 0 && { shared: reached.flatMap(({ fileName }) => files.get(fileName) ?? []) }),
      },
    ];
  });
}

function isChunk(file: RolldownOutput["output"][number]): file is OutputChunk {
  return file.type === "chunk";
}

function reachedFrom(entry: OutputChunk, chunks: ReadonlyMap<string, OutputChunk>): OutputChunk[] {
  const reached = new Set([entry]);
  for (const chunk of reached) {
    for (const name of [...chunk.imports, ...chunk.dynamicImports]) {
      const next = chunks.get(name);
      if (next) reached.add(next);
    }
  }
  reached.delete(entry);
  return [...reached];
}

function fileOf({ fileName, code, map }: OutputChunk, folder: string): BundleFile {
  const absolute = (source: string): string => path.resolve(folder, source);
  return {
    name: fileName,
    code,
    map: JSON.stringify(map === null ? EMPTY_MAP : { ...map, sources: map.sources.map(absolute) }),
  };
}

/** For a module without any code left. */
const EMPTY_MAP = { version: 3, sources: [], sourcesContent: [], names: [], mappings: "" };

/** A user's module with all own modules that it imports, as one ES module. Plain data that may cross threads. */
export interface Bundle {
  /** The bundled module: absolute, links resolved. */
  readonly file: string;
  readonly code: string;
  /** Source map (version 3) of `code` as JSON; its sources are absolute paths. */
  readonly map: string;
  /** Every file in the bundle, absolute, sorted: the files to watch. */
  readonly sources: readonly string[];
  /** Chunks that `code` imports as `./name`, if it was bundled together with others. */
  readonly shared?: readonly BundleFile[];
}

/** A file of a bundle. */
export interface BundleFile {
  readonly name: string;
  readonly code: string;
  /** Like the bundle's. */
  readonly map: string;
}

/** Bundles of many modules: the first request bundles all of them together. */
export class Bundles {
  readonly #files: readonly string[];
  readonly #options: { readonly transform?: ModuleTransform };
  #together: Promise<ReadonlyMap<string, Bundle>> | undefined;
  /** Bundles already being made, if there are too few to bundle together. */
  readonly #started = new Map<string, Promise<Bundle>>();

  constructor(files: readonly string[], options: { readonly transform?: ModuleTransform } = {}) {
    this.#files = files;
    this.#options = options;
  }

  /** Starts bundling now instead of at the first request. */
  async start(): Promise<void> {
    const together = this.#bundleTogether();
    for (const file of together ? [] : this.#files) this.#started.set(file, bundleModule(file, this.#options));
    // `get` reports the errors.
    await Promise.allSettled([together, ...this.#started.values()]);
  }

  /** @throws {ModuleError} A syntax error, or an import that can't be resolved. */
  async get(file: string): Promise<Bundle> {
    const together = await this.#bundleTogether();
    return together?.get(file) ?? this.#started.get(file) ?? bundleModule(file, this.#options);
  }

  #bundleTogether(): Promise<ReadonlyMap<string, Bundle>> | undefined {
    if (this.#files.length >= WORTH_WHILE) this.#together ??= bundleTogether(this.#files, this.#options);
    return this.#together;
  }
}

/** Bundling two or three separately is as fast. */
const WORTH_WHILE = 4;
