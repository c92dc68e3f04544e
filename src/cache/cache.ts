import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { digest, InputStates, type Inputs } from "./inputs.js";

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

/** Results on disk, each with what it was made from, for one run of a command. */
export interface Cache {
  /** What was written under this name and key, if its inputs are what they were. */
  read(key: CacheKey): unknown;
  /**
   * Keeps a result for later runs; where its inputs may have changed meanwhile, it is not kept. The first one removes
   * what was written more than a month ago.
   */
  write(key: CacheKey, inputs: Inputs, value: unknown): void;
}

/**
 * Opens a cache of results on disk. Processes may share it: each file is written whole, under a name of its own, and
 * then moved to its place. A cache that cannot be read or written is an empty one.
 *
 * @example
 * const cache = openCache({ folder: path.join(project.dataFolder, "cache"), environment, version: "1.2.0" });
 * const key = { name: template.body.file, key: template };
 * const known = cache.read(key);
 * if (known === undefined) cache.write(key, { files: result.sources }, result);
 */
export function openCache({ folder, environment, version }: CacheOptions): Cache {
  const states = new InputStates(environment);
  let isTidy = false;
  const fileOf = ({ name }: CacheKey): string => path.join(folder, `${digest(name)}.json`);
  const keyOf = ({ key }: CacheKey): string => digest([version, key]);
  return {
    read(key) {
      const entry = readEntry(fileOf(key));
      if (entry?.key !== keyOf(key) || entry.stamp !== states.stampOf(entry.inputs)) return undefined;
      return entry.value;
    },
    write(key, inputs, value) {
      if (states.areUnsettled(inputs)) return;
      const entry: Entry = { key: keyOf(key), inputs, stamp: states.stampOf(inputs), value };
      replaceFile(fileOf(key), JSON.stringify(entry));
      if (!isTidy) removeOld(folder);
      isTidy = true;
    },
  };
}

interface Entry {
  readonly key: string;
  readonly inputs: Inputs;
  readonly stamp: string;
  readonly value: unknown;
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

/** A full disk, or a folder that is not ours to write in, keeps nothing: the next run does the work again. */
function replaceFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  const isInPlace = attempt(() => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, file);
  });
  if (!isInPlace) attempt(() => rmSync(draft, { force: true }));
}

function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

const monthMs = 30 * 24 * 60 * 60 * 1000;

/** What another process removed first is gone, too. */
function removeOld(folder: string): void {
  attempt(() => {
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name);
      if (Date.now() - statSync(file).mtimeMs > monthMs) rmSync(file, { force: true });
    }
  });
}
