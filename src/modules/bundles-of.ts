import path from "node:path";
import type { Bundle, BundleFile } from "./module-bundle.js";
import type { OutputChunk, RolldownOutput } from "./rolldown.js";

interface Surroundings {
  /** The folder that paths in source maps are relative to. */
  readonly folder: string;
  /** All files that were bundled. */
  readonly sources: ReadonlySet<string>;
}

/** The bundles in a build's output: one for each entry, with the chunks that it shares with others. */
export function bundlesOf(output: RolldownOutput["output"], { folder, sources }: Surroundings): Bundle[] {
  const chunks = new Map(output.filter(isChunk).map((chunk) => [chunk.fileName, chunk]));
  const files = new Map([...chunks].map(([name, chunk]) => [name, fileOf(chunk, folder)]));
  return [...chunks.values()].flatMap((entry): Bundle[] => {
    if (!entry.isEntry || entry.facadeModuleId === null) return [];
    const reached = reachedFrom(entry, chunks);
    const modules = [entry, ...reached].flatMap(({ moduleIds }) => moduleIds).map((id) => path.normalize(id));
    return [
      {
        file: path.normalize(entry.facadeModuleId),
        code: entry.code,
        map: files.get(entry.fileName)?.map ?? "",
        sources: [...new Set(modules)].filter((file) => sources.has(file)).sort(),
        ...(reached.length > 0 && { shared: reached.flatMap(({ fileName }) => files.get(fileName) ?? []) }),
      },
    ];
  });
}

function isChunk(file: RolldownOutput["output"][number]): file is OutputChunk {
  return file.type === "chunk";
}

function reachedFrom(entry: OutputChunk, chunks: ReadonlyMap<string, OutputChunk>): OutputChunk[] {
  const reached = new Set([entry]);
  for (const chunk of reached) {
    for (const name of [...chunk.imports, ...chunk.dynamicImports]) {
      const next = chunks.get(name);
      if (next) reached.add(next);
    }
  }
  reached.delete(entry);
  return [...reached];
}

function fileOf({ fileName, code, map }: OutputChunk, folder: string): BundleFile {
  const absolute = (source: string): string => path.resolve(folder, source);
  return {
    name: fileName,
    code,
    map: JSON.stringify(map === null ? EMPTY_MAP : { ...map, sources: map.sources.map(absolute) }),
  };
}

/** For a module without any code left. */
const EMPTY_MAP = { version: 3, sources: [], sourcesContent: [], names: [], mappings: "" };
