import path from "node:path";
import { fileURLToPath } from "node:url";
import { isCommonJs, isOwn } from "./resolving.js";
import type { ESTree, Plugin, Rolldown } from "./rolldown.js";
import { readFileSync } from "node:fs";

type StaticImport = ReturnType<Rolldown["parseSync"]>["module"]["staticImports"][number];

/**
 * Makes own modules import names of a component library from the modules that define them. Loading a whole library, with
 * code highlighting and Tailwind, can take longer than rendering a hundred templates that use neither.
 */
export function splitting({ parseSync, RolldownMagicString }: Rolldown): Plugin {
  return {
    name: "lettershop:splitting",
    async transform(code, id, { moduleType }) {
      const file = path.normalize(id);
      if (!NAMED_IMPORT.test(code) || !isScript(moduleType) || !path.isAbsolute(file) || !isOwn(file)) return null;
      const { module, errors } = parseSync(file, code, { lang: moduleType });
      if (errors.length > 0) return null;
      const resolve = async (specifier: string, importer: string): Promise<string | undefined> => {
        // As a dynamic import: an import of types alone need not resolve.
        const resolved = await this.resolve(specifier, importer, { kind: "dynamic-import", skipSelf: true });
        return resolved?.id.startsWith("file:") ? fileURLToPath(resolved.id) : undefined;
      };
      const reExports = new ReExports({ parseSync }, resolve);
      const edits = new RolldownMagicString(code);
      for (const statement of module.staticImports) {
        const { value: specifier } = statement.moduleRequest;
        if (specifier.startsWith(".") || !isOfNamesOnly(statement)) continue;
        const entry = await resolve(specifier, id);
        const origins = entry === undefined ? undefined : await reExports.originsOf(entry);
        const split = origins && write(statement, origins);
        if (split !== undefined) edits.overwrite(statement.start, statement.end, split);
      }
      return edits.hasChanged() ? { code: edits } : null;
    },
  };
}

