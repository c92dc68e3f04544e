// Builds the preview's page: its HTML and, compressed, the files that it loads. This takes longer than the rest of the build, so
// the result is cached by a hash of its sources.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { rolldown } from "rolldown";
import { build } from "vite";
import { licencesOf, packagesOf } from "./licences.mjs";

/** Packages in the page besides those in its script: the fonts, and zod, with which the worker of an export validates variables. */
const OTHER_PACKAGES = ["@fontsource-variable/inter", "@fontsource-variable/jetbrains-mono", "zod"].map((name) =>
  path.join("node_modules", name),
);

/**
 * Writes the page to the folder and returns the folders of the packages in it.
 * @param {{ root: string, folder: string, isPacked: boolean }} options
 */
export async function buildPage({ root, folder, isPacked }) {
  const cacheFile = path.join(
    root,
    "node_modules",
    ".cache",
    "lettershop",
    `page-${await hashSources(root)}${isPacked ? "-packed" : ""}.json`,
  );
  if (!existsSync(cacheFile)) {
    const page = await bundlePage(root, isPacked);
    await mkdir(path.dirname(cacheFile), { recursive: true });
    await writeFile(cacheFile, JSON.stringify(page));
  }
  const { files, packages } = JSON.parse(await readFile(cacheFile, "utf8"));
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files))
    await writeFile(path.join(folder, name), Buffer.from(content, "base64"));
  return packages.map((name) => path.join(root, name));
}

async function bundlePage(root, isPacked) {
  const result = await build({
    configFile: path.join(root, "vite.config.ts"),
    logLevel: "warn",
    build: { write: false },
  });
  const { output } = Array.isArray(result) ? result[0] : result;
  const text = (name) => {
    const file = output.find(({ fileName }) => fileName === name);
    if (file === undefined) throw new Error(`The build of the page has no ${name}.`);
    return file.type === "chunk" ? file.code : Buffer.from(file.source).toString("utf8");
  };
  if (output.length !== 3)
    throw new Error(`The page must be three files, not ${output.map((file) => file.fileName).join(", ")}.`);

  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  const packages = [...packagesOf(modules).map((name) => name.slice(name.indexOf("node_modules"))), ...OTHER_PACKAGES];
  const compressed = {
    "ahead.js": await bundleScript(root, "ahead.ts"),
    "variables-worker.js": await bundleScript(root, "variables-worker.ts"),
    "app.js": text("app.js"),
    "app.css": text("app.css"),
    "licences.txt": await licencesOf(packages.map((name) => path.join(root, name))),
  };
  const params = { [constants.BROTLI_PARAM_QUALITY]: isPacked ? constants.BROTLI_MAX_QUALITY : 5 };
  const files = [
    ["index.html", Buffer.from(text("index.html"))],
    ...Object.entries(compressed).map(([name, content]) => [`${name}.br`, brotliCompressSync(content, { params })]),
  ];
  return { files: Object.fromEntries(files.map(([name, content]) => [name, content.toString("base64")])), packages };
}

/** Bundles a script other than the page's own: the one that runs before it is loaded, or the worker of an export. */
async function bundleScript(root, name) {
  const bundle = await rolldown({ input: path.join(root, "preview/data", name), platform: "browser" });
  const { output } = await bundle.generate({ format: "iife", minify: true });
  await bundle.close();
  return output[0].code;
}

/** A hash of all sources of the page. */
async function hashSources(root) {
  const folders = ["preview", "src/mustache", "src/project", "src/text", "src/cache", "docs/rules"];
  const folderFiles = folders.map(async (folder) =>
    (await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  const shared = ["src", "src/preview"].map(async (folder) =>
    (await readdir(path.join(root, folder)))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => path.join(root, folder, name)),
  );
  const files = [
    ...(await Promise.all([...folderFiles, ...shared])).flat(),
    ...["vite.config.ts", "package-lock.json", "scripts/build-page.mjs"].map((name) => path.join(root, name)),
  ].toSorted();
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${path.relative(root, file)}\0`).update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}
