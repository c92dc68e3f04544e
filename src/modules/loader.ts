import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { BundleMaps } from "./bundle-maps.js";
import type { Bundle } from "./module-bundle.js";

type Exports = Readonly<Record<string, unknown>>;

/** Imports bundles, each content once. */
export class Loader {
  readonly maps = new BundleMaps();
  readonly #imported = new Map<string, Promise<Exports>>();
  readonly #folder: string;

  /** @param folder Where bundles are written. Its packages are what `require` finds in them. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  load(bundle: Bundle): Promise<Exports> {
    const hash = createHash("sha256").update(bundle.file).update("\0").update(bundle.code).digest("hex");
    const known = this.#imported.get(hash);
    if (known !== undefined) return known;
    const exports = this.#import(bundle, path.join(this.#folder, `${hash.slice(0, 32)}.mjs`));
    this.#imported.set(hash, exports);
    return exports;
  }

  async #import(bundle: Bundle, file: string): Promise<Exports> {
    const { href } = pathToFileURL(file);
    this.maps.add(href, bundle);
    await mkdir(this.#folder, { recursive: true });
    await writeFile(file, bundle.code);
    return import(href);
  }
}
