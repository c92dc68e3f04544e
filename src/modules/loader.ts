import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { BundleMaps } from "./bundle-maps.js";
import type { Bundle } from "./module-bundle.js";
import { ReadLog, type Reads } from "./reads.js";
import { watchReads } from "./watch-reads.js";

type Exports = Readonly<Record<string, unknown>>;

interface Imported {
  readonly exports: Exports;
  /** What it read during import: later tasks depend on that as much as the first. */
  readonly reads: Reads;
}

/** Imports bundles, each content once, and records what they read. */
export class Loader {
  readonly maps = new BundleMaps();
  readonly #imported = new Map<string, Promise<Imported>>();
  readonly #folder: string;
  #again = 0;
  #log = new ReadLog();
  /** Reads by packages, which are imported once for all tasks. */
  readonly #packagesLog = new ReadLog();

  /** @param folder Where bundles are written. `require` in a bundle resolves packages from there. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    watchReads(
      () => this.#log,
      (stack) => this.maps.callerIn(stack),
    );
  }

  async load(bundle: Bundle): Promise<Exports> {
    const name = nameOf(bundle);
    const known = this.#imported.get(name) ?? this.#import(bundle, name);
    this.#imported.set(name, known);
    const { exports, reads } = await known;
    this.#log.add(reads);
    return exports;
  }

  /** Imports a bundle again, so that its own modules run again. What they read is not recorded. */
  async loadAgain(bundle: Bundle): Promise<Exports> {
    this.#again += 1;
    const { exports } = await this.#import(bundle, `${nameOf(bundle)}-${this.#again}`);
    return exports;
  }

  /** What was read since the last call, plus everything that packages have read. */
  takeReads(): Reads {
    const { environment } = this.#log.reads;
    this.#packagesLog.add({ environment: environment.filter(({ at }) => !at), files: [], moments: [] });
    this.#log.add(this.#packagesLog.reads);
    const { reads } = this.#log;
    this.#log = new ReadLog();
    return reads;
  }

  /** Each import gets its own folder, so that shared chunks run separately for it, as in a process of its own. */
  async #import(bundle: Bundle, name: string): Promise<Imported> {
    const folder = path.join(this.#folder, name);
    mkdirSync(folder, { recursive: true });
    for (const { name: part, code, map } of [{ ...bundle, name: ENTRY }, ...(bundle.shared ?? [])]) {
      const file = path.join(folder, part);
      this.maps.add(pathToFileURL(file).href, { file: bundle.file, map });
      writeFileSync(file, code);
    }
    const { href } = pathToFileURL(path.join(folder, ENTRY));
    const log = this.#log;
    this.#log = new ReadLog();
    try {
      return { exports: await import(href), reads: this.#log.reads };
    } finally {
      this.#log = log;
    }
  }
}

const ENTRY = "bundle.mjs";

function nameOf({ file, code, shared = [] }: Bundle): string {
  const hash = createHash("sha256");
  for (const text of [file, code, ...shared.map((part) => part.code)]) hash.update(text).update("\0");
  return hash.digest("hex").slice(0, 32);
}
