import { isBuiltin } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { BundleProblems } from "./module-error.js";
import { packageOf } from "./package-name.js";
import { type ESTree, loadRolldown, type Plugin, type Rolldown, type RolldownMagicString } from "./rolldown.js";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { attempt, upwards } from "../files.js";
import { nearest } from "../text/nearest.js";

/** Marks a virtual module that wraps a package's CommonJS module. */
const commonJs = "\0commonjs:";

/**
 * Decides for each import whether it is bundled, and where it leads otherwise.
 *
 * A package's CommonJS module is required by a virtual module within the bundle. The bundler's interop then applies, which
 * sees every name that the module exports at run time; Node's guesses them from the source.
 */
export function resolving({
  external,
  platform,
  sources,
  problems,
}: {
  external: readonly string[] | undefined;
  platform: "browser" | undefined;
  /** Receives every file that is bundled. */
  sources: Set<string>;
  problems: BundleProblems;
}): Plugin {
  return {
    name: "lettershop:resolving",

    async resolveId(specifier, importer, { kind }) {
      if (importer === undefined) return null;
      if (importer.startsWith(commonJs)) return { id: specifier, external: true };
      if (isBuiltin(specifier) || /^(?:file|data):/.test(specifier)) {
        if (platform === "browser" && kind === "import-statement")
          await problems.addImport(importer, specifier, `"${specifier}" can't be imported in a browser.`);
        return { id: specifier, external: true };
      }
      if (external?.includes(packageOf(specifier))) return { id: specifier, external: true };

      const resolved =
        (await this.resolve(specifier, importer, { kind, skipSelf: true })) ??
        // A package without an `import` export supports `require` only.
        (await this.resolve(specifier, importer, { kind: "require-call", skipSelf: true }));
      if (resolved === null) {
        // Dynamic imports may be meant to fail, and report it themselves then.
        const isStatement = kind === "import-statement";
        if (isStatement) await problems.addImport(importer, specifier, ...explainMissing(importer, specifier));
        return { id: specifier, external: true };
      }

      const file = path.normalize(resolved.id);
      if (external === undefined && !isOwn(file) && runsInNode(file)) {
        if (kind === "require-call") return { id: file, external: true };
        if (isCommonJs(file)) return { id: commonJs + file };
        return { id: pathToFileURL(file).href, external: true };
      }
      if (!isBundled(file)) {
        await problems.addImport(importer, specifier, ...explainUnsupported(specifier));
        return { id: specifier, external: true };
      }
      sources.add(file);
      return resolved;
    },

    load(id) {
      if (id.startsWith(commonJs)) {
        return { code: `module.exports = require(${JSON.stringify(id.slice(commonJs.length))});`, moduleType: "js" };
      }
      // Styles don't affect an email's HTML, and their meaning would depend on the browser bundler.
      if (path.extname(id) === ".css") return { code: "export default {};", moduleType: "js" };
      return null;
    },
  };
}

/** Node doesn't run TypeScript or JSX of packages, nor import JSON without an import attribute. */
function runsInNode(file: string): boolean {
  return /\.(?:js|mjs|cjs|node|wasm)$/.test(file);
}

function isBundled(file: string): boolean {
  return /\.(?:[jt]sx?|[cm][jt]s|json|css)$/.test(file);
}

/** A message and a hint. */
type Explanation = readonly [message: string, hint?: string];

/** Why an import doesn't resolve, and how to fix it. */
function explainMissing(importer: string, specifier: string): Explanation {
  if (specifier.startsWith(".") || path.isAbsolute(specifier)) return explainMissingFile(importer, specifier);
  const name = packageOf(specifier);
  if (!/^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i.test(name)) {
    return [`"${specifier}" can't be found.`, `If it is an alias, define it under "paths" in tsconfig.json.`];
  }
  const folder = installedFolder(importer, name);
  if (folder !== undefined) return explainMissingExport(folder, name, specifier);
  const near = nearest(name, dependenciesOf(importer));
  const install = `npm install ${name}`;
  return [
    `The package "${name}" is not installed.`,
    near === undefined || near === name ? `Run: ${install}` : `Did you mean "${near}"? If not, run: ${install}`,
  ];
}

