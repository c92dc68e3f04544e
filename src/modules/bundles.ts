import { type Bundle, bundleModule, bundleTogether, type ModuleTransform } from "./bundle.js";

/** Bundles of many modules, all of which will be asked for: the first that is asked for brings the others along. */
export class Bundles {
  readonly #files: readonly string[];
  readonly #options: { readonly transform?: ModuleTransform };
  #together: Promise<ReadonlyMap<string, Bundle>> | undefined;
  /** Of a few that are asked for soon. */
  readonly #started = new Map<string, Promise<Bundle>>();

  constructor(files: readonly string[], options: { readonly transform?: ModuleTransform } = {}) {
    this.#files = files;
    this.#options = options;
  }

  /** Does at once what would be done at the first that is asked for. */
  async start(): Promise<void> {
    const together = this.#bundleTogether();
    for (const file of together ? [] : this.#files) this.#started.set(file, bundleModule(file, this.#options));
    // Whoever asks for one is told what is wrong with it.
    await Promise.allSettled([together, ...this.#started.values()]);
  }

  /** @throws {ModuleError} A syntax error, or an import that leads nowhere. */
  async get(file: string): Promise<Bundle> {
    const together = await this.#bundleTogether();
    return together?.get(file) ?? this.#started.get(file) ?? bundleModule(file, this.#options);
  }

  #bundleTogether(): Promise<ReadonlyMap<string, Bundle>> | undefined {
    if (this.#files.length >= WORTH_WHILE) this.#together ??= bundleTogether(this.#files, this.#options);
    return this.#together;
  }
}

/** Two or three are as quick by themselves. */
const WORTH_WHILE = 4;
