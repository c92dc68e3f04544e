// The CommonJS build of the modules that applications and their tests load, for loaders that cannot require ES modules, such as
// Jest's. Node loads the ES modules because of the condition `module-sync`, so that it never loads both.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { rolldown } from "rolldown";

/**
 * Bundles every export with a `require` condition from its built ES modules. Shared chunks go to `commonjs/`.
 *
 * @param {{ exports: object, dist: string, to?: string }} options `dist` contains the compiled modules, not yet joined;
 * `to` is the output folder (default: `dist`).
 */
export async function buildCommonJs({ exports, dist, to = dist }) {
  const entries = commonJsExports(exports).map(({ default: file }) => file.slice("./dist/".length, -".js".length));
  const build = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, path.join(dist, `${name}.js`)])),
    platform: "node",
    external: (specifier) => !specifier.startsWith(".") && !path.isAbsolute(specifier),
    plugins: [
      {
        name: "module locations",
        transform: (code, id) => code.replaceAll("import.meta.url", placeholderOf(path.relative(dist, id))),
      },
    ],
  });
  // Errors take their names from their classes.
  const names = { function: true, class: true };
  const { output } = await build.generate({
    format: "cjs",
    // Jest's loader does not support `import()` in CommonJS either.
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "commonjs/[hash].cjs",
    minify: {
      compress: { keepNames: names },
      mangle: { toplevel: true, keepNames: names },
      codegen: { removeWhitespace: true },
    },
  });
  await build.close();
  for (const { fileName, code } of output) {
    const file = path.join(to, fileName);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, withLocations(code, path.relative(path.dirname(file), dist)));
  }
}

/**
 * Copies the joined declarations of the same exports to `.d.cts`: TypeScript infers the format of a module from the extension of
 * its declarations.
 */
export async function copyDeclarations({ exports, dist }) {
  const pending = commonJsExports(exports).map(({ types }) => path.join(dist, types.slice("./dist/".length)));
  const seen = new Set(pending);
  for (const file of pending) {
    const code = await readFile(file, "utf8");
    const copied = code.replaceAll(RELATIVE_IMPORT, (_whole, start, specifier) => {
      const imported = path.resolve(path.dirname(file), `${specifier}.d.ts`);
      if (!seen.has(imported)) pending.push(imported);
      seen.add(imported);
      return `${start}${specifier}.cjs"`;
    });
    await writeFile(file.replace(/\.ts$/, ".cts"), copied);
  }
}

/** In joined declarations each import is one line. Examples in comments don't match because they begin with an asterisk. */
const RELATIVE_IMPORT = /^((?:import|export) .*? from ")(\.[^"]+)\.js"/gm;

function commonJsExports(exports) {
  return Object.values(exports).filter(({ require }) => require !== undefined);
}

/** A placeholder for a module's URL until its output file is known. */
function placeholderOf(file) {
  return `LOCATION_${Buffer.from(file.replaceAll(path.sep, "/")).toString("hex")}_`;
}

function withLocations(code, toDist) {
  return code.replaceAll(/LOCATION_((?:[0-9a-f]{2})+)_/g, (_whole, hex) => {
    const file = path.posix.join(toDist.replaceAll(path.sep, "/"), Buffer.from(hex, "hex").toString());
    return `require("node:url").pathToFileURL(require("node:path").join(__dirname,${JSON.stringify(file)})).href`;
  });
}
