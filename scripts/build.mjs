// Builds what is published: TypeScript to ESM with declarations; then the small libraries that only the tool and the
// local service need go into dist/bundled, so that an application that only sends installs none of them. With --packed, as
// when the package is packed, the many small files of the large folders become a few, and so do the declarations.
import { spawnSync } from "node:child_process";
import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { parseSync } from "rolldown/utils";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = path.join(root, "dist");
const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
const installed = new Set([
  ...Object.keys(manifest.dependencies),
  ...Object.keys(manifest.peerDependencies),
  manifest.name,
]);

/** Folders of many small modules, which take whole blocks of a disk each. */
const FOLDERS = "api cache check cli config modules mustache registry render send service sync template testing".split(
  " ",
);

await rm(dist, { recursive: true, force: true });
compile();
await bundle();
await pruneDeclarations();
if (process.argv.includes("--packed")) {
  for (const name of FOLDERS) await gather(path.join(dist, name));
  await joinDeclarations();
}
await chmod(path.join(dist, "cli", "main.js"), 0o755);

function compile() {
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", path.join(root, "tsconfig.build.json")], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Bundles every package that the built files import and that is neither a dependency nor a peer. */
async function bundle() {
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".js"));
  const files = await Promise.all(names.map((name) => readImports(path.join(dist, name))));
  const specifiers = new Set(files.flatMap(({ imports }) => imports.map(({ specifier }) => specifier)));
  const entries = Object.fromEntries(
    [...specifiers].map((specifier) => [specifier.replace(/^@|\.js$/g, "").replaceAll("/", "-"), specifier]),
  );

  const folder = path.join(dist, "bundled");
  const build = await rolldown({
    input: entries,
    cwd: root,
    platform: "node",
    external: (specifier) =>
      specifier.startsWith("node:") || builtinModules.includes(specifier) || installed.has(packageOf(specifier)),
  });
  const { output } = await build.write({ dir: folder, format: "esm", chunkFileNames: "chunk-[hash].js", minify: true });
  await build.close();
  await writeLicences(output, folder);

  const places = new Map(
    Object.entries(entries).map(([name, specifier]) => [specifier, path.join(folder, `${name}.js`)]),
  );
  for (const { file, code, imports } of files) {
    if (imports.length === 0) continue;
    let rewritten = code;
    for (const { specifier, start, end } of imports.toReversed()) {
      const relative = path.relative(path.dirname(file), places.get(specifier)).replaceAll(path.sep, "/");
      rewritten = `${rewritten.slice(0, start)}"${relative.startsWith(".") ? relative : `./${relative}`}"${rewritten.slice(end)}`;
    }
    await writeFile(file, rewritten);
  }
}

/**
 * Joins a folder's modules: those that others name keep their files, the rest goes into these or into what they share. What
 * asks where it is stays as it is, and so does what is run by its address.
 */
