import { type Bundle, bundleModule, bundleTogether, type ModuleTransform } from "./bundle.js";

/** Bundles of many modules: the first request bundles all of them together. */
export class Bundles {
  readonly #files: readonly string[];
  readonly #options: { readonly transform?: ModuleTransform };
  #together: Promise<ReadonlyMap<string, Bundle>> | undefined;
  /** Bundles already being made, if there are too few to bundle together. */
  readonly #started = new Map<string, Promise<Bundle>>();

  constructor(files: readonly string[], options: { readonly transform?: ModuleTransform } = {}) {
    this.#files = files;
    this.#options = options;
  }

  /** Starts bundling now instead of at the first request. */
  async start(): Promise<void> {
    const together = this.#bundleTogether();
    for (const file of together ? [] : this.#files) this.#started.set(file, bundleModule(file, this.#options));
    // `get` reports the errors.
    await Promise.allSettled([together, ...this.#started.values()]);
  }

  /** @throws {ModuleError} A syntax error, or an import that can't be resolved. */
  async get(file: string): Promise<Bundle> {
    const together = await this.#bundleTogether();
    return together?.get(file) ?? this.#started.get(file) ?? bundleModule(file, this.#options);
  }

  #bundleTogether(): Promise<ReadonlyMap<string, Bundle>> | undefined {
    if (this.#files.length >= WORTH_WHILE) this.#together ??= bundleTogether(this.#files, this.#options);
    return this.#together;
  }
}

/** Bundling two or three separately is as fast. */
const WORTH_WHILE = 4;
