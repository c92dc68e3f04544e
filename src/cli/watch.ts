import path from "node:path";
import type { AssetsConfig } from "../config/define.js";
import type { Diagnostic } from "../diagnostic.js";
import { LettershopError } from "../errors.js";
import { compileAll } from "../render/compile.js";
import { isConcerned, madeFrom, type MadeFrom, outsideSources } from "../render/concerned.js";
import { realFolder } from "../template/links.js";
import { ProjectWatcher } from "../template/project-watcher.js";
import type { CompileResult, Template } from "../template/template.js";
import { projectCache } from "./caches.js";
import { prettyDiagnostics } from "./report/diagnostics.js";
import type { Output } from "./output.js";
import { type CompiledProject, selectTemplates } from "./compile-project.js";
import { compileContext, type OpenProject } from "./project.js";
import { writeBuild } from "./write-build.js";
import { openWrittenFiles } from "./written-files.js";

export interface WatchOptions {
  readonly open: OpenProject;
  readonly names: readonly string[];
  readonly out: string;
  readonly assets: AssetsConfig | undefined;
  /** What is compiled already. */
  readonly compiled: CompiledProject;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Compiles again what a change concerns, and writes it, until the signal. */
export async function watchProject(options: WatchOptions): Promise<void> {
  const { open, output, signal } = options;
  const { project } = open;
  const build = new WatchedBuild(options);
  let changed: Set<string> | "all" | undefined;

  const rebuild = async (): Promise<void> => {
    const files = changed;
    changed = undefined;
    if (!files) return;
    const began = Date.now();
    await build.take(files);
    follow(began);
  };
  // One rebuild at a time; what changes meanwhile is the next one's.
  let running: Promise<void> = Promise.resolve();
  const take = (files: ReadonlySet<string> | "all"): void => {
    changed = files === "all" || changed === "all" ? "all" : new Set([...(changed ?? []), ...files]);
    running = running
      .then(rebuild)
      .catch((error: unknown) => output.note(error instanceof Error ? error.message : String(error)));
  };
  const watcher = new ProjectWatcher(project.folder, take);
  const follow = (since: number): void => watcher.follow({ roots: project.roots, files: build.outside() }, since);
  follow(Date.now());
  // What was saved while everything was compiled passed unseen.
  take("all");
  await running;
  output.note("Watching for changes. Ctrl-C ends it.");
  await new Promise<void>((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  watcher.close();
  await running;
}

/** What was compiled last, and from what. */
class WatchedBuild {
  readonly #options: WatchOptions;
  readonly #made = new Map<string, MadeFrom>();
  #last: ReadonlyMap<string, CompileResult>;
  #report: string;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#last = this.#read(options.compiled.results);
    this.#report = this.#pretty(options.compiled.diagnostics);
  }

  /** Links resolved. */
  #roots(): string[] {
    return this.#options.open.project.roots.map((root) => realFolder(root) ?? root);
  }

  /** What to watch beside the templates roots. */
  outside(): string[] {
    return outsideSources(this.#made.values(), this.#roots());
  }

  /** @param files Written, added or removed; where anything may have been, only what has become another one is told. */
  async take(files: ReadonlySet<string> | "all"): Promise<void> {
    const { open, names, output } = this.#options;
    const roots = this.#roots();
    const loaded = selectTemplates(open, []);
    const wanted = names.length === 0 ? loaded.templates : loaded.templates.filter(({ name }) => names.includes(name));
    const concerned = wanted.filter(({ name }) => files === "all" || isConcerned(this.#made.get(name), roots, files));
    const isSaved =
      files !== "all" && [...files].some((file) => roots.some((root) => file.startsWith(root + path.sep)));
    if (!isSaved && concerned.length === 0) return;

    const results = await this.#compile(concerned);
    const before = this.#last;
    const removed = [...before.keys()].filter((name) => !loaded.names.has(name));
    for (const name of removed) this.#made.delete(name);
    const fresh = this.#read(results);
    this.#last = new Map(wanted.flatMap(({ name }) => fresh.get(name) ?? before.get(name) ?? []).map(byName));
    this.#write(loaded.names);

    const report = this.#pretty([...loaded.diagnostics, ...results.flatMap(({ diagnostics }) => diagnostics)]);
    if (report !== "" && (isSaved || report !== this.#report)) output.note(report);
    this.#report = report;
    const told = [...fresh.values()].filter(
      ({ name, compiled }) => compiled && (files !== "all" || compiled.hash !== before.get(name)?.compiled?.hash),
    );
    if (told.length > 0) output.note(`Compiled ${told.map(({ name }) => name).join(", ")}.`);
    if (removed.length > 0) output.note(`Removed ${removed.join(", ")}.`);
  }

  /** Without those that can't be compiled at all: these are compiled again at the next change. */
  async #compile(templates: readonly Template[]): Promise<readonly CompileResult[]> {
    const { open, assets, output } = this.#options;
    try {
      return await compileAll(templates, compileContext(open, assets));
    } catch (error) {
      const [only, ...others] = templates;
      if (!only || others.length > 0) {
        const each: CompileResult[] = [];
        for (const template of templates) each.push(...(await this.#compile([template])));
        return each;
      }
      this.#made.delete(only.name);
      output.note(`Could not compile ${only.name}: ${error instanceof Error ? error.message : String(error)}`);
      if (error instanceof LettershopError && error.hint !== undefined) output.note(error.hint);
      return [];
    }
  }

  #write(present: ReadonlySet<string>): void {
    const { open, names, out } = this.#options;
    const { project } = open;
    writeBuild({
      out,
      folder: project.folder,
      results: [...this.#last.values()],
      roots: project.roots,
      written: openWrittenFiles(out, projectCache(project, {})),
      ...(names.length === 0 ? { present } : {}),
    });
  }

  /** With their bodies: the cache that these lie in may be emptied while this waits. */
  #read(results: readonly CompileResult[]): Map<string, CompileResult> {
    for (const result of results) this.#made.set(result.name, madeFrom(result));
    return new Map(
      results.map((result) => byName(result.compiled ? { ...result, compiled: { ...result.compiled } } : result)),
    );
  }

  #pretty(diagnostics: readonly Diagnostic[]): string {
    const { open, output } = this.#options;
    return diagnostics.length === 0 ? "" : `${prettyDiagnostics(diagnostics, open.project.folder, output.style)}\n`;
  }
}

function byName(result: CompileResult): [name: string, CompileResult] {
  return [result.name, result];
}