async function gather(folder) {
  const isWithin = (file) => file.startsWith(folder + path.sep);
  const files = (await readdir(dist, { recursive: true }))
    .filter((name) => name.endsWith(".js"))
    .map((name) => path.join(dist, name));
  const codes = new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")])));
  const named = (file, pattern) =>
    [...codes.get(file).matchAll(pattern)].map(([, specifier]) => path.resolve(path.dirname(file), specifier));

  const placed = files.filter((file) => isWithin(file) && codes.get(file).includes("import.meta.url"));
  const kept = new Set([...placed, ...placed.flatMap((file) => named(file, /new URL\("(\.[^"]+\.js)"/g))]);
  const doors = Object.values(manifest.exports).flatMap((door) =>
    door.default ? [path.join(root, door.default)] : [],
  );
  const entries = new Set(
    [...doors, path.join(folder, "index.js"), path.join(folder, "main.js")].filter(
      (file) => isWithin(file) && codes.has(file),
    ),
  );
  for (const file of files) {
    if (isWithin(file) && !kept.has(file)) continue;
    for (const target of named(file, /(?:from ?|import ?\(?)["'`](\.[^"'`]+\.js)["'`]/g))
      if (isWithin(target)) entries.add(target);
  }

  const build = await rolldown({
    input: Object.fromEntries(
      [...entries]
        .filter((file) => !kept.has(file))
        .map((file) => [path.relative(folder, file).replaceAll(path.sep, "/").slice(0, -".js".length), file]),
    ),
    platform: "node",
    external: (specifier, importer) => {
      if (!specifier.startsWith(".") || importer === undefined) return !isWithin(specifier);
      const target = path.resolve(path.dirname(importer), specifier);
      return !isWithin(target) || kept.has(target);
    },
  });
  // Names stay, for the traces of errors; the declarations have the comments.
  const minify = {
    compress: { keepNames: { function: true, class: true } },
    mangle: false,
    codegen: { removeWhitespace: true },
  };
  const { output } = await build.generate({ format: "esm", chunkFileNames: "chunk-[hash].js", minify });
  await build.close();
  await Promise.all(files.filter((file) => isWithin(file) && !kept.has(file)).map((file) => rm(file)));
  await Promise.all(output.map(({ fileName, code }) => writeFile(path.join(folder, fileName), code)));
}

/** A built file with the places, in order, where it names a package to bundle. */
async function readImports(file) {
  const code = await readFile(file, "utf8");
  const { staticImports, staticExports, dynamicImports } = parseSync(file, code).module;
  const requests = [
    ...staticImports,
    ...staticExports.flatMap(({ entries }) => entries.slice(0, 1)),
    ...dynamicImports,
  ].flatMap(({ moduleRequest }) => moduleRequest ?? []);
  const imports = requests
    .map(({ start, end }) => ({ start, end, text: code.slice(start, end) }))
    .filter(({ text }) => /^["'][^"']+["']$/.test(text))
    .map(({ start, end, text }) => ({ start, end, specifier: text.slice(1, -1) }))
    .filter(({ specifier }) => isBundled(specifier))
    .toSorted((a, b) => a.start - b.start);
  return { file, code, imports };
}

function isBundled(specifier) {
  return !specifier.startsWith(".") && !specifier.startsWith("node:") && !installed.has(packageOf(specifier));
}

function packageOf(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Removes the declarations that no public entry leads to: an application installs none that it cannot name. */
async function pruneDeclarations() {
  const queue = Object.values(manifest.exports).flatMap(({ types }) =>
    types === undefined ? [] : [path.join(root, types)],
  );
  const reachable = new Set(queue);
  for (const file of queue) {
    for (const [, specifier] of withoutComments(await readFile(file, "utf8")).matchAll(
      /(?:from |import\()"(\.[^"]+)\.js"/g,
    )) {
      const target = path.resolve(path.dirname(file), `${specifier}.d.ts`);
      if (!reachable.has(target)) queue.push(target);
      reachable.add(target);
    }
  }
  const declarations = (await readdir(dist, { recursive: true }))
    .filter((name) => name.endsWith(".d.ts"))
    .map((name) => path.join(dist, name));
  await Promise.all(declarations.filter((file) => !reachable.has(file)).map((file) => rm(file)));
}

/** Joins the declarations into one file for each public entry, and those that entries share: 200 small files take four times the room. */
async function joinDeclarations() {
  const { dts } = await import("rolldown-plugin-dts");
  const entries = Object.values(manifest.exports).flatMap(({ types }) => types ?? []);
  const build = await rolldown({
    input: Object.fromEntries(
      entries.map((types) => [types.slice("./dist/".length, -".d.ts".length), path.join(root, types)]),
    ),
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
    external: (specifier) => !specifier.startsWith(".") && !path.isAbsolute(specifier),
  });
  // Without the plugin's own ending it would add one more.
  const { output } = await build.generate({ entryFileNames: "[name].ts", chunkFileNames: "types-[hash].d.ts" });
  await build.close();
  const separate = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".d.ts"));
  await Promise.all(separate.map((name) => rm(path.join(dist, name))));
  await Promise.all(output.map(({ fileName, code }) => writeFile(path.join(dist, fileName), code)));
}

function withoutComments(code) {
  return code.replaceAll(/\/\*[^]*?\*\//g, "");
}

/** The bundled packages' licences travel with them, as they ask. */
async function writeLicences(output, folder) {
  const folders = new Set();
  for (const { moduleIds = [] } of output) {
    for (const id of moduleIds) {
      const match = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id);
      if (match) folders.add(match[0]);
    }
  }
  // Many packages have the same licence, apart from whose it is: its text stands once, below all of them.
  const licences = new Map();
  for (const packageFolder of [...folders].toSorted((a, b) => (a < b ? -1 : 1))) {
    const { name, version, license } = JSON.parse(await readFile(path.join(packageFolder, "package.json"), "utf8"));
    const file = (await readdir(packageFolder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? "" : await readFile(path.join(packageFolder, file), "utf8");
    const isHolder = (line) => /^\s*(?:copyright\b(?! (?:notice|holders?)\b)|\(c\)|©)/i.test(line);
    const isTitle = (line) => /^\s*\(?(?:the )?mit license(?: \(mit\))?\)?\s*$/i.test(line);
    const lines = text.trim().split(/\r?\n/);
    const terms = lines
      .filter((line) => !isHolder(line) && !isTitle(line))
      .join("\n")
      .trim();
    const key = terms.replace(/\s+/g, " ");
    const licence = licences.get(key) ?? { terms, packages: [] };
    licence.packages.push([
      `${name} ${version} (${license})`,
      ...lines.filter(isHolder).map((line) => `  ${line.trim()}`),
    ]);
    licences.set(key, licence);
  }
  const parts = [...licences.values()].map(({ terms, packages }) => `${packages.flat().join("\n")}\n\n${terms}\n`);
  await writeFile(path.join(folder, "LICENSES.txt"), parts.join(`\n${"-".repeat(80)}\n\n`));
}
