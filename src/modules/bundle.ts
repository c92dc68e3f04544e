import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { BundleProblems } from "./bundle-problems.js";
import { asksForLocation, keepLocation } from "./location.js";
import type { Bundle } from "./module-bundle.js";
import { ModuleError } from "./module-error.js";
import { rewriting, type ModuleTransform } from "./own-module.js";
import { resolving } from "./resolving.js";
import { loadRolldown } from "./rolldown.js";

export type { Bundle } from "./module-bundle.js";
export type { ModuleTransform, OwnModule } from "./own-module.js";

export interface BundleOptions {
  readonly transform?: ModuleTransform;
  /**
   * For code that will live elsewhere: these packages stay imports as they are written (`"zod"` covers `zod/v4`), and
   * every other package goes into the bundle, without what is not used of it. Without this option the code is for
   * running here: every package stays an import, by absolute URL, and own modules are kept whole.
   */
  readonly external?: readonly string[];
}

/**
 * Bundles a module with the own modules that it imports: those whose real path has no `node_modules` in it, so that a
 * symlinked workspace package is included.
 *
 * @example
 * const bundle = await bundleModule("/app/templates/receipt/receipt.tsx");
 * const html = await host.run(RENDER, { bundle, props });
 *
 * @throws {ModuleError} A syntax error, or an import that leads nowhere, with file, line and column.
 * @throws {MissingPeerError} rolldown is not installed.
 */
export async function bundleModule(file: string, options: BundleOptions = {}): Promise<Bundle> {
  const library = await loadRolldown(`loading ${path.basename(file)}`);
  const entry = await realpath(file).catch((cause: unknown) => {
    throw new ModuleError(`${path.basename(file)} cannot be read.`, { file }, { cause });
  });
  const folder = path.dirname(entry);
  const problems = new BundleProblems(library, folder);
  const sources = new Set([entry]);
  const portable = options.external !== undefined;
  const build = await library.rolldown({
    input: entry,
    cwd: folder,
    platform: "node",
    tsconfig: folder.includes("#") ? nearestTsconfig(folder) : true,
    treeshake: portable,
    optimization: { inlineConst: false },
    transform: { jsx: { runtime: "automatic", development: false }, target: "node20" },
    moduleTypes: { ".js": "jsx" },
    logLevel: "silent",
    plugins: [
      resolving({ external: options.external, sources, problems }),
      options.transform && rewriting(library, options.transform),
      rewriting(library, keepLocation, asksForLocation),
    ],
  });
  try {
    const { output } = await build.generate({
      dir: folder,
      format: "esm",
      sourcemap: "hidden",
      codeSplitting: false,
      minify: portable ? "dce-only" : false,
    });
    const problem = problems.first();
    if (problem !== undefined) throw problem;
    const [{ code, map }] = output;
    const absolute = (source: string): string => path.resolve(folder, source);
    return {
      file: entry,
      code,
      map: JSON.stringify(map === null ? emptyMap : { ...map, sources: map.sources.map(absolute) }),
      sources: [...sources].sort(),
    };
  } catch (error) {
    throw problems.firstWith(error);
  } finally {
    await build.close();
  }
}

/** Of a module in which nothing is left to run. */
const emptyMap = { version: 3, sources: [], sourcesContent: [], names: [], mappings: "" };

/** What `tsconfig: true` would find for the entry; it finds nothing where a folder has a `#` in its name. */
function nearestTsconfig(folder: string): string | false {
  const file = path.join(folder, "tsconfig.json");
  if (existsSync(file)) return file;
  return folder === path.dirname(folder) ? false : nearestTsconfig(path.dirname(folder));
}