/** A file that exists but is not a module. */
function explainUnsupported(specifier: string): Explanation {
  const message = `"${specifier}" can't be imported. Only TypeScript, JavaScript, JSON and CSS can.`;
  if (!/\.(?:png|jpe?g|gif|webp|svg|avif)$/i.test(specifier)) return [message];
  return [message, "Put images into an _assets folder, and use their relative path in src."];
}

function explainMissingFile(importer: string, specifier: string): Explanation {
  const target = path.resolve(path.dirname(importer), specifier);
  const folder = path.dirname(target);
  const message = `"${specifier}" can't be found.`;
  if (!existsSync(folder)) return [message, `The folder ${folder} doesn't exist.`];
  const files = readdirSync(folder);
  const near = nearest(
    path.parse(target).name,
    files.map((file) => path.parse(file).name),
  );
  const file = files.find((each) => path.parse(each).name === near);
  return file === undefined ? [message] : [message, `Did you mean ${file}?`];
}

function explainMissingExport(folder: string, name: string, specifier: string): Explanation {
  const target = exportedFile(folder, `.${specifier.slice(name.length)}`);
  if (target === undefined || existsSync(path.join(folder, target)))
    return [`The package "${name}" does not export "${specifier}".`];
  return [
    `The package "${name}" exports "${specifier}" as ${target}, but that file does not exist.`,
    "If it is a package in your workspace, build it first.",
  ];
}

/** The file that a package.json maps `.` or `./path` to. */
function exportedFile(folder: string, subpath: string): string | undefined {
  const { exports, main } = manifestIn(folder) ?? {};
  if (exports === undefined) return subpath === "." ? main : undefined;
  const entries = typeof exports === "object" && exports !== null ? Object.entries(exports) : [];
  const isMap = entries.some(([key]) => key.startsWith("."));
  for (const [key, target] of isMap ? entries : [[".", exports] as const]) {
    const [start = "", end] = key.split("*");
    const isMatch = end === undefined ? key === subpath : subpath.startsWith(start) && subpath.endsWith(end);
    const file = isMatch ? firstFile(target) : undefined;
    if (file !== undefined) return file.replace("*", subpath.slice(start.length, subpath.length - (end ?? "").length));
  }
  return undefined;
}

/** The first file in a conditional export: `{ "types": …, "import": "./dist/index.js" }`. */
function firstFile(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (typeof target !== "object" || target === null) return undefined;
  const conditions = Object.entries(target).filter(([condition]) => condition !== "types");
  return conditions.map(([, each]) => firstFile(each)).find((file) => file !== undefined);
}

/** The packages listed in the package.json files above a file. */
function dependenciesOf(importer: string): string[] {
  return [...manifestsAbove(importer)].flatMap((manifest) =>
    KINDS.flatMap((kind) => Object.keys(manifest[kind] ?? {})),
  );
}

/** The package.json files in a file's folder and its parents, innermost first. */
export function* manifestsAbove(file: string): Generator<Manifest> {
  for (const folder of upwards(path.dirname(file))) {
    const manifest = manifestIn(folder);
    if (manifest) yield manifest;
  }
}

