import { type Bundle, bundleModule, bundleTogether, type ModuleTransform } from "./bundle.js";

/** Bundles of many modules, all of which will be asked for: the first that is asked for brings the others along. */
export class Bundles {
  readonly #files: readonly string[];
  readonly #options: { readonly transform?: ModuleTransform };
  #together: Promise<ReadonlyMap<string, Bundle>> | undefined;

  constructor(files: readonly string[], options: { readonly transform?: ModuleTransform } = {}) {
    this.#files = files;
    this.#options = options;
  }

  /** @throws {ModuleError} A syntax error, or an import that leads nowhere. */
  async get(file: string): Promise<Bundle> {
    if (this.#files.length < WORTH_WHILE) return bundleModule(file, this.#options);
    this.#together ??= bundleTogether(this.#files, this.#options);
    return (await this.#together).get(file) ?? bundleModule(file, this.#options);
  }
}

/** Two or three are as quick by themselves. */
const WORTH_WHILE = 4;
