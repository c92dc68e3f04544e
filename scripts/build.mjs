// Builds what is published: TypeScript to ESM with declarations; then the small libraries that only the tool and the
// local service need go into dist/bundled, so that an application that only sends installs none of them.
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { builtinModules, createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = path.join(root, "dist");
const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
const installed = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies), manifest.name]);

/** A static or dynamic import of the form that tsc prints, at the start of a statement or behind `import(`. */
const importOf = /(?:\bfrom\s*|\bimport\s*|\bimport\()"([^".][^"]*)"/g;

await rm(dist, { recursive: true, force: true });
compile();
await bundle();
await chmod(path.join(dist, "cli", "main.js"), 0o755);

function compile() {
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", path.join(root, "tsconfig.build.json")], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** Bundles every package that the built files import and that is neither a dependency nor a peer. */
async function bundle() {
  const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith(".js")).map((file) => path.join(dist, file));
  const sources = new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")])));
  const names = new Map();
  for (const source of sources.values()) {
    for (const [, specifier] of source.matchAll(importOf)) if (isBundled(specifier)) names.set(specifier, specifier.replace(/^@/, "").replace(/\.js$/, "").replaceAll("/", "-"));
  }
  const folder = path.join(dist, "bundled");
  await mkdir(folder);
  const build = await rolldown({
    input: Object.fromEntries([...names].map(([specifier, name]) => [name, specifier])),
    cwd: root,
    platform: "node",
    external: (specifier) => specifier.startsWith("node:") || builtinModules.includes(specifier) || installed.has(packageOf(specifier)),
  });
  const { output } = await build.write({ dir: folder, format: "esm", chunkFileNames: "chunk-[hash].js" });
  await build.close();
  await writeLicences(output, folder);
  for (const [file, source] of sources) {
    const rewritten = source.replace(importOf, (statement, specifier) => {
      const name = names.get(specifier);
      if (name === undefined) return statement;
      const relative = path.relative(path.dirname(file), path.join(folder, `${name}.js`)).replaceAll(path.sep, "/");
      return statement.replace(specifier, relative.startsWith(".") ? relative : `./${relative}`);
    });
    if (rewritten !== source) await writeFile(file, rewritten);
  }
}

function isBundled(specifier) {
  return !specifier.startsWith("node:") && !specifier.startsWith("#") && !installed.has(packageOf(specifier));
}

function packageOf(specifier) {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
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
  const parts = [];
  for (const packageFolder of [...folders].toSorted()) {
    const { name, version, license } = JSON.parse(await readFile(path.join(packageFolder, "package.json"), "utf8"));
    const file = (await readdir(packageFolder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? "" : await readFile(path.join(packageFolder, file), "utf8");
    parts.push(`${name} ${version} (${license})\n\n${text.trim()}\n`);
  }
  await writeFile(path.join(folder, "LICENSES.txt"), parts.join(`\n${"-".repeat(80)}\n\n`));
}
