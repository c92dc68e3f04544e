import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { Engine } from "../../template/template.js";

const engines: Readonly<Record<string, Engine>> = { ".mjml": "mjml", ".tsx": "react", ".html": "html" };

/**
 * The starter templates whose bodies are of the chosen kinds, with every shared part and image, by their path within a
 * templates root.
 */
export async function starterFiles(chosen: readonly Engine[]): Promise<ReadonlyMap<string, Buffer>> {
  const published = await readPublished();
  const bodies = [...published.keys()].filter((file) => isBody(file) && chosen.includes(engineOf(file) ?? "html"));
  const wanted = new Set(bodies.map((file) => path.posix.dirname(file)));
  return new Map(
    [...published].filter(([file]) => {
      const [folder = ""] = file.split("/");
      if (!folder.startsWith("_")) return wanted.has(folder);
      const engine = engineOf(file);
      return engine === undefined || chosen.includes(engine);
    }),
  );
}

/** The templates of this package's own repository, which the package holds as one compressed file. */
async function readPublished(): Promise<ReadonlyMap<string, Buffer>> {
  const compressed = await readFile(new URL("starters.br", import.meta.url));
  const files: Readonly<Record<string, string>> = JSON.parse(String(await promisify(brotliDecompress)(compressed)));
  return new Map(Object.entries(files).map(([file, content]) => [file, Buffer.from(content, "latin1")]));
}

/** `receipt/receipt.mjml`; what a folder of shared parts has is none. */
function isBody(file: string): boolean {
  const { dir, name } = path.posix.parse(file);
  return name === dir && engineOf(file) !== undefined;
}

function engineOf(file: string): Engine | undefined {
  return engines[path.posix.extname(file)];
}
