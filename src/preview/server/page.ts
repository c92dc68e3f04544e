import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/** The page, built from `src/preview/app`: what a static copy consists of. */
export interface Page {
  readonly html: string;
  readonly script: string;
  readonly style: string;
  /** What the worker of a static copy begins with (`app/data/variables-worker.ts`). */
  readonly worker: string;
  /** Of the packages within. */
  readonly licences: string;
}

/** What the page's html names, or has named while it is served; the package holds them compressed. */
export type PageFile = "ahead.js" | "app.js" | "app.css" | "licences.txt";

/** What only a copy has. */
type CopyFile = "variables-worker.js";

export async function readPage(): Promise<Page> {
  const [html, script, style, worker, licences] = await Promise.all([
    readHtml(),
    readText("app.js"),
    readText("app.css"),
    readText("variables-worker.js"),
    readText("licences.txt"),
  ]);
  return { html, script, style, worker, licences };
}

export function readHtml(): Promise<string> {
  return readFile(new URL("../page/index.html", import.meta.url), "utf8");
}

/** As the package holds it: by Brotli. */
export function readCompressed(name: PageFile | CopyFile): Promise<Buffer> {
  return readFile(new URL(`../page/${name}.br`, import.meta.url));
}

export async function readText(name: PageFile | CopyFile): Promise<string> {
  return (await promisify(brotliDecompress)(await readCompressed(name))).toString("utf8");
}
