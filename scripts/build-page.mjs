// The preview's page: its html, and beside it what that names, compressed. It takes longer than all the rest, so that what was built from the same
// sources is taken again.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { rolldown } from "rolldown";
import { build } from "vite";
import { licencesOf, packagesOf } from "./licences.mjs";

/** What is within besides the modules of the page's script: fonts, and what the worker of a copy checks variables with. */
const OTHERS = ["@fontsource-variable/inter", "@fontsource-variable/jetbrains-mono", "zod"].map((name) =>
  path.join("node_modules", name),
);

/**
 * Writes the page into the folder, and gives the folders of the packages in it.
 * @param {{ root: string, folder: string, isPacked: boolean }} options
 */
export async function buildPage({ root, folder, isPacked }) {
  const kept = path.join(
    root,
    "node_modules",
    ".cache",
    "lettershop",
    `page-${await stateOf(root)}${isPacked ? "-packed" : ""}.json`,
  );
  if (!existsSync(kept)) {
    const made = await makePage(root, isPacked);
    await mkdir(path.dirname(kept), { recursive: true });
    await writeFile(kept, JSON.stringify(made));
  }
  const { files, packages } = JSON.parse(await readFile(kept, "utf8"));
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files))
    await writeFile(path.join(folder, name), Buffer.from(content, "base64"));
  return packages.map((name) => path.join(root, name));
}

async function makePage(root, isPacked) {
  const result = await build({
    configFile: path.join(root, "vite.config.ts"),
    logLevel: "warn",
    build: { write: false },
  });
  const { output } = Array.isArray(result) ? result[0] : result;
  const text = (name) => {
    const file = output.find(({ fileName }) => fileName === name);
    if (file === undefined) throw new Error(`The page's build made no ${name}.`);
    return file.type === "chunk" ? file.code : Buffer.from(file.source).toString("utf8");
  };
  if (output.length !== 3) throw new Error(`The page is more than three files: ${output.map((file) => file.fileName)}`);

  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  const packages = [...packagesOf(modules).map((name) => name.slice(name.indexOf("node_modules"))), ...OTHERS];
  const compressed = {
    "ahead.js": await makeScript(root, "ahead.ts"),
    "variables-worker.js": await makeScript(root, "variables-worker.ts"),
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

/** A script besides the page's own: what runs before that has come, and what a copy's worker begins with. */
async function makeScript(root, name) {
  const bundle = await rolldown({ input: path.join(root, "src/preview/app/data", name), platform: "browser" });
  const { output } = await bundle.generate({ format: "iife", minify: true });
  await bundle.close();
  return output[0].code;
}

/** Stands for all that the page is made from. */
async function stateOf(root) {
  const folders = ["src/preview/app", "src/mustache", "src/template", "docs/rules"];
  const within = folders.map(async (folder) =>
    (await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  const beside = (await readdir(path.join(root, "src"))).filter((name) => name.endsWith(".ts"));
  const files = [
    ...(await Promise.all(within)).flat(),
    ...beside.map((name) => path.join(root, "src", name)),
    ...["vite.config.ts", "package-lock.json", "scripts/build-page.mjs"].map((name) => path.join(root, name)),
  ].toSorted();
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${path.relative(root, file)}\0`).update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}
