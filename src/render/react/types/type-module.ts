import { readFile } from "node:fs/promises";
import path from "node:path";
import type { SourcePosition } from "../../../diagnostic.js";
import { createImportResolver, isOwn, type ResolveImport } from "../../../process/resolving.js";
import { type ESTree, loadRolldown, type Rolldown } from "../../../process/rolldown.js";
import { positionsIn } from "../../../text/position.js";

/** Thrown while a type is read, if it can't be determined without a type checker. The message continues after "because". */
export class Unreadable extends Error {
  /** Whether it is a function, which a variable can't be. */
  readonly isFunction: boolean;

  constructor(reason: string, { isFunction = false }: { readonly isFunction?: boolean } = {}) {
    super(reason);
    this.isFunction = isFunction;
  }
}

/** The other module from which a name comes; `*` stands for all of its exports. */
interface Foreign {
  readonly specifier: string;
  readonly name: string;
}

/** One of the project's own modules, as needed to read types. */
export interface TypeModule {
  readonly file: string;
  /** Its top-level declarations by name: an interface may be declared several times. */
  readonly declarations: ReadonlyMap<string, readonly ESTree.Node[]>;
  /** By their local names. */
  readonly imports: ReadonlyMap<string, Foreign>;
  /** By their exported names: a local name, or a name in another module. */
  readonly exports: ReadonlyMap<string, string | Foreign>;
  /** Modules of which it exports everything. */
  readonly stars: readonly string[];
  /** Its default export, if that has no name. */
  readonly defaultExport: ESTree.Node | undefined;
  readonly positionOf: (node: ESTree.Node) => SourcePosition;
  /** The text of the doc comment directly before a node. */
  readonly docOf: (node: ESTree.Node) => string | undefined;
}

export interface ResolvedDeclaration {
  readonly module: TypeModule;
  readonly nodes: readonly ESTree.Node[];
}

const MOST_STEPS = 32;

/** The project's own modules, read for their types, each once. */
export class TypeModules {
  readonly #parseSync: Rolldown["parseSync"];
  readonly #folder: string;
  readonly #modules = new Map<string, Promise<TypeModule | undefined>>();
  #resolver: Promise<ResolveImport> | undefined;

  private constructor(parseSync: Rolldown["parseSync"], folder: string) {
    this.#parseSync = parseSync;
    this.#folder = folder;
  }

  /** @throws {MissingPeerError} rolldown is not installed. */
  static async in(folder: string): Promise<TypeModules> {
    const { parseSync } = await loadRolldown("reading types");
    return new TypeModules(parseSync, folder);
  }

  /** Undefined if it can't be read: bundling reports why. */
  read(file: string): Promise<TypeModule | undefined> {
    const known = this.#modules.get(file) ?? this.#parse(file);
    this.#modules.set(file, known);
    return known;
  }

  /** The file that a module imports. */
  async resolve(specifier: string, importer: string): Promise<string | undefined> {
    this.#resolver ??= createImportResolver(this.#folder);
    const resolve = await this.#resolver;
    const file = (await resolve(specifier, importer)) ?? (await resolve(`${specifier}.d.ts`, importer));
    return file !== undefined && path.isAbsolute(file) ? path.normalize(file) : undefined;
  }

  async #parse(file: string): Promise<TypeModule | undefined> {
    const code = await readFile(file, "utf8").catch(() => undefined);
    if (code === undefined) return undefined;
    const { program, comments, errors } = this.#parseSync(file, code, { preserveParens: false });
    if (errors.length > 0) return undefined;
    const positionIn = positionsIn(code);
    const docs = comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"));
    return {
      file,
      ...namesOf(program),
      positionOf: ({ start }) => ({ file, ...positionIn(start) }),
      docOf: ({ start }) => {
        const doc = docs.findLast(({ end }) => end <= start);
        return doc && code.slice(doc.end, start).trim() === "" ? textOfDoc(doc.value) : undefined;
      },
    };
  }
}

/** The modules from which one type is read, and what is imported on the way. */
export class TypeSources {
  readonly files = new Set<string>();
  /** Unresolvable imports, as absolute paths without an extension. */
  readonly missing = new Set<string>();
  readonly #modules: TypeModules;

  constructor(modules: TypeModules) {
    this.#modules = modules;
  }

  /**
   * The declaration that a name refers to at the top level of a module: the module's own, or one imported from another of the
   * project's modules. Undefined if there is neither.
   *
   * @throws {Unreadable} It is imported from a package, or the import can't be resolved.
   */
  async find(module: TypeModule, name: string): Promise<ResolvedDeclaration | undefined> {
    const nodes = module.declarations.get(name);
    if (nodes) return { module, nodes };
    const foreign = module.imports.get(name);
    return foreign && this.findIn(module, foreign);
  }

