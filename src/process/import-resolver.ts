import { loadRolldown, type Plugin } from "./rolldown.js";

/** Returns the file that an import in another file resolves to: absolute, links resolved. Undefined if there is none. */
export type ResolveImport = (specifier: string, importer: string) => Promise<string | undefined>;

/** A garbage-collected build can't resolve any more, so each build is kept as long as its resolver. */
const builds = new WeakMap<ResolveImport, object>();

const ENTRY = "\0lettershop:nothing";

/**
 * Resolves imports as the bundler does, including `paths` in tsconfig.json, without bundling: type imports are erased before
 * a bundler sees them.
 *
 * @example
 * const resolve = await createImportResolver("/app/emails");
 * await resolve("@/lib/types", "/app/emails/receipt.tsx"); // "/app/lib/types.ts"
 *
 * @throws {MissingPeerError} rolldown is not installed.
 */
export async function createImportResolver(folder: string): Promise<ResolveImport> {
  const strict = await resolverIn(folder, true);
  let lenient: Promise<ResolveImport> | undefined;
  return async (specifier, importer) => {
    const file = await strict(specifier, importer).catch(() => undefined);
    if (file !== undefined) return file;
    // If tsconfig.json can't be read, or extends a config that is not installed, it is ignored, as when bundling.
    lenient ??= resolverIn(folder, false);
    return (await lenient)(specifier, importer).catch(() => undefined);
  };
}

async function resolverIn(folder: string, tsconfig: boolean): Promise<ResolveImport> {
  const { rolldown } = await loadRolldown("reading types");
  let resolve: ResolveImport = () => Promise.resolve(undefined);
  const plugin: Plugin = {
    name: "lettershop:import-resolver",
    buildStart() {
      resolve = async (specifier, importer) =>
        (await this.resolve(specifier, importer, { kind: "import-statement", skipSelf: true }))?.id;
    },
    resolveId: (specifier) => (specifier === ENTRY ? specifier : null),
    load: (id) => (id === ENTRY ? "" : null),
  };
  const build = await rolldown({
    input: ENTRY,
    cwd: folder,
    platform: "node",
    tsconfig,
    logLevel: "silent",
    plugins: [plugin],
  });
  await build.generate();
  const resolveImport: ResolveImport = (specifier, importer) => resolve(specifier, importer);
  builds.set(resolveImport, build);
  return resolveImport;
}
