import { readFileSync } from "node:fs";
import path from "node:path";
import type { Inputs } from "../cache/inputs.js";

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
 *
 * @example
 * moduleInputs(bundle.sources).files; // ["/app/emails/receipt.tsx", "/app/emails/package.json", "/app/package.json", …]
 *
 * @param sources Absolute paths.
 */
export function moduleInputs(sources: readonly string[]): Required<Pick<Inputs, "files" | "stems" | "trees">> {
  const folders = new Set(sources.map((file) => path.dirname(file)));
  const settingsFiles = [...upwards(folders)].flatMap(settingsIn);
  return {
    files: [...sources, ...installedInputs(folders), ...settingsFiles],
    stems: [...new Set(sources.flatMap(stemsOf))],
    trees: [...new Set(settingsFiles.flatMap(alternativesIn))],
  };
}

/** What is installed in the folders where these modules look for packages. */
export function installedInputs(folders: Iterable<string>): string[] {
  return [...upwards(folders)].flatMap((folder) => installStates.map((name) => path.join(folder, name)));
}

function upwards(folders: Iterable<string>): Set<string> {
  const all = new Set<string>();
  for (let folder of folders) {
    while (!all.has(folder)) {
      all.add(folder);
      folder = path.dirname(folder);
    }
  }
  return all;
}

function settingsIn(folder: string): string[] {
  return settings.flatMap((name) => withExtended(path.join(folder, name)));
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
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