  /**
   * What another module exports under a name.
   *
   * @throws {Unreadable} It is in a package, the import can't be resolved, or nothing of that name is exported.
   */
  async findIn(module: TypeModule, { specifier, name }: Foreign): Promise<ResolvedDeclaration> {
    const target = await this.#load(module, specifier);
    const declared = await this.exported(target, name);
    if (!declared) throw new Unreadable(`"${specifier}" does not export ${name}`);
    return declared;
  }

  /**
   * What a module exports under a name, including re-exports.
   *
   * @throws {Unreadable} It re-exports from a package.
   */
  async exported(module: TypeModule, name: string, steps = MOST_STEPS): Promise<ResolvedDeclaration | undefined> {
    if (steps === 0) return undefined;
    if (name === "default" && module.defaultExport) return { module, nodes: [module.defaultExport] };
    const exported = module.exports.get(name);
    if (typeof exported === "string") return this.find(module, exported);
    if (exported) {
      const target = await this.#load(module, exported.specifier);
      return this.exported(target, exported.name, steps - 1);
    }
    let unreadable: Unreadable | undefined;
    for (const specifier of module.stars) {
      try {
        const target = await this.#load(module, specifier);
        const declared = await this.exported(target, name, steps - 1);
        if (declared) return declared;
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        unreadable ??= error;
      }
    }
    if (unreadable) throw unreadable;
    return undefined;
  }

  async #load(from: TypeModule, specifier: string): Promise<TypeModule> {
    const file = await this.#modules.resolve(specifier, from.file);
    if (file === undefined && specifier.startsWith(".")) {
      this.missing.add(path.resolve(path.dirname(from.file), specifier));
      throw new Unreadable(`"${specifier}" can't be found`);
    }
    const module = file !== undefined && isOwn(file) ? await this.#modules.read(file) : undefined;
    if (file === undefined || !module) {
      throw new Unreadable(`it comes from "${specifier}", which is not part of the project`);
    }
    this.files.add(file);
    return module;
  }
}

type Names = Pick<TypeModule, "declarations" | "imports" | "exports" | "stars" | "defaultExport">;

function namesOf({ body }: ESTree.Program): Names {
  const declarations = new Map<string, ESTree.Node[]>();
  const imports = new Map<string, Foreign>();
  const exports = new Map<string, string | Foreign>();
  const stars: string[] = [];
  let defaultExport: ESTree.Node | undefined;
  const declare = (node: ESTree.Node): string[] => {
    const named = node.type === "VariableDeclaration" ? node.declarations : [node];
    return named.flatMap((each) => {
      const name = "id" in each && each.id?.type === "Identifier" ? each.id.name : undefined;
      if (name === undefined) return [];
      declarations.set(name, [...(declarations.get(name) ?? []), each]);
      return [name];
    });
  };
  for (const node of body) {
    if (node.type === "ImportDeclaration") {
      for (const each of node.specifiers) {
        const name =
          each.type === "ImportSpecifier"
            ? nameOf(each.imported)
            : each.type === "ImportDefaultSpecifier"
              ? "default"
              : "*";
        imports.set(each.local.name, { specifier: node.source.value, name });
      }
    } else if (node.type === "ExportNamedDeclaration") {
      for (const name of node.declaration ? declare(node.declaration) : []) exports.set(name, name);
      for (const { exported, local } of node.specifiers) {
        const [name, own] = [nameOf(exported), nameOf(local)];
        exports.set(name, node.source ? { specifier: node.source.value, name: own } : own);
      }
    } else if (node.type === "ExportAllDeclaration") {
      if (node.exported) exports.set(nameOf(node.exported), { specifier: node.source.value, name: "*" });
      else stars.push(node.source.value);
    } else if (node.type === "ExportDefaultDeclaration") {
      declare(node.declaration);
      if (node.declaration.type === "Identifier") exports.set("default", node.declaration.name);
      else defaultExport = node.declaration;
    } else declare(node);
  }
  return { declarations, imports, exports, stars, defaultExport };
}

function nameOf(node: ESTree.ModuleExportName): string {
  return node.type === "Literal" ? node.value : node.name;
}

/** The comment without the stars at the start of its lines, and without tags for tools. */
function textOfDoc(comment: string): string | undefined {
  const lines = comment
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  const text = lines.join("\n").split(/^\s*@/m)[0]?.trim();
  return text === "" ? undefined : text;
}
