import path from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { realFolder, statsOf } from "./candidates.js";
import { WatchedFolder } from "./watched-folder.js";

/** Writes close together count as one change: editors write a file in several steps. */
const SETTLE_MS = 10;
const LONGEST_MS = 100;

/** How often all folders are checked without an event: on some disks, the system sends none. */
const PATROL_MS = 1000;
/** The pause after a check of all folders, as a multiple of its duration. */
const PATROL_REST = 50;
/** How long a check of all folders runs before it lets other work proceed. */
const PATROL_STRETCH_MS = 5;

export interface Followed {
  /** Folders, watched recursively. */
  readonly roots: readonly string[];
  /** Files outside these folders. */
  readonly files: readonly string[];
}

/** Reports which files of a project were written, added or removed. */
export class ProjectWatcher {
  readonly #folder: string;
  readonly #onChange: (files: ReadonlySet<string> | "all") => void;
  readonly #files = new Set<string>();
  /** By the configured path, which may be a link; undefined while there is no such folder. */
  readonly #roots = new Map<string, WatchedFolder | undefined>();
  /** The project's folder, and the folders of `files`. */
  readonly #folders = new Map<string, WatchedFolder>();
  #due = new Set<WatchedFolder>();
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #patrol: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param folder The project's folder: its direct children are watched, because a configuration file may appear there.
   * @param onChange Receives absolute paths, with links of the roots resolved; `all` if a root has appeared, moved or vanished.
   */
  constructor(folder: string, onChange: (files: ReadonlySet<string> | "all") => void) {
    this.#folder = folder;
    this.#onChange = onChange;
  }

  /**
   * Adds roots and files to those already watched. Read the files in new roots only after this call.
   *
   * @param since When the files were read, by `Date.now()`: files written later are reported.
   */
  follow({ roots, files }: Followed, since = Date.now()): void {
    if (this.#isClosed) return;
    for (const root of roots) if (!this.#roots.has(root)) this.#roots.set(root, this.#openRoot(realFolder(root)));
    const added = new Set(files.filter((file) => !this.#files.has(file)));
    for (const file of added) this.#files.add(file);
    const changed = new Set([...added].filter((file) => isWrittenSince(file, since)));
    for (const folder of new Set([this.#folder, ...[...added].map((file) => path.dirname(file))])) {
      const known = this.#folders.get(folder);
      const changedInFolder = new Set<string>();
      (known ?? this.#openFlat(folder)).look(changedInFolder, !known);
      if (known) for (const file of changedInFolder) if (!added.has(file)) changed.add(file);
    }
    this.#patrol ??= this.#patrolIn(PATROL_MS);
    if (changed.size > 0) this.#onChange(changed);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#patrol);
    for (const folder of this.#outermost()) folder.close();
  }

  #openRoot(real: string | undefined): WatchedFolder | undefined {
    if (real === undefined) return undefined;
    const root = new WatchedFolder(real, {
      isDeep: true,
      isWanted: (file) => this.#files.has(file) || !isHidden(path.relative(real, file)),
      onEvent: (folder) => this.#note(folder),
    });
    root.look(new Set(), true);
    return root;
  }

  #openFlat(folder: string): WatchedFolder {
    const flat = new WatchedFolder(folder, {
      isDeep: false,
      isWanted: (file) => this.#files.has(file) || (folder === this.#folder && !isHidden(path.basename(file))),
      onEvent: (each) => this.#note(each),
    });
    this.#folders.set(folder, flat);
    return flat;
  }

  #note(folder: WatchedFolder): void {
    const now = performance.now();
    if (this.#due.size === 0) this.#since = now;
    this.#due.add(folder);
    // A folder that is written continuously is still checked now and then.
    if (now - this.#since > LONGEST_MS) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lookAtDue(), SETTLE_MS);
  }

  #lookAtDue(): void {
    const changed = new Set<string>();
    const due = this.#due;
    this.#due = new Set();
    for (const folder of due) folder.look(changed);
    this.#report(changed);
  }

  #patrolIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#lookAtAll(), ms);
  }

  async #lookAtAll(): Promise<void> {
    const changed = new Set<string>();
    let tookMs = 0;
    let began = performance.now();
    for (const outermost of this.#outermost())
      for (const folder of outermost.all()) {
        folder.look(changed);
        const stretchMs = performance.now() - began;
        if (stretchMs < PATROL_STRETCH_MS) continue;
        tookMs += stretchMs;
        await immediate();
        if (this.#isClosed) return;
        began = performance.now();
      }
    this.#report(changed);
    this.#patrol = this.#patrolIn(Math.max(PATROL_MS, tookMs * PATROL_REST));
  }

  #report(changed: ReadonlySet<string>): void {
    const moved = [...this.#roots].filter(([root, known]) => realFolder(root) !== known?.path);
    for (const [root, known] of moved) {
      known?.close();
      this.#roots.set(root, this.#openRoot(realFolder(root)));
    }
    if (moved.length > 0) this.#onChange("all");
    else if (changed.size > 0) this.#onChange(changed);
  }

  *#outermost(): Iterable<WatchedFolder> {
    for (const root of this.#roots.values()) if (root) yield root;
    yield* this.#folders.values();
  }
}

function isWrittenSince(file: string, since: number): boolean {
  return (statsOf(file)?.ctimeMs ?? 0) > since;
}

/** Files that aren't sources: `node_modules`, dot files, and temporary files of editors. Relative to the root. */
function isHidden(file: string): boolean {
  return /(?:^|[\\/])(?:node_modules|\.(?!\.?(?:[\\/]|$))[^\\/]*)(?:[\\/]|$)|~$/.test(file);
}
