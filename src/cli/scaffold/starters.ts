import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Engine } from "../../template/template.js";

/** The templates of this package's own repository, published beside the built files. */
const published = fileURLToPath(new URL("../../../templates/", import.meta.url));

const engines: Readonly<Record<string, Engine>> = { ".mjml": "mjml", ".tsx": "react", ".html": "html" };

/**
 * The starter templates whose bodies are of the chosen kinds, with every shared part and image, by their path within a
 * templates root.
 */
export async function starterFiles(chosen: readonly Engine[]): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of (await readdir(published, { withFileTypes: true })).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (!entry.isDirectory()) continue;
    const names = (await readdir(path.join(published, entry.name), { recursive: true, withFileTypes: true }))
      .filter((file) => file.isFile())
      .map((file) => path.relative(published, path.join(file.parentPath, file.name)))
      .toSorted();
    if (!entry.name.startsWith("_") && !names.some((name) => isBodyOf(name, entry.name, chosen))) continue;
    for (const name of names) {
      const engine = engines[path.extname(name)];
      if (entry.name.startsWith("_") && engine !== undefined && !chosen.includes(engine)) continue;
      files.set(name.replaceAll(path.sep, "/"), await readFile(path.join(published, name)));
    }
  }
  return files;
}

function isBodyOf(file: string, template: string, chosen: readonly Engine[]): boolean {
  const { name, ext } = path.parse(file);
  const engine = engines[ext];
  return name === template && engine !== undefined && chosen.includes(engine);
}
