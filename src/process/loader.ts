import { createHash } from "node:crypto";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Bundle } from "./bundle.js";
import { ALL_NAMES, ReadLog, type Reads } from "./module-inputs.js";
import { SourceMap, syncBuiltinESMExports } from "node:module";
import type { SourcePosition } from "../diagnostic.js";
import { now, random } from "./moment.js";
import { isOwn } from "./resolving.js";
import { positionAt } from "../text/position.js";
import { memoizeByObject, memoizeByString } from "../cache/memoize.js";
import fs, { mkdirSync, writeFileSync } from "node:fs";

type Exports = Readonly<Record<string, unknown>>;

interface Imported {
  readonly exports: Exports;
  /** What it read during import: later tasks depend on that as much as the first. */
  readonly reads: Reads;
}

/** Imports bundles, each content once, and records what they read. */
export class Loader {
  readonly maps = new BundleMaps();
  readonly #import = memoizeByString(Infinity, (name, bundle: Bundle) => this.#importAs(name, bundle));
  readonly #folder: string;
  #again = 0;
  #log = new ReadLog();
  /** Reads by packages, which are imported once for all tasks. */
  readonly #packagesLog = new ReadLog();
  /** By the errors that modules threw during import: the variables that they had read and that are not set. */
  readonly #unset = new WeakMap<object, ReadonlyMap<string, SourcePosition>>();

  /** @param folder Where bundles are written. `require` in a bundle resolves packages from there. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    watchReads(() => this.#log, this.maps);
  }

  async load(bundle: Bundle): Promise<Exports> {
    const { exports, reads } = await this.#import(nameOf(bundle), bundle);
    this.#log.add(reads);
    return exports;
  }

  /** Imports a bundle again, so that its own modules run again. What they read is not recorded. */
  async loadAgain(bundle: Bundle): Promise<Exports> {
    this.#again += 1;
    const { exports } = await this.#importAs(`${nameOf(bundle)}-${this.#again}`, bundle);
    return exports;
  }

  /** What was read since the last call, plus everything that packages have read. */
  takeReads(): Reads {
    const { environment } = this.#log.reads;
    this.#packagesLog.add({ environment: environment.filter(({ at }) => !at), files: [], moments: [] });
    this.#log.add(this.#packagesLog.reads);
    const { reads } = this.#log;
    this.#log = new ReadLog();
    return reads;
  }

