import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { FSWatcher } from "chokidar";

/** What is written in one go is one change: editors write a file in several steps. */
const SETTLE_MS = 10;
const LONGEST_MS = 100;

/** Until then, the folders of a large project are watched. */
const BEGINNING_MS = 1000;

export interface Followed {
  /** Folders, with all that is in them. */
  readonly roots: readonly string[];
  /** Files elsewhere. */
  readonly files: readonly string[];
}

/**
 * Tells which files of a project were written, added or removed.
 *
 * @example
 * const watcher = new ProjectWatcher(project.folder, (files) => compileWhatConcerns(files));
 * watcher.follow({ roots: project.roots, files: [] });
 */
export class ProjectWatcher {
  readonly #folder: string;
  readonly #onChange: (files: ReadonlySet<string> | "all") => void;
  readonly #followed = new Set<string>();
  readonly #roots = new Set<string>();
  #watchers: Promise<Watchers> | undefined;
  /** Of the files that were told of, as they were then. */
  readonly #states = new Map<string, string>();
  #changed = new Set<string>();
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param folder The project's: what is directly in it is watched, as a configuration may appear there.
   * @param onChange Is given absolute paths; or told that anything may have changed, when watching has begun.
   */
  constructor(folder: string, onChange: (files: ReadonlySet<string> | "all") => void) {
    this.#folder = folder;
    this.#onChange = onChange;
  }

  /** Watches these, too. What was named before is still watched. */
  follow({ roots, files }: Followed): void {
    for (const root of roots) this.#roots.add(root);
    void this.#follow(
      [...roots, ...files].filter((each) => !this.#followed.has(each)),
      new Set(roots),
    );
  }

  async #follow(others: readonly string[], roots: ReadonlySet<string>): Promise<void> {
    if (others.length === 0) return;
    const { shallow, deep } = await (this.#watchers ??= this.#start());
    if (this.#isClosed) return;
    const there = others.filter((each) => existsSync(each));
    for (const each of there) this.#followed.add(each);
    if (there.length > 0) deep.add(there);
    // A folder that is not there yet will appear in one that is.
    for (const each of others) if (roots.has(each) && !existsSync(each)) shallow.add(nearestFolder(each));
    if (there.some((each) => roots.has(each))) this.#lookAgain();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#again);
    const watchers = await this.#watchers;
    await Promise.all([watchers?.shallow.close(), watchers?.deep.close()]);
  }

  /** What was written while the watching of a folder began may have passed unseen. */
  #lookAgain(): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#onChange("all"), BEGINNING_MS);
  }

  async #start(): Promise<Watchers> {
    const { watch } = await import("chokidar");
    const ignored = (file: string) => this.#isIgnored(path.resolve(file));
    const shallow = watch(this.#folder, { depth: 0, ignoreInitial: true, ignored });
    const deep = watch([], { ignoreInitial: true, ignored });
    const note = (file: string) => {
      if (!ignored(file)) this.#note(file);
    };
    for (const watcher of [shallow, deep]) {
      watcher.on("all", (_event, file) => note(path.resolve(file)));
      // What is saved twice within 50 ms, as by an editor with a formatter, is told but once otherwise.
      watcher.on("raw", (_event, name, details) => {
        const watched = watchedPath(details);
        if (watched !== undefined) note(path.resolve(watched, name && name !== path.basename(watched) ? name : "."));
      });
      // A folder that can't be watched is one whose changes show late; it ends nothing.
      watcher.on("error", () => undefined);
    }
    return { shallow, deep };
  }

  /** What is watched by its name is none of these, and in a folder that is, what counts is how it goes on. */
  #isIgnored(file: string): boolean {
    if (this.#followed.has(file)) return false;
    const within = [...this.#roots].find((root) => file.startsWith(root + path.sep));
    return isHidden(path.relative(within ?? this.#folder, file));
  }

  #note(file: string): void {
    const now = performance.now();
    if (this.#changed.size === 0) this.#since = now;
    this.#changed.add(file);
    // What never ends being written is looked at now and then.
    if (now - this.#since > LONGEST_MS) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(), SETTLE_MS);
  }

  /** Each change is heard of more than once, and told once. */
  #tell(): void {
    const files = [...this.#changed].filter((file) => {
      const state = stateOf(file);
      const isOther = this.#states.get(file) !== state;
      this.#states.set(file, state);
      return isOther;
    });
    this.#changed = new Set();
    if (files.length > 0) this.#onChange(new Set(files));
  }
}

/** Of what chokidar tells with a raw event. */
function watchedPath(details: unknown): string | undefined {
  const known = typeof details === "object" && details !== null && "watchedPath" in details;
  return known && typeof details.watchedPath === "string" ? details.watchedPath : undefined;
}

interface Watchers {
  readonly shallow: FSWatcher;
  readonly deep: FSWatcher;
}

/**
 * What is nobody's source: what packages and tools keep, and what an editor writes for a moment.
 *
 * @param file Relative to the project's folder, or to a root.
 */
function isHidden(file: string): boolean {
  if (file.endsWith(".package-lock.json")) return false;
  return /(?:^|[\\/])(?:node_modules|\.(?!\.?(?:[\\/]|$))[^\\/]*)(?:[\\/]|$)|~$/.test(file);
}

function stateOf(file: string): string {
  const { ino, size, mtimeNs } = statSync(file, { bigint: true, throwIfNoEntry: false }) ?? {};
  return [ino, size, mtimeNs].join(" ");
}

function nearestFolder(file: string): string {
  const parent = path.dirname(file);
  return existsSync(parent) || parent === file ? parent : nearestFolder(parent);
}