/** Undefined if there is no readable package.json. */
function manifestIn(folder: string): Manifest | undefined {
  return attempt((): Manifest => JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")));
}

const KINDS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const;
type Manifest = { readonly [Kind in (typeof KINDS)[number]]?: object } & {
  readonly name?: unknown;
  readonly main?: string;
  readonly exports?: unknown;
  readonly type?: unknown;
  readonly sideEffects?: unknown;
};

function installedFolder(importer: string, name: string): string | undefined {
  return [...upwards(path.dirname(importer))]
    .map((folder) => path.join(folder, "node_modules", name))
    .find((folder) => existsSync(path.join(folder, "package.json")));
}

/** Returns the file that an import in another file resolves to: absolute, links resolved. Undefined if there is none. */
export type ResolveImport = (specifier: string, importer: string) => Promise<string | undefined>;

/** A garbage-collected build can't resolve any more, so each build is kept as long as its resolver. */
const builds = new WeakMap<ResolveImport, object>();

const ENTRY = "\0lettershop:nothing";

/**
 * Resolves imports as the bundler does, including `paths` in tsconfig.json, without bundling: type imports are erased before
 * a bundler sees them.
 *
 * @throws {MissingPeerError} rolldown is not installed.
 */
export async function createImportResolver(folder: string): Promise<ResolveImport> {
  const strict = await resolverIn(folder, true);
  let lenient: Promise<ResolveImport> | undefined;
  return async (specifier, importer) => {
    const file = await strict(specifier, importer).catch(() => undefined);
    if (file !== undefined) return file;
    // If tsconfig.json can't be read, or extends a config that is not installed, it is ignored, as when bundling.
    lenient ??= resolverIn(folder, false);
    return (await lenient)(specifier, importer).catch(() => undefined);
  };
}

async function resolverIn(folder: string, tsconfig: boolean): Promise<ResolveImport> {
  const { rolldown } = await loadRolldown("reading types");
  let resolve: ResolveImport = () => Promise.resolve(undefined);
  const plugin: Plugin = {
    name: "lettershop:import-resolver",
    buildStart() {
      resolve = async (specifier, importer) =>
        (await this.resolve(specifier, importer, { kind: "import-statement", skipSelf: true }))?.id;
    },
    resolveId: (specifier) => (specifier === ENTRY ? specifier : null),
    load: (id) => (id === ENTRY ? "" : null),
  };
  const build = await rolldown({
    input: ENTRY,
    cwd: folder,
    platform: "node",
    tsconfig,
    logLevel: "silent",
    plugins: [plugin],
  });
  await build.generate();
  const resolveImport: ResolveImport = (specifier, importer) => resolve(specifier, importer);
  builds.set(resolveImport, build);
  return resolveImport;
}

/** One of the project's own modules while it is being bundled. */
export interface OwnModule {
  /** Absolute path, links resolved. */
  readonly file: string;
  /** The source. Offsets of `program` and `edits` count its UTF-16 units. */
  readonly code: string;
  /** Its syntax tree: ESTree with TypeScript and JSX nodes, without nodes for parentheses. */
  readonly program: ESTree.Program;
  /** Edits the source and its source map: `edits.overwrite(node.start, node.end, "…")`, `edits.prependRight(…)`. */
  readonly edits: RolldownMagicString;
}

/** Called once for each own TypeScript or JavaScript module, before types and JSX are compiled away. */
export type ModuleTransform = (module: OwnModule) => void;

/**
 * A plugin that applies a transform to own modules.
 *
 * @param concerns Whether the transform may apply, given the source; other modules are not parsed.
 */
export function rewriting(
  { parseSync, RolldownMagicString }: Pick<Rolldown, "parseSync" | "RolldownMagicString">,
  transform: ModuleTransform,
  concerns: (code: string) => boolean = () => true,
): Plugin {
  return {
    name: "lettershop:rewriting",
    transform(code, id, { moduleType }) {
      const file = path.normalize(id);
      if (!isOwnScript(file, moduleType) || !concerns(code)) return null;
      const { program, errors } = parseSync(file, code, { lang: moduleType, preserveParens: false });
      if (errors.length > 0) return null; // Rolldown parses it again and reports the errors.
      const edits = new RolldownMagicString(code);
      transform({ file, code, program, edits });
      return edits.hasChanged() ? { code: edits } : null;
    },
  };
}

/** Excludes packages, virtual modules and files that are only treated as JavaScript. */
export function isOwnScript(file: string, moduleType: string): moduleType is "js" | "jsx" | "ts" | "tsx" {
  return path.isAbsolute(file) && /\.[cm]?[jt]sx?$/.test(file) && /^[jt]sx?$/.test(moduleType) && isOwn(file);
}

const lettershop = fileURLToPath(new URL("../", import.meta.url));

/**
 * Whether a module belongs to the user's project rather than to a package.
 *
 * @param file Absolute, links resolved, so that a workspace package counts as the project's own.
 */
export function isOwn(file: string): boolean {
  return !/[\\/]node_modules[\\/]/.test(file) && !file.startsWith(lettershop);
}

/** Whether Node treats a module as CommonJS, judged by its extension and package.json. */
export function isCommonJs(file: string): boolean {
  if (path.extname(file) !== ".js") return path.extname(file) === ".cjs";
  const [nearestManifest] = manifestsAbove(file);
  return nearestManifest?.type !== "module";
}
