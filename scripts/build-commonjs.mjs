// The CommonJS build of what applications and their tests load: for loaders that cannot require ES modules, such as Jest's.
// Node itself is led to the ES modules by the condition `module-sync`, so that it never loads both.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { rolldown } from "rolldown";

/**
 * Bundles every export that has a `require` condition from its built ES modules. Shared parts go to `commonjs/`.
 *
 * @param {{ exports: object, dist: string, to?: string }} options `dist` has the compiled modules, not yet gathered;
 * `to` is the output folder, `dist` unless given.
 */
export async function buildCommonJs({ exports, dist, to = dist }) {
  const entries = commonJsDoors(exports).map(({ default: file }) => file.slice("./dist/".length, -".js".length));
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
  // Names stay: errors are named for their classes.
  const names = { function: true, class: true };
  const { output } = await build.generate({
    format: "cjs",
    // Jest's loader has no `import()` in CommonJS either.
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
 * Copies the joined declarations of the same exports to `.d.cts`: TypeScript takes the format of a module from the ending
 * of its declarations.
 */
export async function copyDeclarations({ exports, dist }) {
  const pending = commonJsDoors(exports).map(({ types }) => path.join(dist, types.slice("./dist/".length)));
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

/** In joined declarations each import is one line; examples in comments begin with an asterisk. */
const RELATIVE_IMPORT = /^((?:import|export) .*? from ")(\.[^"]+)\.js"/gm;

function commonJsDoors(exports) {
  return Object.values(exports).filter(({ require }) => require !== undefined);
}

/** Stands for the URL of a module until it is known which file it is written to. */
function placeholderOf(file) {
  return `LOCATION_${Buffer.from(file.replaceAll(path.sep, "/")).toString("hex")}_`;
}

function withLocations(code, toDist) {
  return code.replaceAll(/LOCATION_((?:[0-9a-f]{2})+)_/g, (_whole, hex) => {
    const file = path.posix.join(toDist.replaceAll(path.sep, "/"), Buffer.from(hex, "hex").toString());
    return `require("node:url").pathToFileURL(require("node:path").join(__dirname,${JSON.stringify(file)})).href`;
  });
}
