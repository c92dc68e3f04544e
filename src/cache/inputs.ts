import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** What a result was made from: while all of it is as it was, the result is. */
export interface Inputs {
  /** Absolute paths of files whose content counts. One that is not there counts as such. */
  readonly files: readonly string[];
  /** Absolute paths of which only counts whether something is there. */
  readonly places?: readonly string[];
  /** Absolute paths without extension: which files have such a name decides what an import of it means. */
  readonly stems?: readonly string[];
  /** Absolute paths of folders: which files are in them counts, at any depth. */
  readonly trees?: readonly string[];
  /** Names of environment variables; `*` for the names themselves. */
  readonly environment?: readonly string[];
}

/** Tells inputs' states apart. Each is looked at once, so that one of these serves one run of a command. */
export class InputStates {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #since = Date.now();
  readonly #files = new Map<string, string>();
  readonly #names = new Map<string, readonly string[]>();
  readonly #trees = new Map<string, string>();

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  /** Differs where anything of the inputs does. */
  stampOf({ files, places = [], stems = [], trees = [], environment = [] }: Inputs): string {
    return digest([
      files.map((file) => this.#contentOf(file)),
      places.map((place) => existsSync(place)),
      stems.map((stem) => this.#namesLike(stem)),
      trees.map((folder) => this.#namesBelow(folder)),
      environment.map((name) =>
        digest(name === "*" ? Object.keys(this.#environment).sort() : [this.#environment[name] ?? null]),
      ),
    ]);
  }

  /**
   * Whether files may have changed since this run began, so that what was made from them and what they hold now are not
   * sure to belong together.
   */
  areUnsettled({ files }: Inputs): boolean {
    return files.some((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats !== undefined && Math.max(stats.mtimeMs, stats.ctimeMs) > this.#since - clockTickMs;
    });
  }

  #contentOf(file: string): string {
    const known = this.#files.get(file) ?? readDigest(file);
    this.#files.set(file, known);
    return known;
  }

  #namesBelow(folder: string): string {
    const known = this.#trees.get(folder) ?? digest(readNames(folder, true));
    this.#trees.set(folder, known);
    return known;
  }

  #namesLike(stem: string): readonly string[] {
    const folder = path.dirname(stem);
    const names = this.#names.get(folder) ?? readNames(folder);
    this.#names.set(folder, names);
    const base = path.basename(stem);
    return names.filter((name) => name === base || name.startsWith(`${base}.`));
  }
}

/** File systems round times to their own clock's ticks. */
const clockTickMs = 20;

/** A short text for data, the same for the same data. */
export function digest(data: unknown): string {
  return createHash("sha256").update(JSON.stringify(data)).digest("base64url");
}

function readDigest(file: string): string {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("base64url");
  } catch {
    return "none";
  }
}

function readNames(folder: string, recursive = false): readonly string[] {
  try {
    return readdirSync(folder, { recursive, encoding: "utf8" }).sort();
  } catch {
    return [];
  }
}
