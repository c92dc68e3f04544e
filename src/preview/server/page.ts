import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/** The built page from `preview`, which a static copy consists of. */
export interface Page {
  readonly html: string;
  readonly script: string;
  readonly style: string;
  /** The first part of a static copy's worker (`preview/data/variables-worker.ts`). */
  readonly worker: string;
  /** Licences of the bundled packages. */
  readonly licences: string;
}

/** Files that the page's HTML loads. The package contains them compressed. */
export type PageFile = "ahead.js" | "app.js" | "app.css" | "licences.txt";

/** A file that only a static copy has. */
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

/** As stored in the package, compressed with Brotli. */
export function readCompressed(name: PageFile | CopyFile): Promise<Buffer> {
  return readFile(new URL(`../page/${name}.br`, import.meta.url));
}

export async function readText(name: PageFile | CopyFile): Promise<string> {
  return (await promisify(brotliDecompress)(await readCompressed(name))).toString("utf8");
}
