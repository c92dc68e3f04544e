import { setImmediate as immediate } from "node:timers/promises";
import type { Diagnostic } from "../../../diagnostic.js";
import { madeFrom, outsideSources } from "../../../render/concerned.js";
import type { CompileContext } from "../../../render/engine.js";
import type { SitedHtml } from "../../../render/source/sites.js";
import { ProjectWatcher } from "../../../template/project-watcher.js";
import type { LoadedTemplates } from "../../../template/load.js";
import type { CompileResult, Template, UnusableTemplate } from "../../../template/template.js";
import type { TemplateSummary } from "../../contract.js";
import type { ProjectAccess } from "../access.js";
import { Refusal } from "../refusal.js";
import { Builds } from "./builds.js";
import { type Changes, changesOf, EVERYTHING, joined } from "./changes.js";
import { Checks } from "./checks.js";
import { compileWatched } from "./compiling.js";
import { CurrentProject } from "./current-project.js";
import type { Entry } from "./entry.js";
import { diagnosticOf } from "./failures.js";
import { Listeners } from "./listeners.js";
import { Pause, type Wait } from "./pause.js";
import type { StateParts } from "./project-state.js";
import { summaryOf } from "./summary.js";

/** What happens by itself. */
export type WorkEvent =
  | { readonly kind: "project" }
  | { readonly kind: "templates"; readonly changed: readonly TemplateSummary[]; readonly removed: readonly string[] }
  | { readonly kind: "report"; readonly name: string; readonly revision: number };

/** The first batches are small: what they have in common, as the bundle of components, is not interrupted. */
const BATCHES = [1, 4, 8] as const;
const MOST = 12;
const PATIENCE_MS = 2000;
/** A template's code may run longer each time that it was given up: it may be slow, and not endless. */
const MOST_DOUBLINGS = 2;
/** So long does the machine belong to who draws the first email. */
const FIRST_SIGHT_MS = 400;

export interface WorkOptions {
  /** Whether to follow what changes on the disk. */
  readonly watch: boolean;
  readonly patienceMs?: number;
  /** How the pause after the first sight is waited. */
  readonly wait?: Wait;
}

/** What is to be done for the page, one thing at a time: open, load, compile; and check when there is nothing of that. */
export class Work {
  readonly events = new Listeners<WorkEvent>();
  readonly results = new Listeners<readonly CompileResult[]>();
  readonly project: CurrentProject;
  readonly #builds = new Builds();
  readonly #checks: Checks;
  readonly #watcher: ProjectWatcher | undefined;
  readonly #waiting = new Set<() => void>();
  #context: CompileContext | undefined;
  #isRead = false;
  /** What checking finds about none of the templates. */
  #found: readonly Diagnostic[] = [];
  #told = "";
  /** What was not looked at yet; at first nothing is. */
  #changes: Changes | undefined = EVERYTHING;
  #working: Promise<void> | undefined;
  #batches = 0;
  #isClosed = false;
  /** Whether somebody has been given something to see. */
  #isSeen = false;
  readonly #pause: Pause;
  readonly #patienceMs: number;

