import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import type { Diagnostic } from "../../../diagnostic.js";
import { dependenciesOf, outsideSources } from "../../../render/dependencies.js";
import type { CompileContext } from "../../../render/engine.js";
import type { PositionedHtml } from "../../../render/source/mapped-text.js";
import { ProjectWatcher } from "../../../project/project-watcher.js";
import type { LoadedTemplates } from "../../../project/load-templates.js";
import type { CompileResult, Template, UnusableTemplate } from "../../../project/template.js";
import type { TemplateSummary } from "../../contract.js";
import type { ProjectAccess } from "../preview-access.js";
import { PreviewRefusal } from "../refusal.js";
import { Builds, type Changes } from "./builds.js";
import { BackgroundChecks } from "./checks.js";
import { compileWatched } from "./compile-batch.js";
import { CurrentProject } from "./current-project.js";
import type { Entry } from "./entry.js";
import { diagnosticOf } from "./failures.js";
import { Listeners } from "./listeners.js";
import type { StateParts } from "./project-state.js";
import { toTemplateSummary } from "./detail.js";

/** Events that are not responses to a request. */
export type WorkEvent =
  | { readonly kind: "project" }
  | { readonly kind: "templates"; readonly changed: readonly TemplateSummary[]; readonly removed: readonly string[] }
  | { readonly kind: "report"; readonly name: string; readonly revision: number };

/**
 * Sizes of the first batches. They are small because work that is shared by a batch, such as bundling components,
 * cannot be interrupted.
 */
const BATCHES = [1, 4, 8] as const;
const MOST = 12;
const PATIENCE_MS = 2000;
/** The time limit doubles with each interruption, at most this many times: the code may be slow rather than endless. */
const MOST_DOUBLINGS = 2;
/** Pause in ms after the first email, so that the browser can paint it. */
const FIRST_SIGHT_MS = 400;

export interface WorkQueueOptions {
  /** Whether to watch files for changes. */
  readonly watch: boolean;
  readonly patienceMs?: number;
  /** Waits for a number of milliseconds, for the pause after the first email. Rejects when aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** All background work for the page, one task at a time: open, load and compile; check when none of these is left. */
export class Work {
  readonly events = new Listeners<WorkEvent>();
  readonly results = new Listeners<readonly CompileResult[]>();
  readonly project: CurrentProject;
  readonly #builds = new Builds();
  readonly #checks: BackgroundChecks;
  readonly #watcher: ProjectWatcher | undefined;
  readonly #waiting = new Set<() => void>();
  #context: CompileContext | undefined;
  #isRead = false;
  /** Findings of checks that are not about a single template. */
  #found: readonly Diagnostic[] = [];
  #findings = "";
  /** Changes that have not been handled. At first, everything. */
  #changes: Changes | undefined = { files: new Set(), isAll: true };
  #working: Promise<void> | undefined;
  #batches = 0;
  #isClosed = false;
  /** Whether a template has been shown already. */
  #isSeen = false;
  /** Ends the pause after the first email, in which no work starts. */
  #endPause = (): void => undefined;
  readonly #wait: NonNullable<WorkQueueOptions["wait"]>;
  readonly #patienceMs: number;

  constructor(access: ProjectAccess, options: WorkQueueOptions) {
    const { watch, patienceMs = PATIENCE_MS, wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options;
    this.#wait = wait;
    this.#patienceMs = patienceMs;
    this.project = new CurrentProject(access);
    this.#checks = new BackgroundChecks({
      builds: this.#builds,
      isPatient: watch,
      project: () => this.project.opened,
      loaded: () => withIncomplete(this.project.loaded),
      // Templates that compile only after all others may take long.
      isBusy: () => this.#isClosed || (this.#working !== undefined && this.#isBehind()),
      isWhole: () => this.#working === undefined && !this.#builds.hasGivenUp,
      onFound: (entries) => this.#reportFindings(entries),
      onProject: (diagnostics) => {
        this.#found = diagnostics;
        this.#reportProject();
      },
    });
    if (watch) this.#watcher = new ProjectWatcher(access.folder, (files) => this.changed(files));
    this.#start();
  }

