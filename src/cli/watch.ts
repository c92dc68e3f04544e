import { once } from "node:events";
import path from "node:path";
import type { BuildCacheOptions } from "./build-cache.js";
import type { Diagnostic } from "../diagnostic.js";
import { LettershopError } from "../errors.js";
import { compileAll } from "../render/compile.js";
import { isAffected, dependenciesOf, type Dependencies, outsideSources } from "../render/dependencies.js";
import { realFolder } from "../project/candidates.js";
import { ProjectWatcher } from "../project/project-watcher.js";
import type { CompileResult, Template } from "../project/template.js";
import { prettyDiagnostics } from "./report/diagnostics.js";
import type { Output } from "./output.js";
import { type CompiledProject, selectTemplates } from "./compile-project.js";
import { compileContext, projectCache } from "./project.js";
import { openWrittenFiles, writeBuild } from "./write-build.js";

export interface WatchOptions extends Omit<BuildCacheOptions, "cache" | "written"> {
  /** The result of the first build. */
  readonly compiled: CompiledProject;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** Recompiles and writes the templates that a change affects, until the signal is aborted. */
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
  // One rebuild at a time; files that change in the meantime are part of the next one.
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
  // Check all files once, because files saved during the first build were not noticed.
  take("all");
  await running;
  output.note("Watching for changes. Press Ctrl-C to stop.");
  if (!signal.aborted) await once(signal, "abort");
  watcher.close();
  await running;
}

/** The latest results, and the files that they were compiled from. */
class WatchedBuild {
  readonly #options: WatchOptions;
  readonly #made = new Map<string, Dependencies>();
  #last: ReadonlyMap<string, CompileResult>;
  #report: string;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#last = this.#read(options.compiled.results);
    this.#report = this.#pretty(options.compiled.diagnostics);
  }

  /** The templates folders, with symbolic links resolved. */
  #roots(): string[] {
    return this.#options.open.project.roots.map((root) => realFolder(root) ?? root);
  }

  /** The files to watch outside the templates folders. */
  outside(): string[] {
    return outsideSources(this.#made.values(), this.#roots());
  }

  /** @param files The files that were written, added or removed. With `all`, only templates whose result has changed are reported. */
  async take(files: ReadonlySet<string> | "all"): Promise<void> {
    const { open, names, output } = this.#options;
    const roots = this.#roots();
    const loaded = selectTemplates(open, []);
    const selected =
      names.length === 0 ? loaded.templates : loaded.templates.filter(({ name }) => names.includes(name));
    const affected = selected.filter(({ name }) => files === "all" || isAffected(this.#made.get(name), roots, files));
    const isSaved =
      files !== "all" && [...files].some((file) => roots.some((root) => file.startsWith(root + path.sep)));
    if (!isSaved && affected.length === 0) return;

    const results = await this.#compile(affected);
    const before = this.#last;
    const removed = [...before.keys()].filter((name) => !loaded.names.has(name));
    for (const name of removed) this.#made.delete(name);
    const fresh = this.#read(results);
    this.#last = new Map(selected.flatMap(({ name }) => fresh.get(name) ?? before.get(name) ?? []).map(byName));
    this.#write(loaded.names);

    const report = this.#pretty([...loaded.diagnostics, ...results.flatMap(({ diagnostics }) => diagnostics)]);
    if (report !== "" && (isSaved || report !== this.#report)) output.note(report);
    this.#report = report;
    const reported = [...fresh.values()].filter(
      ({ name, compiled }) => compiled && (files !== "all" || compiled.hash !== before.get(name)?.compiled?.hash),
    );
    if (reported.length > 0) output.note(`Compiled ${reported.map(({ name }) => name).join(", ")}.`);
    if (removed.length > 0) output.note(`Removed ${removed.join(", ")}.`);
  }

  /** Skips templates whose compilation throws; they are tried again at the next change. */
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

  /** Copies the bodies out of the cache, which may be cleared in the meantime. */
  #read(results: readonly CompileResult[]): Map<string, CompileResult> {
    for (const result of results) this.#made.set(result.name, dependenciesOf(result));
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
