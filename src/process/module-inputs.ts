import { readFileSync } from "node:fs";
import path from "node:path";
import { attempt, upwards } from "../files.js";
import type { Inputs } from "../cache/inputs.js";
import type { SourcePosition } from "../diagnostic.js";

/** Files in which package managers record what is installed, relative to the folder that contains node_modules. */
const installStates = [
  "node_modules/.package-lock.json",
  "node_modules/.pnpm/lock.yaml",
  "node_modules/.yarn-state.yml",
  "node_modules/.yarn-integrity",
  ".pnp.cjs",
  "bun.lock",
  "bun.lockb",
];

/** Files that affect how imports are resolved and compiled, in a module's folder and each folder above. */
const settings = ["package.json", "tsconfig.json"];

/**
 * What a bundle of own modules depends on: the modules, files that their imports could also match, the installed packages,
 * and the compiler's settings.
 */
export function moduleInputs(sources: readonly string[]): Required<Pick<Inputs, "files" | "stems" | "trees">> {
  const folders = new Set(sources.map((file) => path.dirname(file)));
  const settingsFiles = foldersAbove(folders).flatMap((folder) =>
    settings.flatMap((name) => withExtended(path.join(folder, name))),
  );
  return {
    files: [...sources, ...installedInputs(folders), ...settingsFiles],
    stems: [...new Set(sources.flatMap(stemsOf))],
    trees: [...new Set(settingsFiles.flatMap(alternativesIn))],
  };
}

/** What is installed in the folders where these modules look for packages. */
export function installedInputs(folders: Iterable<string>): string[] {
  return foldersAbove(folders).flatMap((folder) => installStates.map((name) => path.join(folder, name)));
}

function foldersAbove(folders: Iterable<string>): string[] {
  return [...new Set([...folders].flatMap((folder) => [...upwards(folder)]))];
}

/** A tsconfig.json and those that it extends. Those of packages are covered by what is installed. */
function withExtended(file: string, depth = 0): readonly string[] {
  if (!file.endsWith(".json") || path.basename(file) === "package.json" || depth > 8) return [file];
  return [file, ...basesOf(file).flatMap((base) => withExtended(base, depth + 1))];
}

function basesOf(file: string): string[] {
  const text = readIfThere(file);
  // The file may have comments and trailing commas.
  const written = /"extends"\s*:\s*(\[[^\]]*\]|"[^"]*")/.exec(text)?.[1] ?? "";
  return [...written.matchAll(/"(\.{1,2}\/[^"]*|\/[^"]*)"/g)].map(([, base = ""]) =>
    path.resolve(path.dirname(file), base.endsWith(".json") ? base : `${base}.json`),
  );
}

/** Folders that are searched in turn for an import, if `paths` in tsconfig.json has several targets. */
function alternativesIn(file: string): string[] {
  const text = path.basename(file) === "package.json" ? "" : readIfThere(file);
  const lists = [...text.matchAll(/"[^"]*"\s*:\s*\[([^\]]*\*[^\]]*,[^\]]*)\]/g)].map(([, list = ""]) => list);
  return lists.flatMap((list) =>
    [...list.matchAll(/"(\.{0,2}[^"*]*)\*[^"]*"/g)].map(([, before = ""]) => path.resolve(path.dirname(file), before)),
  );
}

/** `./layout` may be layout.tsx, layout.ts or layout/index.tsx. */
function stemsOf(file: string): string[] {
  const { dir, name } = path.parse(file);
  return name === "index" ? [path.join(dir, name), dir] : [path.join(dir, name)];
}

function readIfThere(file: string): string {
  return attempt(() => readFileSync(file, "utf8")) ?? "";
}

/** What user code read while it ran: its result depends on these as much as on its modules. */
export interface Reads {
  /** Environment variables, each once, sorted by name. */
  readonly environment: readonly EnvironmentRead[];
  /** Files, absolute, sorted. */
  readonly files: readonly string[];
  /** Where own modules, or functions that they call, read the time or random numbers, in order. */
  readonly moments: readonly SourcePosition[];
}

/** Used instead of a variable's name if all names were listed. */
export const ALL_NAMES = "*";

export interface EnvironmentRead {
  readonly name: string;
  readonly isSet: boolean;
  /** Where one of the project's own modules first reads it; absent if only packages do. */
  readonly at?: SourcePosition;
}

/** Collects reads. */
export class ReadLog {
  readonly #environment = new Map<string, EnvironmentRead>();
  readonly #files = new Set<string>();
  readonly #moments = new Map<string, SourcePosition>();
  /** Variables that are not set, or `ALL_NAMES`, with where an own module first reads one or calls a package that does. */
  readonly unset = new Map<string, SourcePosition>();

  noteEnvironment(read: EnvironmentRead): void {
    const known = this.#environment.get(read.name);
    if (!known || (!known.at && read.at)) this.#environment.set(read.name, read);
  }

  noteUnset(name: string, at: SourcePosition): void {
    if (!this.unset.has(name)) this.unset.set(name, at);
  }

  noteFile(file: string): void {
    this.#files.add(file);
  }

  noteMoment(at: SourcePosition): void {
    this.#moments.set(JSON.stringify(at), at);
  }

  add({ environment, files, moments }: Reads): void {
    for (const read of environment) this.noteEnvironment(read);
    for (const file of files) this.noteFile(file);
    for (const at of moments) this.noteMoment(at);
  }

  get reads(): Reads {
    return {
      environment: [...this.#environment.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
      files: [...this.#files].sort(),
      moments: [...this.#moments.values()],
    };
  }
}
