import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { digest, InputStates, type Inputs } from "./inputs.js";
import { replaceFile } from "./replace-file.js";
import { tidy } from "./tidy.js";

export interface CacheOptions {
  /** Absolute; made when needed. Everything in it may be deleted at any time. */
  readonly folder: string;
  /** The variables that `Inputs.environment` names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of what makes the results: those of another version are not read. */
  readonly version: string;
}

/** What is asked for: two results of one name replace each other, two keys of one name are never taken for each other. */
export interface CacheKey {
  readonly name: string;
  /** All that decides about the result and is known before it is made: JSON. */
  readonly key: unknown;
}

/** A result that is still one. */
export interface KeptResult {
  readonly value: unknown;
  readonly inputs: Inputs;
  /**
   * Tells it from any other: by its key, its inputs and what it is. What was found by looking at a result and at its inputs
   * has this in its key, and no inputs of its own.
   */
  readonly identity: string;
  /** The part of it that lies apart. Throws where the cache was emptied since. */
  readonly apart: () => unknown;
}

/** Results on disk, each with what it was made from, for one run of a command. */
export interface Cache {
  /** What was written under this name and key, if its inputs are what they were. */
  read(key: CacheKey): KeptResult | undefined;
  /**
   * Keeps a result for later runs; where its inputs may have changed meanwhile, it is not kept.
   *
   * @param apart What most who read the result do not ask for: it lies in a file of its own.
   * @returns The result's identity, where it is kept.
   */
  write(key: CacheKey, inputs: Inputs, value: unknown, apart?: unknown): string | undefined;
}

/**
 * Opens a cache of results on disk. Processes may share it: each file is written whole, under a name of its own, and
 * then moved to its place. A cache that cannot be read or written is an empty one.
 *
 * A result is one as long as the contents of its files are the same. That they are is known by their states; only where a
 * state is another one are they read.
 *
 * @example
 * const cache = openCache({ folder: path.join(project.dataFolder, "cache"), environment, version: "1.2.0" });
 * const key = { name: template.body.file, key: template };
 * const known = cache.read(key)?.value;
 * if (known === undefined) cache.write(key, { files: result.sources }, result);
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
    // The same contents, written again: the next run need not read them.
    if (state !== undefined) replaceFile(file, JSON.stringify({ ...entry, state }));
    return true;
  }

  return {
    read(key) {
      const file = fileOf(key);
      const entry = readEntry(file);
      if (entry?.key !== keyOf(key) || !isSame(entry, file) || !isThere(entry, folder)) return undefined;
      const { value, inputs, apart } = entry;
      return {
        value,
        inputs,
        get identity() {
          return identityOf(entry);
        },
        apart: () => apart && JSON.parse(readFileSync(path.join(folder, apart.file), "utf8")),
      };
    },
    write(key, inputs, value, apart) {
      if (states.areUnsettled(inputs)) return undefined;
      const stamp = states.stampOf(inputs);
      const state = states.stateOf(inputs);
      const entry: Entry = {
        key: keyOf(key),
        inputs,
        stamp,
        ...(state !== undefined && { state }),
        value,
        ...(apart !== undefined && { apart: writeApart(folder, apart) }),
      };
      replaceFile(fileOf(key), JSON.stringify(entry));
      if (!isTidy) tidy(folder);
      isTidy = true;
      return identityOf(entry);
    },
  };
}

interface Entry {
  readonly key: string;
  readonly inputs: Inputs;
  /** Of the inputs as they were, and of their files' states, where those were sure to be of these contents. */
  readonly stamp: string;
  readonly state?: string;
  readonly value: unknown;
  readonly apart?: Apart;
}

/** A file whose name says what is in it: never replaced, so that who has read the entry finds what belongs to it. */
interface Apart {
  readonly file: string;
  readonly size: number;
}

function identityOf({ key, stamp, value, apart }: Entry): string {
  return digest([key, stamp, value, apart?.file]);
}

function writeApart(folder: string, value: unknown): Apart {
  const text = JSON.stringify(value);
  const apart = { file: `${digest(text)}.apart`, size: Buffer.byteLength(text) };
  replaceFile(path.join(folder, apart.file), text);
  return apart;
}

function isThere({ apart }: Entry, folder: string): boolean {
  return !apart || statSync(path.join(folder, apart.file), { throwIfNoEntry: false })?.size === apart.size;
}

function readEntry(file: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isEntry(entry) ? entry : undefined;
  } catch {
    return undefined; // never written, or by a version that wrote something else
  }
}

function isEntry(entry: unknown): entry is Entry {
  return typeof entry === "object" && entry !== null && "key" in entry && "stamp" in entry && "inputs" in entry;
}