  /**
   * The variables that are not set and may be why a module threw during import; if it read some itself, only those.
   *
   * @param file The module.
   */
  unsetBefore(error: unknown, file: string | undefined): string[] {
    // An undefined name has nothing to do with variables.
    if (!(error instanceof Error) || error instanceof ReferenceError) return [];
    const unset = [...(this.#unset.get(error) ?? [])];
    const own = unset.filter(([, at]) => at.file === file);
    return (own.length > 0 ? own : unset).map(([name]) => name);
  }

  /** Each import gets its own folder, so that shared chunks run separately for it, as in a process of its own. */
  async #importAs(name: string, bundle: Bundle): Promise<Imported> {
    const folder = path.join(this.#folder, name);
    mkdirSync(folder, { recursive: true });
    for (const { name: part, code, map } of [{ ...bundle, name: ENTRY }, ...(bundle.shared ?? [])]) {
      const file = path.join(folder, part);
      this.maps.add(pathToFileURL(file).href, { file: bundle.file, map });
      writeFileSync(file, code);
    }
    const { href } = pathToFileURL(path.join(folder, ENTRY));
    const log = this.#log;
    this.#log = new ReadLog();
    try {
      return { exports: await import(href), reads: this.#log.reads };
    } catch (error) {
      if (error instanceof Error) this.#unset.set(error, this.#log.unset);
      throw error;
    } finally {
      this.#log = log;
    }
  }
}

const ENTRY = "bundle.mjs";

function nameOf({ file, code, shared = [] }: Bundle): string {
  const hash = createHash("sha256");
  for (const text of [file, code, ...shared.map((part) => part.code)]) hash.update(text).update("\0");
  return hash.digest("hex").slice(0, 32);
}

/**
 * Records what user code in this thread reads from its environment, from now on.
 *
 * Reads of files count only in own modules; packages have their own reasons for them. Reads of the time and random numbers also
 * count in functions of packages that own modules call.
 */
function watchReads(currentLog: () => ReadLog, maps: BundleMaps): void {
  const stack = (): string => new Error().stack ?? "";
  const caller = (): RunningCode => maps.callerIn(stack());
  watchEnvironment((name, isSet) => {
    const trace = stack();
    const by = maps.callerIn(trace);
    if (by.kind === "node") return;
    currentLog().noteEnvironment({ name, isSet, ...(by.kind === "own" && { at: by.at }) });
    const at = isSet && name !== ALL_NAMES ? undefined : maps.positionIn(trace);
    if (at) currentLog().noteUnset(name, at);
  });
  watchFiles((file) => {
    if (caller().kind === "own") currentLog().noteFile(file);
  });
  watchMoments(() => {
    const at = maps.positionIn(stack());
    if (at) currentLog().noteMoment(at);
    return at;
  });
  // For `import { readFileSync } from "node:fs"`, which would keep the original function.
  syncBuiltinESMExports();
}

function watchEnvironment(note: (name: string, isSet: boolean) => void): void {
  const noteName = (name: string | symbol): void => {
    // NODE_ENV is constant, and whoever reads `$$typeof` looks for a React element.
    if (typeof name === "string" && name !== "NODE_ENV" && name !== "$$typeof") note(name, name in real);
  };
  // oxlint-disable node/no-process-env -- user code's reads are recorded
  const real = process.env;
  let listed: ReadonlySet<string | symbol> = new Set();
  process.env = new Proxy(real, {
    get(target, name) {
      noteName(name);
      return Reflect.get(target, name);
    },
    // Otherwise the proxy would define the property, which Node.js refuses for a variable that is set.
    set: (target, name, value) => Reflect.set(target, name, value),
    has(target, name) {
      noteName(name);
      return Reflect.has(target, name);
    },
    ownKeys(target) {
      note(ALL_NAMES, true);
      const names = Reflect.ownKeys(target);
      listed = new Set(names);
      return names;
    },
    getOwnPropertyDescriptor(target, name) {
      // Listing names also checks each name's descriptor, which is not a read of the variable.
      if (!listed.has(name)) noteName(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
}

function watchFiles(note: (file: string) => void): void {
  const noteFile = ([file]: readonly unknown[]): void => {
    if (typeof file === "string") note(path.resolve(file));
    else if (file instanceof URL && file.protocol === "file:") note(fileURLToPath(file));
  };
  fs.readFileSync = watched(fs.readFileSync, noteFile);
  fs.readFile = watched(fs.readFile, noteFile);
  fs.promises.readFile = watched(fs.promises.readFile, noteFile);
}

/** @param note Returns where an own module reads it. */
function watchMoments(note: () => SourcePosition | undefined): void {
  Math.random = watched(random, note);
  crypto.randomUUID = watched(crypto.randomUUID.bind(crypto), note);
  crypto.getRandomValues = watched(crypto.getRandomValues.bind(crypto), note);
  performance.now = watched(performance.now.bind(performance), note);
  const watchedNow = new Proxy(now, { apply: () => now(note()) });
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [watchedNow()] : args, newTarget),
    apply: (target) => new target(watchedNow()).toString(),
    get: (target, name) => (name === "now" ? watchedNow : Reflect.get(target, name)),
  });
  watchDateFormats();
}

/** Formatters format the current time if they get no date. */
function watchDateFormats(): void {
  const { prototype } = Intl.DateTimeFormat;
  const format = Object.getOwnPropertyDescriptor(prototype, "format");
  const formatToParts: unknown = Reflect.get(prototype, "formatToParts");
  const formatOf = memoizeByObject((formatter: object): unknown => withDate(format?.get?.call(formatter)));
  Object.defineProperties(prototype, {
    format: {
      get(this: object) {
        return formatOf(this);
      },
    },
    formatToParts: { value: withDate(formatToParts) },
  });
}

function withDate(format: unknown): unknown {
  if (typeof format !== "function") return format;
  return new Proxy(format, {
    apply: (target, self, [date = Date.now()]: unknown[]): unknown => Reflect.apply(target, self, [date]),
  });
}

/** A function that first passes its arguments to `note`. */
function watched<F extends (...args: never[]) => unknown>(
  watchedFunction: F,
  note: (args: readonly unknown[]) => void,
): F {
  return new Proxy(watchedFunction, {
    apply(target, self, args: unknown[]) {
      note(args);
      return Reflect.apply(target, self, args);
    },
  });
}

const lettershop = new URL("../", import.meta.url).href;

/** The running code: one of the project's own modules, a package, or Node itself. */
export type RunningCode = { readonly kind: "own"; readonly at: SourcePosition } | { readonly kind: "package" | "node" };

/** Maps positions in imported bundles back to the user's own modules. */
export class BundleMaps {
  readonly #imported = new Map<string, Pick<Bundle, "map" | "file">>();
  /** Parsed only when something goes wrong, because most bundles run well. */
  readonly #mapOf = memoizeByString(Infinity, (url) => {
    const bundle = this.#imported.get(url);
    return bundle && new SourceMap(JSON.parse(bundle.map));
  });

  /** @param url The URL that the bundle is imported as. */
  add(url: string, bundle: Pick<Bundle, "map" | "file">): void {
    this.#imported.set(url, bundle);
  }

  /** The innermost position of the stack in the user's own modules. */
  positionIn(stack: string): SourcePosition | undefined {
    for (const [, url = "", line, column] of stack.matchAll(/(file:\/\/\S+?):(\d+):(\d+)/g)) {
      const origin = this.#mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (origin !== undefined && "originalSource" in origin && isOwn(origin.originalSource)) {
        return { file: origin.originalSource, line: origin.originalLine + 1, column: origin.originalColumn + 1 };
      }
    }
    return undefined;
  }

  /** The code at the top of a stack, ignoring lettershop's own frames. */
  callerIn(stack: string): RunningCode {
    const frames = stack.split("\n").filter((line) => /^\s*at\b/.test(line) && !line.includes(lettershop));
    const named = frames.find((frame) => !/<anonymous>|\bnative\b/.test(frame)) ?? "";
    // If only lettershop itself is on the stack, no frames are left.
    if (named === "" || named.includes("node:")) return { kind: "node" };
    const at = this.positionIn(named);
    return at ? { kind: "own", at } : { kind: "package" };
  }

  /** Where a name is imported in the bundle at the top of a stack; the source map itself does not cover imports. */
  positionOfImport(name: string, stack: string): SourcePosition | undefined {
    const url = /^file:\/\/\S+?(?=:\d+\n)/.exec(stack)?.[0] ?? "";
    const payload = this.#mapOf(url)?.payload;
    const statement = new RegExp(
      `\\bimport\\b[^;'"]*?\\b${name.replaceAll("$", "\\$")}(?![\\w$])(?=[^;'"]*\\bfrom\\b)`,
    );
    for (const [index, file] of payload?.sources.entries() ?? []) {
      const text = payload?.sourcesContent[index] ?? "";
      const match = statement.exec(text);
      if (match !== null) return { file, ...positionAt(text, match.index + match[0].length - name.length) };
    }
    return undefined;
  }

  /** Replaces paths of bundles in a message with those of the user's files. */
  readable(message: string): string {
    let text = message;
    for (const [url, { file }] of this.#imported) {
      text = text.replaceAll(url, file).replaceAll(fileURLToPath(url), file);
    }
    return text;
  }
}
