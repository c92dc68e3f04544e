import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/** The page, built from `src/preview/app`: what is served, and what a static copy consists of. */
export interface Page {
  readonly html: string;
  readonly script: string;
  readonly style: string;
  /** Of the packages within. */
  readonly licences: string;
}

/** Reads the page, which the package holds as one compressed file. */
export async function readPage(): Promise<Page> {
  const compressed = await readFile(new URL("../page.br", import.meta.url));
  const page: Page = JSON.parse((await promisify(brotliDecompress)(compressed)).toString("utf8"));
  return page;
}
