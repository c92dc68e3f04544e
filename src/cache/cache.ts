import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { digest, type Inputs, InputStates } from "./inputs.js";
import { attempt, replaceFile } from "../files.js";

export interface CacheOptions {
  /** Absolute; created if missing. Everything in it may be deleted at any time. */
  readonly folder: string;
  /** The values of the variables in `Inputs.environment`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The version of the code that makes the results: results of other versions are ignored. */
  readonly version: string;
}

/** Identifies a result. Results with the same name replace each other; results with different keys are never confused. */
export interface CacheKey {
  readonly name: string;
  /** Everything that determines the result and is known in advance: JSON. */
  readonly key: unknown;
}

/** A result that is still valid. */
export interface CachedResult {
  readonly value: unknown;
  readonly inputs: Inputs;
  /**
   * A hash of the key, the inputs and the result. Results computed from this result and its inputs use it as their key, and
   * need no inputs of their own.
   */
  readonly identity: string;
  /** Reads the part that is stored separately. Throws if the cache was emptied since. */
  readonly separate: () => unknown;
}

/** Results on disk, each with what it was made from, for one run of a command. */
export interface Cache {
  /** The result for this name and key, if its inputs are unchanged. */
  read(key: CacheKey): CachedResult | undefined;
  /**
   * Stores a result for later runs, unless its inputs may have changed meanwhile.
   *
   * @param separate A part that most readers don't need: it is stored in a separate file.
   * @returns The result's identity, if it was stored.
   */
  write(key: CacheKey, inputs: Inputs, value: unknown, separate?: unknown): string | undefined;
}

/**
 * Opens a cache of results on disk. Processes may share it: each file is written completely under a temporary name, and
 * then renamed. A cache that can't be read or written counts as empty.
 *
 * A result is valid as long as the contents of its files are unchanged. Usually their states show this; files are only
 * read if a state differs.
 */
export function openCache({ folder, environment, version }: CacheOptions): Cache {
  const states = new InputStates(environment);
  let isTidy = false;
  const fileOf = ({ name }: CacheKey): string => path.join(folder, `${digest(name)}.json`);
  const keyOf = ({ key }: CacheKey): string => digest([version, key]);

  function isSame(entry: Entry, file: string): boolean {
    const state = states.stateOf(entry.inputs);
    if (state !== undefined && entry.state === state) return true;
    if (entry.stamp !== states.stampOf(entry.inputs)) return false;
    // The same contents, written again: store the new state, so that the next run needn't read them.
    if (state !== undefined) writeIfPossible(file, JSON.stringify({ ...entry, state }));
    return true;
  }

  return {
    read(key) {
      const file = fileOf(key);
      const entry = readEntry(file);
      if (entry?.key !== keyOf(key) || !isSame(entry, file) || !isThere(entry, folder)) return undefined;
      const { value, inputs, separate } = entry;
      return {
        value,
        inputs,
        get identity() {
          return identityOf(entry);
        },
        separate: () => separate && JSON.parse(readFileSync(path.join(folder, separate.file), "utf8")),
      };
    },
    write(key, inputs, value, separate) {
      if (states.areUnsettled(inputs)) return undefined;
      const stamp = states.stampOf(inputs);
      const state = states.stateOf(inputs);
      const entry: Entry = {
        key: keyOf(key),
        inputs,
        stamp,
        ...(state !== undefined && { state }),
        value,
        ...(separate !== undefined && { separate: writeSeparately(folder, separate) }),
      };
      writeIfPossible(fileOf(key), JSON.stringify(entry));
      if (!isTidy) tidy(folder);
      isTidy = true;
      return identityOf(entry);
    },
  };
}

interface Entry {
  readonly key: string;
  readonly inputs: Inputs;
  /** Hashes of the inputs, and of their files' states, if these are sure to belong to these contents. */
  readonly stamp: string;
  readonly state?: string;
  readonly value: unknown;
  readonly separate?: SeparateFile;
}

/** A file named after its content's hash: never replaced, so that it always matches the entry that refers to it. */
interface SeparateFile {
  readonly file: string;
  readonly size: number;
}

function identityOf({ key, stamp, value, separate }: Entry): string {
  return digest([key, stamp, value, separate?.file]);
}

function writeSeparately(folder: string, value: unknown): SeparateFile {
  const text = JSON.stringify(value);
  const separate = { file: `${digest(text)}.separate`, size: Buffer.byteLength(text) };
  writeIfPossible(path.join(folder, separate.file), text);
  return separate;
}

function isThere({ separate }: Entry, folder: string): boolean {
  return !separate || statSync(path.join(folder, separate.file), { throwIfNoEntry: false })?.size === separate.size;
}

function readEntry(file: string): Entry | undefined {
  // It may never have been written, or by another version.
  const entry: unknown = attempt(() => JSON.parse(readFileSync(file, "utf8")));
  return isEntry(entry) ? entry : undefined;
}

function isEntry(entry: unknown): entry is Entry {
  return typeof entry === "object" && entry !== null && "key" in entry && "stamp" in entry && "inputs" in entry;
}

const DAY = 24 * 60 * 60 * 1000;
const MONTH = 30 * DAY;

/**
 * Removes, once a day, files written more than a month ago, and files that no result refers to. Files that another process
 * removes at the same time are ignored.
 */
function tidy(folder: string): void {
  const note = path.join(folder, "tidied");
  attempt(() => {
    const before = statSync(note, { throwIfNoEntry: false })?.mtimeMs;
    if (before !== undefined && Math.abs(Date.now() - before) < DAY) return;
    const names = readdirSync(folder).filter((name) => name !== "tidied");
    const entries = names
      .filter((name) => name.endsWith(".json"))
      .map((name) => attempt(() => readFileSync(path.join(folder, name), "utf8")) ?? "");
    const referred = new Set(entries.flatMap((head) => /"separate":\{"file":"([^"]+)"/.exec(head)?.[1] ?? []));
    for (const name of names) {
      const file = path.join(folder, name);
      const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      // A result that refers to it may be about to be written.
      const isOrphan = name.endsWith(".separate") && !referred.has(name) && age > DAY;
      if (age > MONTH || isOrphan) attempt(() => rmSync(file, { force: true }));
    }
    writeFileSync(note, "");
  });
}

/** Errors, such as a full disk or missing permissions, are ignored: the next run does the work again. */
function writeIfPossible(file: string, text: string): void {
  attempt(() => {
    mkdirSync(path.dirname(file), { recursive: true });
    replaceFile(file, text);
  });
}
