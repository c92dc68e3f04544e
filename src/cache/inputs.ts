import { attempt } from "../files.js";
import { createHash } from "node:crypto";
import { type BigIntStats, type Dirent, existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

/** What a result was made from: while all of it is unchanged, the result is valid. */
export interface Inputs {
  /** Absolute paths of files whose content counts. A missing file counts as missing. */
  readonly files: readonly string[];
  /** Absolute paths of which only the existence counts. */
  readonly places?: readonly string[];
  /** Absolute paths without extension: the files with such names decide what an import resolves to. */
  readonly stems?: readonly string[];
  /** Absolute paths of folders: the names of all files in them count, at any depth. */
  readonly trees?: readonly string[];
  /** Names of environment variables; `*` for the list of names itself. */
  readonly environment?: readonly string[];
}

/** Computes the states of inputs. Each input is examined once, so use one instance for one run of a command. */
export class InputStates {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #since = Date.now();
  readonly #states = new Map<string, ExaminedState>();
  readonly #contents = new Map<string, string>();
  readonly #names = new Map<string, readonly string[]>();
  readonly #trees = new Map<string, string>();

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  /** Changes if any input changes. */
  stampOf(inputs: Inputs): string {
    return this.#digestOf(inputs, (file) => this.#contentOf(file));
  }

  /**
   * Changes if any input changes or a file is written again with the same content; reads no files.
   * Undefined if a file was written so recently that its state could also belong to another content.
   */
  stateOf(inputs: Inputs): string | undefined {
    if (inputs.files.some((file) => !this.#stateOf(file).isSettled)) return undefined;
    return this.#digestOf(inputs, (file) => this.#stateOf(file).text);
  }

  /**
   * Whether files may have changed since this run began, so that the result may not match their current content.
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

  #stateOf(file: string): ExaminedState {
    let cached = this.#states.get(file);
    if (!cached) {
      const state = stateOf(file);
      cached = { text: state?.text ?? "none", isSettled: state === undefined || state.settledAt < Date.now() };
      this.#states.set(file, cached);
    }
    return cached;
  }

  /** Read after its state: a change in between is noticed by the next run. */
  #contentOf(file: string): string {
    let cached = this.#contents.get(file);
    if (cached === undefined) {
      cached = this.#stateOf(file).text === "none" ? "none" : readDigest(file);
      this.#contents.set(file, cached);
    }
    return cached;
  }

  #namesBelow(folder: string): string {
    const cached = this.#trees.get(folder) ?? digest(namesBelow(folder));
    this.#trees.set(folder, cached);
    return cached;
  }

  #namesLike(stem: string): readonly string[] {
    const folder = path.dirname(stem);
    const names = this.#names.get(folder) ?? readNames(folder);
    this.#names.set(folder, names);
    const base = path.basename(stem);
    return names.filter((name) => name === base || name.startsWith(`${base}.`));
  }
}

interface ExaminedState {
  readonly text: string;
  /** At the time it was examined. */
  readonly isSettled: boolean;
}

/** A short hash of data. */
export function digest(data: unknown): string {
  return createHash("sha256").update(JSON.stringify(data)).digest("base64url");
}

export function digestOfContent(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("base64url");
}

/** The hash of a file's content; `none` if it can't be read. */
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

/** The paths of everything in a folder, at any depth, links followed. */
export function namesBelow(folder: string, seen = new Set<string>()): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const file = `${folder}${path.sep}${entry.name}`;
    if (entry.isDirectory()) return [file, ...namesBelow(file, seen)];
    const target = entry.isSymbolicLink() ? folderAt(file) : undefined;
    // A folder that several links lead to is listed once; this also ends cycles.
    if (target === undefined || seen.has(target)) return [file];
    seen.add(target);
    return [file, ...namesBelow(file, seen)];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Undefined for a link to a file, to nothing or to itself. */
function folderAt(link: string): string | undefined {
  try {
    return statSync(link).isDirectory() ? realpathSync(link) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Identifies a file's content without reading it. Writing content changes the change time, which can't be set by programs,
 * even if size and modification time stay the same.
 *
 * @returns Undefined if there is no file.
 */
export function stateOf(file: string): FileState | undefined {
  // A file that can't be accessed counts as missing.
  const stats = attempt(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
  if (!stats) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return { text: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`, settledAt: settledAt(stats) };
}

export interface FileState {
  readonly text: string;
  /** The time (`Date.now()`) from which on another change would give another state; a change before that may go unnoticed. */
  readonly settledAt: number;
}

/** Times are rounded to clock ticks; some file systems only store whole seconds, or even ones. */
function settledAt({ mtimeNs, ctimeNs }: BigIntStats): number {
  const last = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  const isWhole = mtimeNs % SECOND === 0n && ctimeNs % SECOND === 0n;
  return Number(last / 1_000_000n) + (isWhole ? 2000 : 20);
}

const SECOND = 1_000_000_000n;
