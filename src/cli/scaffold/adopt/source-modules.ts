import { readFile } from "node:fs/promises";
import path from "node:path";
import { createImportResolver, isOwn, type ResolveImport } from "../../../process/resolving.js";
import { packageOf } from "../../../process/package-name.js";
import { type ESTree, loadRolldown, type Rolldown, walk } from "../../../process/rolldown.js";
import { isBuiltin } from "node:module";
import { memoizeByString } from "../../../cache/memoize.js";
import { attempt, upwards } from "../../../files.js";
import { isRecord } from "../../../values.js";

export interface SourceModule {
  /** Absolute path, with symbolic links resolved. */
  readonly file: string;
  /** The code with `\n` as line ending. Offsets in `program` are in UTF-16 units of this string. */
  readonly code: string;
  readonly program: ESTree.Program;
}

/** A string in a module that refers to another file of the project. */
export interface Reference {
  readonly specifier: string;
  /** Start offset of the string in the code, including quotes. */
  readonly start: number;
  readonly end: number;
  readonly target: string;
}

/** Reads the project's modules on demand; resolves imports like the compiler. */
export class SourceModules {
  readonly #parse: Rolldown["parseSync"];
  readonly #resolve: ResolveImport;
  /** Parses a module, or returns the `problem` if it can't be parsed. */
  readonly read = memoizeByString(Infinity, (file) => this.#parseFile(file));
  readonly #resolveFrom = memoizeByString(Infinity, (_, specifier: string, importer: string) =>
    this.#resolveOwn(specifier, importer),
  );

  private constructor(parse: Rolldown["parseSync"], resolve: ResolveImport) {
    this.#parse = parse;
    this.#resolve = resolve;
  }

  /** @throws {MissingPeerError} rolldown is not installed. */
  static async in(folder: string): Promise<SourceModules> {
    const { parseSync } = await loadRolldown("reading React components");
    return new SourceModules(parseSync, await createImportResolver(folder));
  }

  /** The project's file that a specifier resolves to; undefined for a package, and if it can't be resolved. */
  resolve(specifier: string, importer: string): Promise<string | undefined> {
    return this.#resolveFrom(`${path.dirname(importer)}\0${specifier}`, specifier, importer);
  }

  /** The specifiers that a module imports, re-exports or requires, except for type-only imports. */
  specifiersIn({ program }: SourceModule): string[] {
    const specifiers = new Set<string>();
    walk(program, (node) => {
      const isOfTypes =
        ("importKind" in node && node.importKind === "type") || ("exportKind" in node && node.exportKind === "type");
      const source = sourceOf(node);
      if (!isOfTypes && !node.type.startsWith("TS") && source) specifiers.add(source.value);
    });
    return [...specifiers];
  }

  /** The files that a module imports (including types), re-exports, requires, or refers to by a relative path. */
  async referencesIn({ file, program }: SourceModule): Promise<Reference[]> {
    const imported = new Set<ESTree.Node>();
    const strings: ESTree.StringLiteral[] = [];
    walk(program, (node) => {
      const source = sourceOf(node);
      if (source) imported.add(source);
      if (node.type !== "Literal" || typeof node.value !== "string") return;
      if (imported.has(node) || /^\.\.?\/./.test(node.value)) strings.push(node);
    });
    const references: Reference[] = [];
    for (const node of strings) {
      const target = await this.resolve(node.value, file);
      if (target === undefined || (!imported.has(node) && isScript(target))) continue;
      references.push({ specifier: node.value, start: node.start, end: node.end, target });
    }
    return references;
  }

  async #parseFile(file: string): Promise<SourceModule | { readonly problem: string }> {
    const code = (await readFile(file, "utf8")).replaceAll("\r\n", "\n");
    const lang = isTypeScript(file) ? "tsx" : "jsx";
    const parsed = this.#parse(file, code, { lang: file.endsWith(".ts") ? "ts" : lang, preserveParens: false });
    const [error] = parsed.errors;
    return error ? { problem: error.message } : { file, code, program: parsed.program };
  }

  async #resolveOwn(specifier: string, importer: string): Promise<string | undefined> {
    const file = await this.#resolve(specifier, importer);
    return file !== undefined && path.isAbsolute(file) && isOwn(path.normalize(file))
      ? path.normalize(file)
      : undefined;
  }
}

/** The specifier of an import, a re-export, a call of `require`, or a type import. */
function sourceOf(node: ESTree.Node): ESTree.StringLiteral | undefined {
  const isRequire =
    node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "require";
  const source = isRequire ? node.arguments[0] : "source" in node ? node.source : undefined;
  return source?.type === "Literal" && typeof source.value === "string" ? source : undefined;
}

/** Whether a file is a JavaScript or TypeScript module, by its extension. */
export function isScript(file: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(file) && !/\.d\.[cm]?ts$/.test(file);
}

function isTypeScript(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file);
}

/**
 * The packages that modules import, with the version ranges of their original project. Packages that it does not declare, or that
 * are part of its workspace, are left out.
 */
export async function importedPackages(
  sources: readonly SourceModule[],
  modules: SourceModules,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const names = new Set<string>();
  for (const source of sources)
    for (const specifier of modules.specifiersIn(source)) {
      const name = packageOf(specifier);
      const isPackage = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i.test(name) && !isBuiltin(specifier);
      if (isPackage && (await modules.resolve(specifier, source.file)) === undefined) names.add(name);
    }
  const ranges = await declaredRanges(folder);
  return new Map(
    [...names].toSorted().flatMap((name) => {
      const range = ranges.get(name);
      return range === undefined || /^(?:workspace|catalog|file|link|portal):/.test(range) ? [] : [[name, range]];
    }),
  );
}

/** The version ranges declared by the package.json files of a folder and its parents; the nearest wins. */
async function declaredRanges(folder: string): Promise<ReadonlyMap<string, string>> {
  const ranges = new Map<string, string>();
  for (const each of upwards(folder)) {
    const text = await readFile(path.join(each, "package.json"), "utf8").catch(() => "{}");
    for (const [name, range] of rangesIn(text)) if (!ranges.has(name)) ranges.set(name, range);
  }
  return ranges;
}

function rangesIn(text: string): [string, string][] {
  // Another project's package.json may be broken.
  const manifest: unknown = attempt(() => JSON.parse(text));
  if (!isRecord(manifest)) return [];
  return ["dependencies", "devDependencies", "peerDependencies"].flatMap((kind) =>
    Object.entries(Object(manifest[kind])).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
