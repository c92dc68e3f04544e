import path from "node:path";
import { fileURLToPath } from "node:url";
import { isCommonJs, isOwn, isOwnScript, manifestsAbove, type ResolveImport } from "./resolving.js";
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
      if (!NAMED_IMPORT.test(code) || !isOwnScript(file, moduleType)) return null;
      const { module, errors } = parseSync(file, code, { lang: moduleType });
      if (errors.length > 0) return null;
      const resolve: ResolveImport = async (specifier, importer) => {
        // As a dynamic import: an import of types alone need not resolve.
        const resolved = await this.resolve(specifier, importer, { kind: "dynamic-import", skipSelf: true });
        return resolved?.id.startsWith("file:") ? fileURLToPath(resolved.id) : undefined;
      };
      const edits = new RolldownMagicString(code);
      for (const statement of module.staticImports) {
        const { value: specifier } = statement.moduleRequest;
        if (specifier.startsWith(".") || !isOfNamesOnly(statement)) continue;
        const entry = await resolve(specifier, id);
        const origins = entry === undefined ? undefined : await originsOf(entry, parseSync, resolve);
        const split = origins && write(statement, origins);
        if (split !== undefined) edits.overwrite(statement.start, statement.end, split);
      }
      return edits.hasChanged() ? { code: edits } : null;
    },
  };
}

const NAMED_IMPORT = /\bimport\s*\{[^}]*\}\s*from\s*["'][^.]/;

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

/** Cached: installed packages don't change while a command runs. */
const knownOrigins = new Map<string, Promise<ReadonlyMap<string, Origin> | undefined>>();

/**
 * Finds where the exports of a package's entry come from, if the entry only re-exports (`export * from`, `export { a }
 * from`, or imports that it exports), as those of component libraries do, and the packages declare that their modules have
 * no side effects. Then importing a name from its origin is equivalent, and loads only what is used.
 *
 * @returns Undefined if the entry must be imported as a whole.
 */
async function originsOf(
  entry: string,
  parse: Rolldown["parseSync"],
  resolve: ResolveImport,
): Promise<ReadonlyMap<string, Origin> | undefined> {
  const known = knownOrigins.get(entry) ?? findOrigins(entry, parse, resolve);
  knownOrigins.set(entry, known);
  return known;
}

async function findOrigins(
  entry: string,
  parse: Rolldown["parseSync"],
  resolve: ResolveImport,
): Promise<ReadonlyMap<string, Origin> | undefined> {
  if (isOwn(entry) || isCommonJs(entry) || !isFreeOfSideEffects(entry)) return undefined;
  const { program, module } = parse(entry, readFileSync(entry, "utf8"));
  if (!program.body.every(isReExport)) return undefined;
  const files = new Map<string, string>();
  for (const { moduleRequest } of [...module.staticImports, ...exportsIn(module)]) {
    if (!moduleRequest || files.has(moduleRequest.value)) continue;
    const file = await resolve(moduleRequest.value, entry);
    if (file === undefined || isCommonJs(file) || !isFreeOfSideEffects(file)) return undefined;
    files.set(moduleRequest.value, file);
  }
  return originsIn(module, files, parse);
}

function originsIn(
  module: Parsed,
  files: ReadonlyMap<string, string>,
  parse: Rolldown["parseSync"],
): Map<string, Origin> {
  const origins = new Map<string, Origin>();
  const ambiguous = new Set<string>();
  const exported = exportsIn(module);
  for (const { moduleRequest, importName } of exported) {
    const file = importName.kind === "AllButDefault" && files.get(moduleRequest?.value ?? "");
    if (!file) continue;
    for (const name of namesOf(file, parse)) {
      if (origins.has(name)) ambiguous.add(name);
      origins.set(name, { file, name });
    }
  }
  for (const name of ambiguous) origins.delete(name);
  const imported = module.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName, localName }) => ({ moduleRequest, importName, local: localName.value })),
  );
  // Explicit exports take precedence over `export *`.
  for (const { exportName, localName, moduleRequest, importName } of exported) {
    if (exportName.kind !== "Name" || exportName.name === null) continue;
    const from = moduleRequest ? { moduleRequest, importName } : imported.find(({ local }) => local === localName.name);
    const file = files.get(from?.moduleRequest.value ?? "");
    const name = from?.importName.kind === "Default" ? "default" : from?.importName.name;
    if (file !== undefined && typeof name === "string") origins.set(exportName.name, { file, name });
    else origins.delete(exportName.name);
  }
  return origins;
}

function exportsIn({ staticExports }: Parsed) {
  return staticExports.flatMap(({ entries }) => entries);
}

/** Names that a module itself exports. */
function namesOf(file: string, parse: Rolldown["parseSync"]): readonly string[] {
  const code = readFileSync(file, "utf8");
  const parsed = (): string[] =>
    exportsIn(parse(file, code).module).flatMap(({ exportName: { kind, name } }) =>
      kind === "Name" && name !== null ? [name] : [],
    );
  return listedNames(code) ?? parsed();
}

/** Whether a statement only re-exports names of other modules; also true for `export {};`. */
function isReExport(node: ESTree.Node): boolean {
  if (node.type === "ImportDeclaration") return node.specifiers.length > 0;
  return node.type === "ExportAllDeclaration" || (node.type === "ExportNamedDeclaration" && node.declaration === null);
}

function isFreeOfSideEffects(file: string): boolean {
  // A nested package.json may contain nothing but "type".
  for (const { name, sideEffects } of manifestsAbove(file)) if (name !== undefined) return sideEffects === false;
  return false;
}
