// The CommonJS build of the modules that applications and their tests load, for loaders that cannot require ES modules, such as
// Jest's. Node loads the ES modules because of the condition `module-sync`, so that it never loads both.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { rolldown } from "rolldown";
import { parseSync } from "rolldown/utils";

/**
 * Bundles every export with a `require` condition from its built ES modules. Shared chunks go to `commonjs/`, and the packages in
 * `bundled/` become CommonJS files of their own.
 *
 * @param {{ exports: object, dist: string, to?: string }} options `dist` contains the compiled modules, not yet joined;
 * `to` is the output folder (default: `dist`).
 * @returns The files of those packages in `dist`, for `importCommonJs`.
 */
export async function buildCommonJs({ exports, dist, to = dist }) {
  const bundled = path.join(dist, "bundled") + path.sep;
  const packages = new Set();
  const entries = commonJsExports(exports).map(({ default: file }) => file.slice("./dist/".length, -".js".length));
  const build = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, path.join(dist, `${name}.js`)])),
    platform: "node",
    external: (specifier) => !specifier.startsWith(".") && !path.isAbsolute(specifier),
    plugins: [
      {
        name: "bundled packages",
        resolveId: (specifier, importer) =>
          importer?.startsWith(bundled) ? { id: `bundled:${path.basename(specifier)}`, external: true } : undefined,
        async load(id) {
          if (!id.startsWith(bundled)) return undefined;
          packages.add(id);
          return importOf(id, await readFile(id, "utf8"));
        },
      },
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
    const toBundled = path.posix.relative(path.posix.dirname(fileName), "bundled");
    const withPackages = code.replaceAll("bundled:", `${toBundled}/`);
    await writeFile(file, withLocations(withPackages, path.relative(path.dirname(file), dist)));
  }
  const converted = await withSharedCode([...packages], bundled);
  await convertPackages(converted, path.join(to, "bundled"));
  return converted;
}

/** Adds the packages that share code with these, so that none of it is loaded or published twice. */
async function withSharedCode(files, folder) {
  const chunksOf = async (file) => (await readFile(file, "utf8")).match(/\bchunk-[\w-]+\.js\b/g) ?? [];
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js") && !name.startsWith("chunk-"));
  const others = new Map(
    await Promise.all(names.map((name) => path.join(folder, name)).map(async (file) => [file, await chunksOf(file)])),
  );
  const converted = [...files];
  for (const file of converted) {
    const chunks = others.get(file) ?? [];
    others.delete(file);
    for (const [other, itsChunks] of others)
      if (itsChunks.some((chunk) => chunks.includes(chunk)) && !converted.includes(other)) converted.push(other);
  }
  return converted;
}

async function convertPackages(files, folder) {
  const build = await rolldown({
    input: Object.fromEntries(files.map((file) => [path.basename(file, ".js"), file])),
    platform: "node",
  });
  await build.write({
    dir: folder,
    format: "cjs",
    // Without `__esModule`, all loaders and bundlers agree that the default import is `module.exports`.
    esModule: false,
    exports: "named",
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunk-[hash].cjs",
    minify: true,
  });
  await build.close();
}

/** Makes the ES modules of bundled packages import the CommonJS files, so that the published package has each only once. */
export async function importCommonJs(files) {
  const folder = path.dirname(files[0]);
  for (const file of files) await writeFile(file, importOf(file, await readFile(file, "utf8")));
  const used = (await readdir(folder)).filter((name) => name.endsWith(".js") && !name.startsWith("chunk-"));
  for (const name of used)
    for (const [chunk] of (await readFile(path.join(folder, name), "utf8")).matchAll(/\bchunk-[\w-]+\.js\b/g))
      if (!used.includes(chunk)) used.push(chunk);
  const unused = (await readdir(folder)).filter((name) => name.endsWith(".js") && !used.includes(name));
  await Promise.all(unused.map((name) => rm(path.join(folder, name))));
}

/** An ES module with the exports of a bundled package, from the package's CommonJS file. */
function importOf(file, code) {
  const names = parseSync(file, code).module.staticExports.flatMap(({ entries }) =>
    entries.map(({ exportName }) => exportName.name ?? "default"),
  );
  const members = names.map((name, index) => `${name}: _${index}`).join(", ");
  const exported = names.map((name, index) => `_${index} as ${name}`).join(", ");
  return `import members from "./${path.basename(file, ".js")}.cjs";\nconst { ${members} } = members;\nexport { ${exported} };\n`;
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