  /** Resolves when the project was read, or when it is known why it can't be. */
  async ready(): Promise<void> {
    while (!this.#isRead) await this.#step();
  }

  /** Resolves when everything is compiled. */
  async compiled(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async settled(): Promise<void> {
    while (this.#working || this.#checks.running) {
      await this.compiled();
      await this.#checks.running;
    }
  }

  entries(): Entry[] {
    return this.#builds.all();
  }

  /** A template after compiling. It is compiled before others, because a request waits for it. */
  async entry(name: string): Promise<Entry | undefined> {
    await this.ready();
    this.#builds.request(name);
    while (this.#builds.await(name)) {
      this.#endPause();
      await this.#step();
    }
    return this.#builds.get(name);
  }

  overview(): Pick<StateParts, "project" | "assetsBase" | "templates" | "obstacles" | "found"> {
    const { project, assets } = this.project.opened ?? {};
    const assetsBase = assets?.baseUrl.replace(/\/+$/, "");
    const templates = this.entries().map(toTemplateSummary);
    const findings = { obstacles: this.#obstacles(), found: this.#found };
    return { project, templates, ...findings, ...(assetsBase !== undefined && { assetsBase }) };
  }

  async sitedOf(entry: Entry): Promise<PositionedHtml | undefined> {
    const compiled = entry.shown?.result.compiled;
    if (!compiled) return undefined;
    const { opened } = this.project;
    if (!this.#checks.sitedOf(compiled) && opened) await this.#checks.recall(opened, entry).catch(() => undefined);
    return this.#checks.sitedOf(compiled);
  }

  /** Takes over changes: absolute paths of files that were written, added or removed, or everything. */
  changed(files: ReadonlySet<string> | "all"): void {
    const { files: others = [], isAll = false } = this.#changes ?? {};
    this.#changes =
      files === "all" ? { files: new Set(others), isAll: true } : { files: new Set([...others, ...files]), isAll };
    this.#endPause();
    this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endPause();
    this.#checks.close();
    this.#stepped();
    this.#watcher?.close();
    await this.project.close();
    await this.#working;
  }

  #start(): void {
    this.#working ??= this.#workOn();
  }

  async #workOn(): Promise<void> {
    try {
      await this.#run();
    } catch (error) {
      this.project.trouble = diagnosticOf(error);
      this.#reportProject();
    }
    this.#working = undefined;
    this.#stepped();
    if (this.#isClosed) return;
    if (this.#changes) this.#start();
    else this.#checks.run();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      if (this.#changes) {
        await this.#take(this.#changes);
        this.#stepped();
        // Requests that waited for this can now name their template.
        await immediate();
      }
      const batch = this.#builds.next(BATCHES[this.#batches] ?? MOST);
      if (batch.length === 0 && !this.#changes) return;
      if (batch.length > 0 && !this.#isBehind()) this.#checks.run();
      if (batch.length > 0) await this.#compile(batch);
    }
  }

  /** Opens the project if it is not open or may have changed, and loads its templates. */
  async #take({ files, isAll }: Changes): Promise<void> {
    this.#changes = undefined;
    const began = Date.now();
    const isChanged = await this.project.open(isAll ? undefined : files);
    const { opened } = this.project;
    this.#watcher?.follow(this.project.watched, began);
    this.#isRead = true;
    if (!opened) {
      this.#reportProject();
      return;
    }
    const changes = { files, isAll: isAll || isChanged };
    this.project.load(changes.isAll ? undefined : files, this.#templates());
    this.#context = opened.context(opened.assets);
    const { changed, removed } = this.#builds.load(this.project.loaded, this.project.roots, changes);
    if (!this.#reportProject(isChanged) && changed.length + removed.length > 0)
      this.events.tell({ kind: "templates", changed: this.#summaries(changed), removed });
  }

  async #compile(batch: readonly Template[]): Promise<void> {
    const context = this.#context;
    if (!context) return;
    this.#batches += 1;
    const names = batch.map(({ name }) => name);
    const isFirstSight =
      !this.#isSeen && this.#watcher !== undefined && names.some((name) => this.#builds.isAwaited(name));
    const began = Date.now();
    const begun = new Set<string>();
    const results = await compileWatched(batch, context, {
      // A request for another template waits only for templates of the batch that have started.
      mayBegin: ({ name }) => {
        const isUrgent = this.#changes !== undefined || this.#builds.isFirstElsewhere(begun);
        if (isUrgent && begun.size > 0 && !begun.has(name)) return false;
        begun.add(name);
        return true;
      },
      patienceMs: () => this.#patienceWith(names),
      onSlow: () => this.#reportSlow(names),
    });
    if (this.#isClosed) return;
    const ended = new Set(results.map(({ name }) => name));
    for (const name of begun) if (!ended.has(name)) this.#builds.giveUp(name);
    const changed = results
      .filter((result) => !this.#builds.setAside(result) && this.#builds.finish(result))
      .map(({ name }) => name);
    this.#stepped();
    this.#watcher?.follow({ roots: [], files: outsideSources(results.map(dependenciesOf), this.project.roots) }, began);
    if (changed.length > 0) this.events.tell({ kind: "templates", changed: this.#summaries(changed), removed: [] });
    // A template with broken fixtures is only for viewing.
    const whole = batch.map(({ name }) => this.#builds.get(name)).filter((entry) => !entry?.brokenFixtures);
    this.results.tell(whole.flatMap((entry) => entry?.result ?? []));
    if (!isFirstSight || this.#changes || this.#builds.waitingFor([]) !== "others") return;
    this.#isSeen = true;
    const pause = new AbortController();
    this.#endPause = () => pause.abort();
    await this.#wait(FIRST_SIGHT_MS, pause.signal).catch(() => undefined);
  }

  #isBehind(): boolean {
    return this.#changes !== undefined || this.#builds.waitingFor([]) !== "nothing";
  }

  /** How long the compilation of these templates may hold up other work. */
  #patienceWith(names: readonly string[]): number | undefined {
    if (!this.#watcher) return undefined;
    const waiting = this.#changes ? "wanted" : this.#builds.waitingFor(names);
    if (waiting === "nothing") return undefined;
    const times = Math.max(...names.map((name) => this.#builds.timesGivenUp(name)));
    return this.#patienceMs * 2 ** Math.min(waiting === "others" ? times + 1 : times, MOST_DOUBLINGS);
  }

  #reportSlow(names: readonly string[]): void {
    this.#builds.slow(names);
    this.events.tell({ kind: "templates", changed: this.#summaries(names), removed: [] });
    this.#stepped();
  }

  #templates(): UnusableTemplate[] {
    return this.#builds.all().map(({ template }) => template);
  }

  #summaries(names: readonly string[]): TemplateSummary[] {
    return names.flatMap((name) => this.#builds.get(name) ?? []).map(toTemplateSummary);
  }

  /** Problems that prevent work, except those of a single template. */
  #obstacles(): Diagnostic[] {
    const loading = this.project.loaded.diagnostics.filter(
      ({ template }) => template === undefined || !this.#builds.get(template),
    );
    const { trouble } = this.project;
    return [...(trouble ? [trouble] : []), ...loading];
  }

  #reportProject(isChanged = false): boolean {
    const findings = JSON.stringify([this.#obstacles(), this.#found]);
    const isNew = isChanged || findings !== this.#findings;
    this.#findings = findings;
    if (isNew) this.events.tell({ kind: "project" });
    return isNew;
  }

  #reportFindings(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    for (const { name, revision } of entries) this.events.tell({ kind: "report", name, revision });
    this.events.tell({ kind: "templates", changed: entries.map(toTemplateSummary), removed: [] });
  }

  #step(): Promise<void> {
    if (this.#isClosed) throw new PreviewRefusal(503, "The preview is shutting down.");
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #stepped(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

function withIncomplete({ templates, incomplete = [], ...loaded }: LoadedTemplates): LoadedTemplates {
  return { ...loaded, templates: [...templates, ...incomplete] };
}
