import { readFileSync } from "node:fs";
import path from "node:path";
import { isCommonJs, isOwn } from "./package-boundary.js";
import type { ESTree, Rolldown } from "./rolldown.js";

/** Where a name that a package's entry exports comes from: a file, and its name there. */
export interface Origin {
  readonly file: string;
  readonly name: string;
}

/** Gives the file that an import in another file leads to. */
export type Resolve = (specifier: string, importer: string) => Promise<string | undefined>;

/**
 * Tells where the names of a package's entry come from, where the entry holds nothing but `export * from`, as those of
 * component libraries do, and the packages say that their modules have no side effects: then importing a name from
 * there means the same, and loads only what is used.
 */
export class ReExports {
  readonly #parse: Rolldown["parseSync"];
  readonly #resolve: Resolve;

  constructor({ parseSync }: Pick<Rolldown, "parseSync">, resolve: Resolve) {
    this.#parse = parseSync;
    this.#resolve = resolve;
  }

  /** @returns Undefined where the entry is to be imported as a whole. */
  async originsOf(entry: string): Promise<ReadonlyMap<string, Origin> | undefined> {
    const known = origins.get(entry) ?? this.#read(entry);
    origins.set(entry, known);
    return known;
  }

  async #read(entry: string): Promise<ReadonlyMap<string, Origin> | undefined> {
    if (isOwn(entry) || (await isCommonJs(entry)) || !isFreeOfSideEffects(entry)) return undefined;
    const { program } = this.#parse(entry, readFileSync(entry, "utf8"));
    const found = new Map<string, Origin>();
    const twice = new Set<string>();
    for (const node of program.body) {
      if (isEmptyExport(node)) continue;
      if (node.type !== "ExportAllDeclaration" || node.exported !== null) return undefined;
      const file = await this.#resolve(node.source.value, entry);
      if (file === undefined || (await isCommonJs(file)) || !isFreeOfSideEffects(file)) return undefined;
      for (const name of this.#namesOf(file)) {
        if (found.has(name)) twice.add(name);
        found.set(name, { file, name });
      }
    }
    for (const name of twice) found.delete(name);
    return found;
  }

  /** Names that a module exports by itself. */
  #namesOf(file: string): string[] {
    const { staticExports } = this.#parse(file, readFileSync(file, "utf8")).module;
    return staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ exportName }) => (exportName.kind === "Name" && exportName.name !== null ? [exportName.name] : []));
  }
}

/** `export {};`, which only says that the file is a module. */
function isEmptyExport(node: ESTree.Node): boolean {
  return node.type === "ExportNamedDeclaration" && node.declaration === null && node.specifiers.length === 0;
}

/** What is installed does not change while a command runs. */
const origins = new Map<string, Promise<ReadonlyMap<string, Origin> | undefined>>();

function isFreeOfSideEffects(file: string): boolean {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = readManifest(path.join(folder, "package.json"));
    // A nested package.json may say no more than "type".
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
