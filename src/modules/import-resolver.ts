import { loadRolldown, type Plugin } from "./rolldown.js";

/** Gives the file that an import in another file leads to: absolute, links resolved. Undefined where it leads nowhere. */
export type ResolveImport = (specifier: string, importer: string) => Promise<string | undefined>;

/** A build that is garbage-collected resolves nothing any more: each stays as long as its resolver. */
const builds = new WeakMap<ResolveImport, object>();

const ENTRY = "\0lettershop:nothing";

/**
 * Resolves imports as bundling does, `paths` of tsconfig.json included, where nothing is to be bundled: an import of
 * types alone is erased before a bundler comes to it.
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
    // A tsconfig.json that cannot be read, or that extends what is not installed, is left out, as bundling leaves it out.
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
