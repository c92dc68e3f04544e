import { existsSync, type FSWatcher, lstatSync, readdirSync, statSync, watch } from "node:fs";
import path from "node:path";
import { attempt } from "../files.js";
import { realFolder } from "./candidates.js";

/** Two writes within one tick of the system clock leave the same times; some file systems only store whole seconds. */
const TICK_MS = 10;
const COARSE_TICK_MS = 2000;

/** A file written this recently may be incomplete; a file emptied this recently is about to be filled. */
const FRESH_MS = 10;
const FRESHLY_EMPTIED_MS = 100;
/** How long to wait for a write to finish. */
const PATIENCE_MS = 100;

export interface WatchedFolderOptions {
  /** Whether a file or folder counts. Absolute path. */
  readonly isWanted: (file: string) => boolean;
  /** Called when something in a folder may have changed. */
  readonly onEvent: (folder: WatchedFolder) => void;
  /** Whether to watch its subfolders, too. */
  readonly isDeep: boolean;
}

/**
 * A folder, and its content when it was last checked. System events only trigger a check: they get lost, arrive late, name
 * files that have moved since, and stop when their folder is replaced. A file has changed if its state differs.
 */
export class WatchedFolder {
  readonly path: string;
  readonly #options: WatchedFolderOptions;
  /** Real paths from the outermost folder to this one: a link to one of them would lead in a circle. */
  readonly #reals: readonly [string, ...string[]];
  readonly #states = new Map<string, string>();
  readonly #folders = new Map<string, WatchedFolder>();
  /** When files that are still to be reported appeared, or were first seen being written, by name. */
  readonly #pending = new Map<string, number>();
  #watcher: FSWatcher | undefined;
  /** The state of the folder that the watcher was started on. */
  #watched: string | undefined;
  #isClosed = false;

  /** @param folder Absolute; may not exist yet. */
  constructor(folder: string, options: WatchedFolderOptions, reals: readonly [string, ...string[]] = [folder]) {
    this.path = folder;
    this.#options = options;
    this.#reals = reals;
  }

