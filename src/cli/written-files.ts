import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Cache } from "../cache/cache.js";
import { digestOfContent, type FileState, readDigest, stateOf } from "../cache/inputs.js";

/** Files that were written to a folder that other programs may also write to. */
export interface WrittenFiles {
  /**
   * Whether a file still contains what an earlier run wrote.
   *
   * @param identity Identifies the content. Without it, any content that was written is accepted.
   */
  holds(file: string, identity?: string): boolean;
  /** Writes a file unless it already has this content, so as not to trigger file watchers. */
  place(file: string, identity: string, content: () => string | Buffer): void;
  /** Stores the record for the next run. */
  save(): void;
}

/**
 * Records which files were written to a folder, with their states (`stateOf`). If a file's state has changed, or the file was
 * written too recently for the state to be reliable, its content is compared.
 *
 * @example
 * const written = openWrittenFiles(out, cache);
 * written.place(path.join(out, "receipt", "body.html"), compiled.hash, () => compiled.html_body);
 * written.save();
 */
export function openWrittenFiles(folder: string, cache: Cache | undefined): WrittenFiles {
  const key = { name: `written\n${folder}`, key: null };
  const cached = cache?.read(key)?.value;
  const before: Known = isKnown(cached) ? cached : {};
  const now: Record<string, KnownFile> = {};
  let isSame = true;

  const note = (file: string, known: KnownFile): void => {
    now[file] = known;
    isSame &&= known === before[file];
  };

  function holds(file: string, identity?: string): boolean {
    const known = now[file] ?? before[file];
    if (!known || (identity !== undefined && identity !== known.identity)) return false;
    const state = stateOf(file);
    if (state && state.text === known.state) note(file, known);
    else if (state && readDigest(file) === known.content)
      note(file, { identity: known.identity, content: known.content, ...settled(state) });
    else return false;
    return true;
  }

  return {
    holds,
    place(file, identity, content) {
      if (holds(file, identity)) return;
      const expected = content();
      const digest = digestOfContent(expected);
      const state = stateOf(file);
      const isUpToDate = state !== undefined && readDigest(file) === digest;
      note(file, { identity, content: digest, ...(isUpToDate && settled(state)) });
      if (isUpToDate) return;
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, expected);
    },
    save() {
      if (isSame) return;
      const others = Object.entries(before).filter(([file, { state }]) => !now[file] && stateOf(file)?.text === state);
      cache?.write(key, { files: [] }, { ...Object.fromEntries(others), ...now });
    },
  };
}

interface KnownFile {
  readonly identity: string;
  readonly content: string;
  /** The file's state, if it reliably identifies this content. */
  readonly state?: string;
}

type Known = Readonly<Record<string, KnownFile>>;

/** The state, unless the file was written so recently that a later write could have the same state. */
function settled({ text, settledAt }: FileState): Pick<KnownFile, "state"> {
  return settledAt < Date.now() ? { state: text } : {};
}

/** A shallow check is enough: the cache only returns what this version wrote. */
function isKnown(value: unknown): value is Known {
  return typeof value === "object" && value !== null;
}
