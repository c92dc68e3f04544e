import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Cache } from "../cache/cache.js";
import { type FileState, stateOf } from "../cache/file-state.js";
import { digestOfContent, readDigest } from "../cache/inputs.js";

/** Files in a folder that others may write in, too. */
export interface WrittenFiles {
  /**
   * Whether a file holds what an earlier run wrote.
   *
   * @param identity Says what the content is; without it, anything will do that was written.
   */
  holds(file: string, identity?: string): boolean;
  /** Writes a file that does not hold it already: what watches the folder is left in peace. */
  place(file: string, identity: string, content: () => string | Buffer): void;
  /** Keeps what is known for the next run. */
  save(): void;
}

/**
 * Remembers what was written into a folder, by the files' states. One that was edited, replaced or removed since has
 * another state; then, and where it was written just before, its content tells.
 *
 * @example
 * const written = openWrittenFiles(out, cache);
 * written.place(path.join(out, "receipt", "body.html"), compiled.hash, () => compiled.html_body);
 * written.save();
 */
export function openWrittenFiles(folder: string, cache: Cache | undefined): WrittenFiles {
  const key = { name: `written\n${folder}`, key: null };
  const kept = cache?.read(key)?.value;
  const before: Known = isKnown(kept) ? kept : {};
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
      const wanted = content();
      const digest = digestOfContent(wanted);
      const state = stateOf(file);
      const isThere = state !== undefined && readDigest(file) === digest;
      note(file, { identity, content: digest, ...(isThere && settled(state)) });
      if (isThere) return;
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, wanted);
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
  /** Where it was sure to be of this content. */
  readonly state?: string;
}

type Known = Readonly<Record<string, KnownFile>>;

/** A state that another content could yet have says nothing. */
function settled({ text, settledAt }: FileState): Pick<KnownFile, "state"> {
  return settledAt < Date.now() ? { state: text } : {};
}

/** What is read was written by this very version. */
function isKnown(value: unknown): value is Known {
  return typeof value === "object" && value !== null;
}