  constructor(access: ProjectAccess, { watch, patienceMs = PATIENCE_MS, wait }: WorkOptions) {
    this.#pause = new Pause(wait);
    this.#patienceMs = patienceMs;
    this.project = new CurrentProject(access);
    this.#checks = new Checks({
      builds: this.#builds,
      isPatient: watch,
      project: () => this.project.opened,
      loaded: () => withIncomplete(this.project.loaded),
      // What compiles only after all others may do so for long.
      isBusy: () => this.#isClosed || (this.#working !== undefined && this.#isBehind()),
      isWhole: () => this.#working === undefined && !this.#builds.hasGivenUp,
      onFound: (entries) => this.#tellFound(entries),
      onProject: (diagnostics) => {
        this.#found = diagnostics;
        this.#tellProject();
      },
    });
    if (watch) this.#watcher = new ProjectWatcher(access.folder, (files) => this.changed(files));
    this.#start();
  }

  /** The project was read, or it is known why it can't be. */
  async ready(): Promise<void> {
    while (!this.#isRead) await this.#step();
  }

  /** Everything is compiled. */
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

  /** A template when it is compiled; before others, as somebody waits for it. */
  async entry(name: string): Promise<Entry | undefined> {
    await this.ready();
    this.#checks.prefer(name);
    this.#builds.prefer(name);
    // What compiled before is better than waiting for long.
    while (this.#builds.isDue(name) && !this.#builds.isShownMeanwhile(name)) {
      this.#builds.want(name);
      this.#pause.end();
      await this.#step();
    }
    return this.#builds.get(name);
  }

  overview(): Pick<StateParts, "project" | "assetsBase" | "templates" | "obstacles" | "found"> {
    const { project, assets } = this.project.opened ?? {};
    const assetsBase = assets?.baseUrl.replace(/\/+$/, "");
    const templates = this.entries().map(summaryOf);
    const told = { obstacles: this.#obstacles(), found: this.#found };
    return { project, templates, ...told, ...(assetsBase !== undefined && { assetsBase }) };
  }

  async sitedOf(entry: Entry): Promise<SitedHtml | undefined> {
    const compiled = entry.shown?.result.compiled;
    if (!compiled) return undefined;
    const { opened } = this.project;
    if (!this.#checks.sitedOf(compiled) && opened) await this.#checks.recall(opened, entry).catch(() => undefined);
    return this.#checks.sitedOf(compiled);
  }

  /** Takes in what was written, added or removed: absolute paths, or everything. */
  changed(files: ReadonlySet<string> | "all"): void {
    this.#changes = joined(this.#changes, changesOf(files));
    this.#pause.end();
    this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#pause.end();
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
      this.#tellProject();
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
        // Who has waited for that says now for which template.
        await immediate();
      }
      const batch = this.#builds.next(BATCHES[this.#batches] ?? MOST);
      if (batch.length === 0 && !this.#changes) return;
      if (batch.length > 0 && !this.#isBehind()) this.#checks.run();
      if (batch.length > 0) await this.#compile(batch);
    }
  }

  /** Opens the project where it is not, or may be another one, and sees which templates there are. */
  async #take({ files, isAll }: Changes): Promise<void> {
    this.#changes = undefined;
    const began = Date.now();
    const isOther = await this.project.open(isAll ? undefined : files);
    const { opened } = this.project;
    this.#watcher?.follow(this.project.watched, began);
    this.#isRead = true;
    if (!opened) {
      this.#tellProject();
      return;
    }
    const changes = { files, isAll: isAll || isOther };
    this.project.load(changes.isAll ? undefined : files, this.#templates());
    this.#context = opened.context(opened.assets);
    const { changed, removed } = this.#builds.load(this.project.loaded, this.project.roots, changes);
    if (!this.#tellProject(isOther) && changed.length + removed.length > 0)
      this.events.tell({ kind: "templates", changed: this.#summaries(changed), removed });
  }

  async #compile(batch: readonly Template[]): Promise<void> {
    const context = this.#context;
    if (!context) return;
    this.#batches += 1;
    const names = batch.map(({ name }) => name);
    const isFirstSight =
      !this.#isSeen && this.#watcher !== undefined && names.some((name) => this.#builds.isWanted(name));
    const began = Date.now();
    const begun = new Set<string>();
    const results = await compileWatched(batch, context, {
      // A batch costs somebody who waits for another template no more than what is begun.
      mayBegin: ({ name }) => {
        const isUrgent = this.#changes !== undefined || this.#builds.isFirstElsewhere(begun);
        if (isUrgent && begun.size > 0 && !begun.has(name)) return false;
        begun.add(name);
        return true;
      },
      patienceMs: () => this.#patienceWith(names),
      onSlow: () => this.#tellSlow(names),
    });
    if (this.#isClosed) return;
    const ended = new Set(results.map(({ name }) => name));
    for (const name of begun) if (!ended.has(name)) this.#builds.giveUp(name);
    const changed = results
      .filter((result) => !this.#builds.setAside(result) && this.#builds.finish(result))
      .map(({ name }) => name);
    this.#stepped();
    this.#watcher?.follow({ roots: [], files: outsideSources(results.map(madeFrom), this.project.roots) }, began);
    if (changed.length > 0) this.events.tell({ kind: "templates", changed: this.#summaries(changed), removed: [] });
    // Without its broken fixtures, a template is only to be looked at.
    const whole = batch.map(({ name }) => this.#builds.get(name)).filter((entry) => !entry?.brokenFixtures);
    this.results.tell(whole.flatMap((entry) => entry?.result ?? []));
    if (!isFirstSight || this.#changes || this.#builds.waitingFor([]) !== "others") return;
    this.#isSeen = true;
    await this.#pause.for(FIRST_SIGHT_MS);
  }

  #isBehind(): boolean {
    return this.#changes !== undefined || this.#builds.waitingFor([]) !== "nothing";
  }

  /** How long templates that are compiled may hold up what else there is to do. */
  #patienceWith(names: readonly string[]): number | undefined {
    if (!this.#watcher) return undefined;
    const waiting = this.#changes ? "wanted" : this.#builds.waitingFor(names);
    if (waiting === "nothing") return undefined;
    const times = Math.max(...names.map((name) => this.#builds.timesGivenUp(name)));
    return this.#patienceMs * 2 ** Math.min(waiting === "others" ? times + 1 : times, MOST_DOUBLINGS);
  }

  #tellSlow(names: readonly string[]): void {
    this.#builds.slow(names);
    this.events.tell({ kind: "templates", changed: this.#summaries(names), removed: [] });
    this.#stepped();
  }

  #templates(): UnusableTemplate[] {
    return this.#builds.all().map(({ template }) => template);
  }

  #summaries(names: readonly string[]): TemplateSummary[] {
    return names.flatMap((name) => this.#builds.get(name) ?? []).map(summaryOf);
  }

  /** What stands in the way, but for what is said of a template. */
  #obstacles(): Diagnostic[] {
    const loading = this.project.loaded.diagnostics.filter(
      ({ template }) => template === undefined || !this.#builds.get(template),
    );
    const { trouble } = this.project;
    return [...(trouble ? [trouble] : []), ...loading];
  }

  #tellProject(isOther = false): boolean {
    const told = JSON.stringify([this.#obstacles(), this.#found]);
    const isNew = isOther || told !== this.#told;
    this.#told = told;
    if (isNew) this.events.tell({ kind: "project" });
    return isNew;
  }

  #tellFound(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    for (const { name, revision } of entries) this.events.tell({ kind: "report", name, revision });
    this.events.tell({ kind: "templates", changed: entries.map(summaryOf), removed: [] });
  }

  #step(): Promise<void> {
    if (this.#isClosed) throw new Refusal(503, "The preview is ending.");
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
