import { attempt } from "../files.js";
import { memoizeByString } from "./memoize.js";
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
  readonly #stateOf = memoizeByString(Infinity, examine);
  /** Read after its state: a change in between is noticed by the next run. */
  readonly #contentOf = memoizeByString(Infinity, (file) =>
    this.#stateOf(file).text === "none" ? "none" : readDigest(file),
  );
  readonly #namesIn = memoizeByString(Infinity, readNames);
  readonly #namesBelow = memoizeByString(Infinity, (folder) => digest(namesBelow(folder)));

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  /** Changes if any input changes. */
  stampOf(inputs: Inputs): string {
    return this.#digestOf(inputs, this.#contentOf);
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

  #namesLike(stem: string): readonly string[] {
    const base = path.basename(stem);
    return this.#namesIn(path.dirname(stem)).filter((name) => name === base || name.startsWith(`${base}.`));
  }
}

/** Whether a file's state is settled counts at the time it is examined. */
function examine(file: string): { readonly text: string; readonly isSettled: boolean } {
  const state = stateOf(file);
  return { text: state?.text ?? "none", isSettled: state === undefined || state.settledAt < Date.now() };
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
  return attempt(() => digestOfContent(readFileSync(file))) ?? "none";
}

function readNames(folder: string): readonly string[] {
  return attempt(() => readdirSync(folder).sort()) ?? [];
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
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Undefined for a link to a file, to nothing or to itself. */
function folderAt(link: string): string | undefined {
  return attempt(() => (statSync(link).isDirectory() ? realpathSync(link) : undefined));
}

/**
 * Identifies a file's content without reading it. Writing content changes the change time, which can't be set by programs,
 * even if size and modification time stay the same.
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
