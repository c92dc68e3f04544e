// The preview's page as one compressed file. It takes longer than all the rest, so that what was built from the same
// sources is taken again.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "vite";
import { licencesOf, packagesOf } from "./licences.mjs";

const FONTS = ["inter", "jetbrains-mono"].map((name) => path.join("node_modules", "@fontsource-variable", name));

/**
 * Writes `page.br` into the folder, and gives the folders of the packages in it.
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
  const { page, packages } = JSON.parse(await readFile(kept, "utf8"));
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "page.br"), Buffer.from(page, "base64"));
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
  const packages = [...packagesOf(modules).map((name) => name.slice(name.indexOf("node_modules"))), ...FONTS];
  const page = {
    html: text("index.html"),
    script: text("app.js"),
    style: text("app.css"),
    licences: await licencesOf(packages.map((name) => path.join(root, name))),
  };
  const quality = isPacked ? constants.BROTLI_MAX_QUALITY : 5;
  const compressed = brotliCompressSync(JSON.stringify(page), {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });
  return { page: compressed.toString("base64"), packages };
}

/** Stands for all that the page is made from. */
async function stateOf(root) {
  const folders = ["src/preview/app", "src/mustache", "docs/rules"];
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
