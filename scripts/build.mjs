// Builds the published package: compiles TypeScript to ESM with declarations, then bundles the small libraries that only the CLI
// and the local service need into dist/bundled, so that an application that only sends does not install them. With --packed, as
// for `npm pack`, also joins the many small files of the large folders and the declarations into a few files.
import { spawnSync } from "node:child_process";
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { rolldown } from "rolldown";
import { minifySync, parseSync } from "rolldown/utils";
import { buildCommonJs, copyDeclarations, importCommonJs } from "./build-commonjs.mjs";
import { buildPage } from "./build-page.mjs";
import { licencesOf, packagesOf } from "./licences.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = path.join(root, "dist");
const isPacked = process.argv.includes("--packed");
const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
const installed = new Set([
  ...Object.keys(manifest.dependencies),
  ...Object.keys(manifest.peerDependencies),
  manifest.name,
]);

await rm(dist, { recursive: true, force: true });
await compile();
await bundleForApplications();
await bundle(await buildPage({ root, folder: path.join(dist, "preview", "page"), isPacked }));
await pruneDeclarations();
await packStarters();
await packClientSupport();
if (isPacked) {
  await importCommonJs(await buildCommonJs({ exports: manifest.exports, dist }));
  await joinModules();
  await joinDeclarations();
  await copyDeclarations({ exports: manifest.exports, dist });
}
await chmod(path.join(dist, "cli", "main.js"), 0o755);

/** Compiles to a persistent folder, so that later builds are incremental, and copies the files that still have a source. */
async function compile() {
  const compiled = path.join(root, ".compiled");
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", path.join(root, "tsconfig.build.json")], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
  const sources = new Set(await readdir(path.join(root, "src"), { recursive: true }));
  await cp(compiled, dist, {
    recursive: true,
    filter: (file) => {
      const [, name, ending] = /^(.*?)((?:\.d)?\.ts|\.js(?:\.map)?)?$/.exec(path.relative(compiled, file));
      return ending === undefined || sources.has(`${name}.ts`) || sources.has(`${name}.tsx`);
    },
  });
}

/** Makes the part that is bundled into applications' registries one file, which also runs in browsers. */
async function bundleForApplications() {
  const file = path.join(dist, "render", "computed", "rendering-functions.js");
  const build = await rolldown({ input: file, cwd: root, platform: "browser" });
  const { output } = await build.generate({ format: "esm", codeSplitting: false });
  await build.close();
  await writeFile(file, output[0].code);
}

/** Bundles the imported packages that are neither dependencies nor peers, and writes their licences and the page's. */
async function bundle(pagePackages) {
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
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    chunkFileNames: ({ name }) => (name === "rolldown-runtime" ? "runtime.js" : "chunk-[hash].js"),
    minify: true,
  });
  await build.close();
  const packages = packagesOf(output.flatMap(({ moduleIds = [] }) => moduleIds));
  const partPackages = isPacked ? [path.join(root, "node_modules", "zod")] : [];
  await writeFile(path.join(folder, "LICENSES.txt"), await licencesOf([...packages, ...pagePackages, ...partPackages]));

  const bundledFiles = new Map(
    Object.entries(entries).map(([name, specifier]) => [specifier, path.join(folder, `${name}.js`)]),
  );
  for (const { file, code, imports } of files) {
    if (imports.length === 0) continue;
    let rewritten = code;
    for (const { specifier, start, end } of imports.toReversed()) {
      const relative = path.relative(path.dirname(file), bundledFiles.get(specifier)).replaceAll(path.sep, "/");
      rewritten = `${rewritten.slice(0, start)}"${relative.startsWith(".") ? relative : `./${relative}`}"${rewritten.slice(end)}`;
    }
    await writeFile(file, rewritten);
  }
}

/**
 * Joins the modules. Entry points keep their own files (public exports, the command, and scripts of workers and processes); the
 * rest becomes shared chunks. Hundreds of small files would each take at least one block on the disk.
 *
 * The modules for sending have separate chunks, which contain nothing else, because applications bundle them. One chunk is loaded
 * with the import, one with the first send, and the others on demand.
 */
