import { isBuiltin } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { BundleProblems } from "./bundle-problems.js";
import { isCommonJs, isOwn, packageOf } from "./package-boundary.js";
import type { Plugin } from "./rolldown.js";
import { explainMissing, explainUnsupported } from "./unresolved.js";

/** Marks a virtual module that wraps a package's CommonJS module. */
const commonJs = "\0commonjs:";

/**
 * Decides for each import whether it is bundled, and where it leads otherwise.
 *
 * A package's CommonJS module is required by a virtual module within the bundle. The bundler's interop then applies, which
 * sees every name that the module exports at run time; Node's guesses them from the source.
 */
export function resolving({
  external,
  platform,
  sources,
  problems,
}: {
  external: readonly string[] | undefined;
  platform: "browser" | undefined;
  /** Receives every file that is bundled. */
  sources: Set<string>;
  problems: BundleProblems;
}): Plugin {
  return {
    name: "lettershop:resolving",

    async resolveId(specifier, importer, { kind }) {
      if (importer === undefined) return null;
      if (importer.startsWith(commonJs)) return { id: specifier, external: true };
      if (isBuiltin(specifier) || /^(?:file|data):/.test(specifier)) {
        if (platform === "browser" && kind === "import-statement")
          await problems.addImport(importer, specifier, `"${specifier}" can't be imported in a browser.`);
        return { id: specifier, external: true };
      }
      if (external?.includes(packageOf(specifier))) return { id: specifier, external: true };

      const resolved =
        (await this.resolve(specifier, importer, { kind, skipSelf: true })) ??
        // A package without an `import` export supports `require` only.
        (await this.resolve(specifier, importer, { kind: "require-call", skipSelf: true }));
      if (resolved === null) {
        // Dynamic imports may be meant to fail, and report it themselves then.
        const isStatement = kind === "import-statement";
        if (isStatement) await problems.addImport(importer, specifier, ...explainMissing(importer, specifier));
        return { id: specifier, external: true };
      }

      const file = path.normalize(resolved.id);
      if (external === undefined && !isOwn(file) && runsInNode(file)) {
        if (kind === "require-call") return { id: file, external: true };
        if (await isCommonJs(file)) return { id: commonJs + file };
        return { id: pathToFileURL(file).href, external: true };
      }
      if (!isBundled(file)) {
        await problems.addImport(importer, specifier, ...explainUnsupported(specifier));
        return { id: specifier, external: true };
      }
      sources.add(file);
      return resolved;
    },

    load(id) {
      if (id.startsWith(commonJs)) {
        return { code: `module.exports = require(${JSON.stringify(id.slice(commonJs.length))});`, moduleType: "js" };
      }
      // Styles don't affect an email's HTML, and their meaning would depend on the browser bundler.
      if (path.extname(id) === ".css") return { code: "export default {};", moduleType: "js" };
      return null;
    },
  };
}

/** Node doesn't run TypeScript or JSX of packages, nor import JSON without an import attribute. */
function runsInNode(file: string): boolean {
  return /\.(?:js|mjs|cjs|node|wasm)$/.test(file);
}

function isBundled(file: string): boolean {
  return /\.(?:[jt]sx?|[cm][jt]s|json|css)$/.test(file);
}
