import { readFile } from "node:fs/promises";
import path from "node:path";
import { createImportResolver, type ResolveImport } from "../../../modules/import-resolver.js";
import { isOwn } from "../../../modules/package-boundary.js";
import { type ESTree, loadRolldown, type Rolldown } from "../../../modules/rolldown.js";
import { walk } from "../../../modules/walk.js";

/** A module of the project, as it is written. */
export interface SourceModule {
  /** Absolute, links resolved. */
  readonly file: string;
  /** With `\n` as line ends. Offsets of `program` count its UTF-16 units. */
  readonly code: string;
  readonly program: ESTree.Program;
}

/** A string in a module that leads to another file of the project. */
export interface Reference {
  readonly specifier: string;
  /** Where the string is in the code, quotes included. */
  readonly start: number;
  readonly end: number;
  /** Absolute. */
  readonly target: string;
}

/** The project's own modules, read when they are asked for; imports are followed as the compiler follows them. */
export class SourceModules {
  readonly #parse: Rolldown["parseSync"];
  readonly #resolve: ResolveImport;
  readonly #read = new Map<string, Promise<SourceModule | { readonly problem: string }>>();
  readonly #resolved = new Map<string, Promise<string | undefined>>();

  private constructor(parse: Rolldown["parseSync"], resolve: ResolveImport) {
    this.#parse = parse;
    this.#resolve = resolve;
  }

  /** @throws {MissingPeerError} rolldown is not installed. */
  static async in(folder: string): Promise<SourceModules> {
    const { parseSync } = await loadRolldown("reading React components");
    return new SourceModules(parseSync, await createImportResolver(folder));
  }

  /** @returns Why it cannot be parsed, where it cannot. */
  read(file: string): Promise<SourceModule | { readonly problem: string }> {
    const known = this.#read.get(file) ?? this.#parseFile(file);
    this.#read.set(file, known);
    return known;
  }

  /** The file of the project that a specifier leads to; undefined for a package's, and where it leads nowhere. */
  resolve(specifier: string, importer: string): Promise<string | undefined> {
    const key = `${path.dirname(importer)}\0${specifier}`;
    const known = this.#resolved.get(key) ?? this.#resolveOwn(specifier, importer);
    this.#resolved.set(key, known);
    return known;
  }

  /** What a module imports, re-exports or requires, without what it imports of types alone. */
  specifiersIn({ program }: SourceModule): string[] {
    const found = new Set<string>();
    walk(program, (node) => {
      const isOfTypes =
        ("importKind" in node && node.importKind === "type") || ("exportKind" in node && node.exportKind === "type");
      const source = sourceOf(node);
      if (!isOfTypes && !node.type.startsWith("TS") && source) found.add(source.value);
    });
    return [...found];
  }

  /** What a module imports, re-exports or requires, types included, and the files that it names by a relative path. */
  async referencesIn({ file, program }: SourceModule): Promise<Reference[]> {
    const imported = new Set<ESTree.Node>();
    const strings: ESTree.StringLiteral[] = [];
    walk(program, (node) => {
      const source = sourceOf(node);
      if (source) imported.add(source);
      if (node.type !== "Literal" || typeof node.value !== "string") return;
      if (imported.has(node) || /^\.\.?\/./.test(node.value)) strings.push(node);
    });
    const found: Reference[] = [];
    for (const node of strings) {
      const target = await this.resolve(node.value, file);
      if (target === undefined || (!imported.has(node) && isScript(target))) continue;
      found.push({ specifier: node.value, start: node.start, end: node.end, target });
    }
    return found;
  }

  async #parseFile(file: string): Promise<SourceModule | { readonly problem: string }> {
    const code = (await readFile(file, "utf8")).replaceAll("\r\n", "\n");
    const lang = isTypeScript(file) ? "tsx" : "jsx";
    const attempt = this.#parse(file, code, { lang: file.endsWith(".ts") ? "ts" : lang, preserveParens: false });
    const [error] = attempt.errors;
    return error ? { problem: error.message } : { file, code, program: attempt.program };
  }

  async #resolveOwn(specifier: string, importer: string): Promise<string | undefined> {
    const file = await this.#resolve(specifier, importer);
    return file !== undefined && path.isAbsolute(file) && isOwn(path.normalize(file))
      ? path.normalize(file)
      : undefined;
  }
}

/** The string in an import, an export, a call of `require` or an import of a type that says where from. */
function sourceOf(node: ESTree.Node): ESTree.StringLiteral | undefined {
  const isRequire =
    node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "require";
  const source = isRequire ? node.arguments[0] : "source" in node ? node.source : undefined;
  return source?.type === "Literal" && typeof source.value === "string" ? source : undefined;
}

/** Whether a file is a module of code, by its name. */
export function isScript(file: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(file) && !/\.d\.[cm]?ts$/.test(file);
}

function isTypeScript(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file);
}
