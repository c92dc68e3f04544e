import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import path from "node:path";
import { packageOf } from "../../../process/package-boundary.js";
import type { SourceModule, SourceModules } from "./source-modules.js";

/**
 * The packages that modules import, with the version ranges of their original project. Packages that it does not declare, or that
 * are part of its workspace, are left out.
 *
 * @param folder The original folder of the modules.
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
  for (let at = folder; ; at = path.dirname(at)) {
    const text = await readFile(path.join(at, "package.json"), "utf8").catch(() => "{}");
    for (const [name, range] of rangesIn(text)) if (!ranges.has(name)) ranges.set(name, range);
    if (at === path.dirname(at)) return ranges;
  }
}

function rangesIn(text: string): [string, string][] {
  try {
    const manifest: unknown = JSON.parse(text);
    if (typeof manifest !== "object" || manifest === null) return [];
    return ["dependencies", "devDependencies", "peerDependencies"].flatMap((kind) => {
      const section: unknown = Reflect.get(manifest, kind);
      return Object.entries(typeof section === "object" && section !== null ? section : {}).flatMap(
        ([name, range]): [string, string][] => (typeof range === "string" ? [[name, range]] : []),
      );
    });
  } catch {
    // Ignore a broken package.json of another project.
    return [];
  }
}