const NAMED_IMPORT = /\bimport\s*\{[^}]*\}\s*from\s*["'][^.]/;

function isScript(moduleType: string): moduleType is "js" | "jsx" | "ts" | "tsx" {
  return ["js", "jsx", "ts", "tsx"].includes(moduleType);
}

function isOfNamesOnly({ entries }: StaticImport): boolean {
  return entries.length > 0 && entries.every(({ importName, isType }) => importName.kind === "Name" || isType);
}

/** On one line, so that line numbers don't change; undefined if some of the names are unknown. */
function write({ entries }: StaticImport, origins: ReadonlyMap<string, Origin>): string | undefined {
  const statements: string[] = [];
  for (const { importName, localName, isType } of entries) {
    if (isType) continue;
    const origin = origins.get(importName.name ?? "");
    if (!origin) return undefined;
    statements.push(`import { ${origin.name} as ${localName.value} } from ${JSON.stringify(origin.file)};`);
  }
  return statements.join(" ");
}

/**
 * The names that a module exports, if its only export is a list at its end, as bundlers write it. Avoids parsing modules
 * that may be whole libraries.
 *
 * @example
 * listedNames("const a = 1, b = 2;\nexport { a, b as c };\n"); // ["a", "c"]
 *
 * @returns Undefined if the module may export in another way.
 */
export function listedNames(code: string): readonly string[] | undefined {
  const start = code.search(STATEMENT);
  // On a separate line, with nothing after it that could end a surrounding comment or template string.
  const [, list] = (code[start - 1] === "\n" && LIST.exec(code.slice(start))) || [];
  const names = list?.split(",").map((each) => NAME.exec(each.trim())?.[1]);
  return names?.every((name) => name !== undefined && name !== "default") ? names.filter(isString) : undefined;
}

/** The first possible export keyword. Keywords can't be escaped. */
const STATEMENT = /\bexport(?=[\s{*/])/;
const LIST = /^export\s*\{([\w$\s,]+?),?\s*\};?\s*(?:\/\/[^\n*`]*\s*)?$/;
const NAME = /^(?:[\w$]+\s+as\s+)?([\w$]+)$/;

function isString(name: string | undefined): name is string {
  return name !== undefined;
}

/** Where a package's export comes from: a file, and its name there. */
export interface Origin {
  readonly file: string;
  readonly name: string;
}

type Parsed = ReturnType<Rolldown["parseSync"]>["module"];

/** Returns the file that an import in another file resolves to. */
export type Resolve = (specifier: string, importer: string) => Promise<string | undefined>;

/**
 * Finds where the exports of a package's entry come from, if the entry only re-exports (`export * from`, `export { a }
 * from`, or imports that it exports), as those of component libraries do, and the packages declare that their modules have
 * no side effects. Then importing a name from its origin is equivalent, and loads only what is used.
 */
export class ReExports {
  readonly #parse: Rolldown["parseSync"];
  readonly #resolve: Resolve;

  constructor({ parseSync }: Pick<Rolldown, "parseSync">, resolve: Resolve) {
    this.#parse = parseSync;
    this.#resolve = resolve;
  }

  /** @returns Undefined if the entry must be imported as a whole. */
  async originsOf(entry: string): Promise<ReadonlyMap<string, Origin> | undefined> {
    const known = origins.get(entry) ?? this.#read(entry);
    origins.set(entry, known);
    return known;
  }

  async #read(entry: string): Promise<ReadonlyMap<string, Origin> | undefined> {
    if (isOwn(entry) || (await isCommonJs(entry)) || !isFreeOfSideEffects(entry)) return undefined;
    const { program, module } = this.#parse(entry, readFileSync(entry, "utf8"));
    if (!program.body.every(isReExport)) return undefined;
    const files = new Map<string, string>();
    for (const { moduleRequest } of [
      ...module.staticImports,
      ...module.staticExports.flatMap(({ entries }) => entries),
    ]) {
      if (!moduleRequest || files.has(moduleRequest.value)) continue;
      const file = await this.#resolve(moduleRequest.value, entry);
      if (file === undefined || (await isCommonJs(file)) || !isFreeOfSideEffects(file)) return undefined;
      files.set(moduleRequest.value, file);
    }
    return this.#originsIn(module, files);
  }

  #originsIn({ staticImports, staticExports }: Parsed, files: ReadonlyMap<string, string>): Map<string, Origin> {
    const origins = new Map<string, Origin>();
    const ambiguous = new Set<string>();
    const exported = staticExports.flatMap(({ entries }) => entries);
    for (const { moduleRequest, importName } of exported) {
      const file = importName.kind === "AllButDefault" && files.get(moduleRequest?.value ?? "");
      if (!file) continue;
      for (const name of this.#namesOf(file)) {
        if (origins.has(name)) ambiguous.add(name);
        origins.set(name, { file, name });
      }
    }
    for (const name of ambiguous) origins.delete(name);
    const imported = staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.map(({ importName, localName }) => ({ moduleRequest, importName, local: localName.value })),
    );
    // Explicit exports take precedence over `export *`.
    for (const { exportName, localName, moduleRequest, importName } of exported) {
      if (exportName.kind !== "Name" || exportName.name === null) continue;
      const from = moduleRequest
        ? { moduleRequest, importName }
        : imported.find(({ local }) => local === localName.name);
      const file = files.get(from?.moduleRequest.value ?? "");
      const name = from?.importName.kind === "Default" ? "default" : from?.importName.name;
      if (file !== undefined && typeof name === "string") origins.set(exportName.name, { file, name });
      else origins.delete(exportName.name);
    }
    return origins;
  }

  /** Names that a module itself exports. */
  #namesOf(file: string): readonly string[] {
    const code = readFileSync(file, "utf8");
    return listedNames(code) ?? this.#parsedNames(file, code);
  }

  #parsedNames(file: string, code: string): string[] {
    return this.#parse(file, code)
      .module.staticExports.flatMap(({ entries }) => entries)
      .flatMap(({ exportName }) => (exportName.kind === "Name" && exportName.name !== null ? [exportName.name] : []));
  }
}

/** Whether a statement only re-exports names of other modules; also true for `export {};`. */
function isReExport(node: ESTree.Node): boolean {
  if (node.type === "ImportDeclaration") return node.specifiers.length > 0;
  return node.type === "ExportAllDeclaration" || (node.type === "ExportNamedDeclaration" && node.declaration === null);
}

/** Cached: installed packages don't change while a command runs. */
const origins = new Map<string, Promise<ReadonlyMap<string, Origin> | undefined>>();

function isFreeOfSideEffects(file: string): boolean {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = readManifest(path.join(folder, "package.json"));
    // A nested package.json may contain nothing but "type".
    if (manifest !== undefined && "name" in manifest) {
      return "sideEffects" in manifest && manifest.sideEffects === false;
    }
    if (folder === path.dirname(folder)) return false;
  }
}

function readManifest(file: string): object | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof manifest === "object" && manifest !== null ? manifest : undefined;
  } catch {
    return undefined;
  }
}