  /**
   * @param changed Receives the paths of files written, added or removed since the last check.
   * @param isFirst Accepts every file as it is. Otherwise a file that is being written waits for the next check, which an event triggers.
   */
  look(changed: Set<string>, isFirst = false): void {
    if (this.#isClosed) return;
    // Before reading the folder: a write in between triggers an event.
    this.#watch();
    const gone = new Set(this.#names());
    for (const { name, isLink } of entriesOf(this.path)) {
      const file = path.join(this.path, name);
      const state = this.#options.isWanted(file) ? stateOf(file) : undefined;
      if (!state) continue;
      gone.delete(name);
      const hasChanged = this.#states.get(name) !== state.text;
      if (hasChanged && !isFirst && this.#isBeingWritten(name, state.isFresh)) continue;
      if (hasChanged) changed.add(file);
      this.#states.set(name, state.text);
      const real = state.isFolder && this.#options.isDeep ? this.#realPath(name, isLink) : undefined;
      if (real === undefined) this.#leave(name, changed);
      else if (hasChanged || !this.#folders.has(name)) this.#enter(name, real).look(changed, isFirst);
    }
    for (const name of gone) {
      this.#states.delete(name);
      this.#pending.delete(name);
      changed.add(path.join(this.path, name));
      this.#leave(name, changed);
    }
  }

  /** This folder and all watched folders in it. */
  *all(): Iterable<WatchedFolder> {
    yield this;
    for (const folder of this.#folders.values()) yield* folder.all();
  }

  close(): void {
    this.#isClosed = true;
    this.#watcher?.close();
    for (const folder of this.#folders.values()) folder.close();
  }

  #watch(): void {
    const now = stateOf(this.path)?.text;
    if (now === this.#watched) return;
    this.#watcher?.close();
    this.#watcher = now === undefined ? undefined : this.#startWatching();
    this.#watched = this.#watcher && now;
  }

  #startWatching(): FSWatcher | undefined {
    const watchAgain = () => (this.#watched = undefined);
    try {
      const watcher = watch(this.path, (_event, name) => {
        // Something happened to the folder itself: it may be a different folder from now on.
        if (name === null || name === path.basename(this.path)) watchAgain();
        if (name !== null && !this.#options.isWanted(path.join(this.path, name))) return;
        if (name !== null && !this.#states.has(name) && existsSync(path.join(this.path, name))) this.#pend(name);
        this.#options.onEvent(this);
      });
      return watcher.on("error", watchAgain);
    } catch {
      return undefined; // Regular checks still cover it.
    }
  }

  #isBeingWritten(name: string, isFresh: boolean): boolean {
    if (isFresh && performance.now() - this.#pend(name) < PATIENCE_MS) {
      this.#options.onEvent(this);
      return true;
    }
    this.#pending.delete(name);
    return false;
  }

  /** Returns since when it has been pending. */
  #pend(name: string): number {
    const since = this.#pending.get(name) ?? performance.now();
    this.#pending.set(name, since);
    return since;
  }

  #enter(name: string, real: string): WatchedFolder {
    const known = this.#folders.get(name);
    if (known && known.#reals.at(-1) === real) return known;
    known?.close();
    const folder = new WatchedFolder(path.join(this.path, name), this.#options, [...this.#reals, real]);
    this.#folders.set(name, folder);
    return folder;
  }

  #leave(name: string, changed: Set<string>): void {
    const folder = this.#folders.get(name);
    if (!folder) return;
    this.#folders.delete(name);
    folder.close();
    for (const each of folder.all()) for (const file of each.#names()) changed.add(path.join(each.path, file));
  }

  /** Names of everything that may have been read: a pending file is read too if another one is reported. */
  #names(): string[] {
    return [...this.#states.keys(), ...this.#pending.keys()];
  }

  /** The real path of a subfolder. Undefined for a link that leads out of the outermost folder, or in a circle. */
  #realPath(name: string, isLink: boolean): string | undefined {
    if (!isLink) return path.join(this.#reals.at(-1) ?? "", name);
    const real = realFolder(path.join(this.path, name));
    const isWithin = real?.startsWith(this.#reals[0] + path.sep) === true && !this.#reals.includes(real);
    return isWithin ? real : undefined;
  }
}

function entriesOf(folder: string): readonly { readonly name: string; readonly isLink: boolean }[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.map((entry) => ({ name: entry.name, isLink: entry.isSymbolicLink() }));
}

/** A folder's state does not depend on its content. A broken link has the state of the link itself. */
function stateOf(file: string): State | undefined {
  const stats = attempt(() => statSync(file, { bigint: true })) ?? attempt(() => lstatSync(file, { bigint: true }));
  if (!stats) return undefined;
  const { dev, ino, mode, birthtimeNs, size, mtimeNs, ctimeNs } = stats;
  if (stats.isDirectory()) return { text: [dev, ino, mode, birthtimeNs].join(" "), isFolder: true, isFresh: false };
  // The change time can't be set by programs.
  const ageMs = Date.now() - Number(ctimeNs / 1_000_000n);
  const isWithin = (ms: number) => ageMs >= 0 && ageMs < ms;
  // Another write may leave the same times: a unique state makes the next check report the file once more.
  const isUnsure = isWithin(ctimeNs % 1_000_000_000n === 0n ? COARSE_TICK_MS : TICK_MS);
  return {
    text: [dev, ino, mode, size, mtimeNs, ctimeNs, isUnsure ? performance.now() : ""].join(" "),
    isFolder: false,
    isFresh: isWithin(size === 0n ? FRESHLY_EMPTIED_MS : FRESH_MS),
  };
}

interface State {
  readonly text: string;
  readonly isFolder: boolean;
  /** Whether it may still be in the middle of being written. */
  readonly isFresh: boolean;
}
