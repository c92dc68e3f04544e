import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { stateOf } from "./file-state.js";
import { namesBelow } from "./names-below.js";

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
  readonly #states = new Map<string, LookedAt>();
  readonly #contents = new Map<string, string>();
  readonly #names = new Map<string, readonly string[]>();
  readonly #trees = new Map<string, string>();

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  /** Differs where anything of the inputs does. */
  stampOf(inputs: Inputs): string {
    return this.#digestOf(inputs, (file) => this.#contentOf(file));
  }

  /**
   * Differs where anything of the inputs does, too, and where a file was written again as it was: nothing is read for it.
   * Undefined where a file was written so lately that its state may yet be that of another content.
   */
  stateOf(inputs: Inputs): string | undefined {
    if (inputs.files.some((file) => !this.#stateOf(file).isSettled)) return undefined;
    return this.#digestOf(inputs, (file) => this.#stateOf(file).text);
  }

  /**
   * Whether files may have changed since this run began, so that what was made from them and what they hold now are not
   * sure to belong together.
   */
  areUnsettled({ files }: Inputs): boolean {
    return files.some((file) => (stateOf(file)?.settledAt ?? 0) > this.#since);
  }

  #digestOf(inputs: Inputs, ofFile: (file: string) => string): string {
    const { files, places = [], stems = [], trees = [], environment = [] } = inputs;
    return digest([
      files.map(ofFile),
      places.map((place) => existsSync(place)),
      stems.map((stem) => this.#namesLike(stem)),
      trees.map((folder) => this.#namesBelow(folder)),
      environment.map((name) =>
        digest(name === "*" ? Object.keys(this.#environment).sort() : [this.#environment[name] ?? null]),
      ),
    ]);
  }

  #stateOf(file: string): LookedAt {
    let known = this.#states.get(file);
    if (!known) {
      const state = stateOf(file);
      known = { text: state?.text ?? "none", isSettled: state === undefined || state.settledAt < Date.now() };
      this.#states.set(file, known);
    }
    return known;
  }

  /** Read after its state was: a change in between is seen as one by the next run. */
  #contentOf(file: string): string {
    let known = this.#contents.get(file);
    if (known === undefined) {
      known = this.#stateOf(file).text === "none" ? "none" : readDigest(file);
      this.#contents.set(file, known);
    }
    return known;
  }

  #namesBelow(folder: string): string {
    const known = this.#trees.get(folder) ?? digest(namesBelow(folder));
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

interface LookedAt {
  readonly text: string;
  /** As it was looked at. */
  readonly isSettled: boolean;
}

/** A short text for data, the same for the same data. */
export function digest(data: unknown): string {
  return createHash("sha256").update(JSON.stringify(data)).digest("base64url");
}

export function digestOfContent(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("base64url");
}

/** That of a file's content; `none` where it cannot be read. */
export function readDigest(file: string): string {
  try {
    return digestOfContent(readFileSync(file));
  } catch {
    return "none";
  }
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