async function joinModules() {
  const bundled = path.join(dist, "bundled") + path.sep;
  const files = (await readdir(dist, { recursive: true }))
    .filter((name) => name.endsWith(".js"))
    .map((name) => path.join(dist, name))
    .filter((file) => !file.startsWith(bundled));
  const exported = Object.values(manifest.exports).flatMap(({ default: file }) =>
    file ? [path.join(root, file)] : [],
  );
  const entries = new Set([...exported, path.join(dist, "cli", "main.js")]);
  for (const file of files) {
    const code = await readFile(file, "utf8");
    for (const [, specifier] of code.matchAll(/new URL\("(\.[^"]+\.js)"/g))
      entries.add(path.resolve(path.dirname(file), specifier));
  }

  // The CLI's own schemas use a small part of zod, so it is bundled with them instead of being loaded as a whole (decision 0004).
  // Elsewhere zod is loaded anyway: by an application for its registry, and for the schemas of a project's templates.
  const tools = ["check/", "cli/", "preview/", "sync/", "project/config-schema.js", "project/config-schema.js"];
  const bundlesZod = (importer) => tools.some((tool) => posix(path.relative(dist, importer)).startsWith(tool));
  const imports = new Map();
  const build = await rolldown({
    input: Object.fromEntries(
      [...entries].map((file) => [posix(path.relative(dist, file)).slice(0, -".js".length), file]),
    ),
    platform: "node",
    preserveEntrySignatures: "allow-extension",
    plugins: [
      {
        name: "module-urls",
        transform: (code, id) => joinSqlLines(code).replaceAll("import.meta.url", placeholderOf(id)),
        moduleParsed: ({ id, importedIds, dynamicallyImportedIds }) =>
          void imports.set(id, { static: importedIds, dynamic: dynamicallyImportedIds }),
      },
    ],
    external(specifier, importer) {
      if (importer === undefined) return false;
      if (specifier === "zod") return !bundlesZod(importer);
      if (!specifier.startsWith(".") && !path.isAbsolute(specifier)) return true;
      return path.resolve(path.dirname(importer), specifier).startsWith(bundled);
    },
  });
  // Bundlers of applications need the annotations.
  const options = { format: "esm", comments: { annotation: true, jsdoc: false, legal: false } };
  await build.generate(options);
  const send = path.join(dist, "send");
  const sendModules = reachedFrom(
    [path.join(send, "index.js")],
    (module) => [...module.static, ...module.dynamic],
    imports,
  );
  const importModules = reachedFrom([path.join(send, "index.js")], (module) => module.static, imports);
  const firstSendModules = reachedFrom([path.join(send, "sending.js")], (module) => module.static, imports);
  const { output } = await build.generate({
    ...options,
    // A chunk without modules only re-exports another one.
    chunkFileNames: ({ moduleIds, facadeModuleId }) =>
      (moduleIds.length > 0 ? moduleIds : [facadeModuleId]).every((id) => sendModules.has(id))
        ? "send/[name].js"
        : "parts/[hash].js",
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          debugName: "sending",
          name: (id) => (importModules.has(id) ? "mailer" : firstSendModules.has(id) ? "first-send" : null),
        },
      ],
    },
  });
  await build.close();
  await Promise.all(files.map((file) => rm(file)));
  for (const { fileName, code } of withoutReexports(output)) {
    const file = path.join(dist, fileName);
    await mkdir(path.dirname(file), { recursive: true });
    const isSendChunk = fileName.startsWith("send/");
    await writeFile(file, withModuleUrls(isSendChunk ? code : minify(fileName, code), path.dirname(file)));
  }
}

/**
 * Puts each SQL statement on one line, because minifiers do not change strings. A statement with a comment stays unchanged,
 * because the comment ends at the end of its line.
 */
function joinSqlLines(code) {
  const statements = /`\s*(?:CREATE|DELETE|INSERT|SELECT|UPDATE|WITH)\b[^`]*`/g;
  return code.replaceAll(statements, (sql) => (sql.includes("--") ? sql : sql.replaceAll(/\s*\n\s*/g, " ")));
}

/** The modules reachable from these, including themselves. */
function reachedFrom(roots, next, imports) {
  const reached = new Set(roots);
  for (const id of reached) for (const other of next(imports.get(id))) if (imports.has(other)) reached.add(other);
  return reached;
}

/** Minifies but keeps the names of functions and classes, for stack traces. */
function minify(fileName, code) {
  const names = { function: true, class: true };
  const { code: small, errors } = minifySync(fileName, code, {
    module: true,
    compress: { keepNames: names },
    mangle: { toplevel: true, keepNames: names },
    codegen: { removeWhitespace: true },
  });
  if (errors.length > 0) throw new Error(`${fileName} cannot be minified: ${errors[0].message}`);
  return small;
}

/**
 * Removes chunks that only re-export another chunk, because each takes a block on the disk; their importers import the other
 * chunk instead. Those for sending stay: bundlers keep every export of a file that is loaded with `import()`, and a chunk that
 * re-exports has only the exports in use.
 */
function withoutReexports(output) {
  const imported = new Set(output.flatMap(({ imports }) => imports));
  const reexports = new Map();
  for (const { fileName, code, isEntry } of output) {
    const [, names, source] = /^export \{([^}]*)\} from "(\.[^"]*)";\s*$/.exec(code) ?? [];
    if (names === undefined || isEntry || imported.has(fileName) || fileName.startsWith("send/")) continue;
    const members = names.split(",").map((each) => each.trim().split(" as "));
    const object = members.map(([own, name = own]) => `${name}: exports.${own}`).join(", ");
    reexports.set(fileName, { source: path.posix.join(path.posix.dirname(fileName), source), object });
  }
  const rest = output.filter(({ fileName }) => !reexports.has(fileName));
  return rest.map(({ fileName, code }) => {
    const folder = path.posix.dirname(fileName);
    const direct = code.replace(/\bimport\("(\.[^"]*)"\)/g, (whole, specifier) => {
      const reexport = reexports.get(path.posix.join(folder, specifier));
      if (!reexport) return whole;
      const relative = path.posix.relative(folder, reexport.source);
      return `import("${relative.startsWith(".") ? relative : `./${relative}`}").then((exports) => ({ ${reexport.object} }))`;
    });
    return { fileName, code: direct };
  });
}

/** A placeholder for a module's URL until its output file is known. */
function placeholderOf(file) {
  return `MODULE_URL_${Buffer.from(posix(path.relative(dist, file))).toString("hex")}_`;
}

function withModuleUrls(code, folder) {
  return code.replaceAll(/MODULE_URL_((?:[0-9a-f]{2})+)_/g, (_whole, hex) => {
    const file = path.join(dist, Buffer.from(hex, "hex").toString());
    return `new URL(${JSON.stringify(posix(path.relative(folder, file)))},import.meta.url).href`;
  });
}

function posix(file) {
  return file.replaceAll(path.sep, "/");
}

/** Packs the starter templates into one file: as fifty files they would take ten times the space. */
async function packStarters() {
  const folder = path.join(root, "templates");
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .toSorted((a, b) => (a < b ? -1 : 1));
  const files = names.map(async (name) => [name, await readFile(path.join(folder, name), "latin1")]);
  const text = JSON.stringify(Object.fromEntries(await Promise.all(files)));
  await writeFile(path.join(dist, "cli", "scaffold", "starters.br"), brotliCompressSync(text));
}

/** Compresses the data about what email clients support. */
async function packClientSupport() {
  const file = path.join(dist, "check", "client-support", "data.json");
  await writeFile(`${file}.br`, brotliCompressSync(JSON.stringify(JSON.parse(await readFile(file, "utf8")))));
  await rm(file);
}

/** Reads a built file and finds its imports of packages to bundle, in order. */
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

/** Removes the declarations that are not reachable from a public entry, because an application cannot import them. */
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

/** Joins the declarations into one file per public entry and shared files: 200 small files take four times the space. */
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
  // The plugin adds `.d` itself.
  const { output } = await build.generate({ entryFileNames: "[name].ts", chunkFileNames: "types-[hash].d.ts" });
  await build.close();
  const separate = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".d.ts"));
  await Promise.all(separate.map((name) => rm(path.join(dist, name))));
  await Promise.all(output.map(({ fileName, code }) => writeFile(path.join(dist, fileName), code)));
}

function withoutComments(code) {
  return code.replaceAll(/\/\*[^]*?\*\//g, "");
}
