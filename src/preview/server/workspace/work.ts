import { realpathSync } from "node:fs";
import path from "node:path";
import type { CheckSettings } from "../../../check/settings.js";
import type { AssetsConfig } from "../../../config/define.js";
import type { Diagnostic } from "../../../diagnostic.js";
import { type Asset, listAssets } from "../../../render/assets.js";
import { outsideSources } from "../../../render/concerned.js";
import type { CompileContext } from "../../../render/engine.js";
import type { SitedHtml } from "../../../render/source/sites.js";
import { type LoadedTemplates, loadTemplates } from "../../../template/load.js";
import type { CompileResult, Template } from "../../../template/template.js";
import type { TemplateSummary } from "../../contract.js";
import type { OpenedProject, ProjectAccess } from "../access.js";
import { Refusal } from "../refusal.js";
import { Builds } from "./builds.js";
import { Checks } from "./checks.js";
import { compileBatch } from "./compile-batch.js";
import type { Entry } from "./entry.js";
import { diagnosticOf } from "./failures.js";
import { Listeners } from "./listeners.js";
import type { StateParts } from "./project-state.js";
import { reload } from "./reload.js";
import { summaryOf } from "./summary.js";
import { ProjectWatcher } from "./watcher.js";

/** What happens by itself. */
export type WorkEvent =
  | { readonly kind: "project" }
  | { readonly kind: "templates"; readonly changed: readonly TemplateSummary[]; readonly removed: readonly string[] }
  | { readonly kind: "report"; readonly name: string; readonly revision: number };

/** The first batch is small, so that who asks for another template at the start waits for little. */
const BATCHES = [1, 4, 8, 16] as const;
const MOST = 24;

/** What is to be done for the page, one thing at a time: open, load, compile; and check when there is nothing of that. */
export class Work {
  readonly events = new Listeners<WorkEvent>();
  readonly results = new Listeners<readonly CompileResult[]>();
  readonly #access: ProjectAccess;
  readonly #builds = new Builds();
  readonly #checks: Checks;
  readonly #watcher: ProjectWatcher | undefined;
  readonly #waiting = new Set<() => void>();
  #opened: OpenedProject | undefined;
  #loaded: LoadedTemplates = { templates: [], names: new Set(), diagnostics: [] };
  #context: CompileContext | undefined;
  /** Links resolved. */
  #roots: readonly string[] = [];
  #assets: readonly Asset[] | undefined;
  #isRead = false;
  /** What is wrong with the configuration. */
  #trouble: Diagnostic | undefined;
  /** What checking finds about none of the templates. */
  #found: readonly Diagnostic[] = [];
  #told = "";
  /** What was written, added or removed and not looked at yet; at first everything is. */
  #changes: Set<string> | "all" | undefined = "all";
  #working: Promise<void> | undefined;
  #batches = 0;
  #isClosed = false;

  /** @param watch Whether to follow what changes on the disk. */
  constructor(access: ProjectAccess, watch: boolean) {
    this.#access = access;
    this.#checks = new Checks({
      builds: this.#builds,
      isPatient: watch,
      project: () => this.#opened,
      loaded: () => this.#loaded,
      isBusy: () => this.#isClosed || this.#working !== undefined,
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
    while (this.#builds.isDue(name)) {
      this.#builds.want(name);
      await this.#step();
    }
    return this.#builds.get(name);
  }

  overview(): Pick<StateParts, "project" | "assetsBase" | "templates" | "obstacles" | "found"> {
    const { project, assets } = this.#opened ?? {};
    const assetsBase = assets?.baseUrl.replace(/\/+$/, "");
    const templates = this.entries().map(summaryOf);
    const told = { obstacles: this.#obstacles(), found: this.#found };
    return { project, templates, ...told, ...(assetsBase !== undefined && { assetsBase }) };
  }

  /** @throws {Refusal} The configuration was never readable. */
  context(assets: AssetsConfig | undefined = this.#opened?.assets): CompileContext {
    if (this.#opened) return this.#opened.context(assets);
    throw new Refusal(503, "The project's configuration cannot be read.", "Mend it first: its problem is shown.");
  }

  settings(): CheckSettings {
    const { clients = [], rawVariables = [] } = this.#opened?.project.check ?? {};
    return { clients, rawVariables, network: false };
  }

  async sitedOf(entry: Entry): Promise<SitedHtml | undefined> {
    const compiled = entry.shown?.result.compiled;
    if (!compiled) return undefined;
    if (!this.#checks.sitedOf(compiled) && entry.findings && this.#opened)
      await this.#checks.recall(this.#opened, entry).catch(() => undefined);
    return this.#checks.sitedOf(compiled);
  }

  assets(): readonly Asset[] {
    this.#assets ??= this.#roots.flatMap(listAssets);
    return this.#assets;
  }

  /** Takes in what was written, added or removed: absolute paths, or everything. */
  changed(files: ReadonlySet<string> | "all"): void {
    if (files === "all" || this.#changes === "all") this.#changes = "all";
    else this.#changes = new Set([...(this.#changes ?? []), ...files]);
    this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#checks.close();
    this.#stepped();
    await Promise.all([this.#watcher?.close(), this.#opened?.close()]);
    await this.#working;
  }

  #start(): void {
    this.#working ??= this.#run()
      .catch((error: unknown) => {
        this.#trouble = diagnosticOf(error);
        this.#tellProject();
      })
      .then(() => {
        this.#working = undefined;
        this.#stepped();
        if (this.#isClosed) return;
        if (this.#changes) this.#start();
        else this.#checks.run();
      });
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      if (this.#changes) await this.#take(this.#changes);
      const batch = this.#builds.next(BATCHES[this.#batches] ?? MOST);
      if (batch.length === 0 && !this.#changes) return;
      if (batch.length > 0) await this.#compile(batch);
    }
  }

  /** Opens the project where it is not, or may be another one, and sees which templates there are. */
  async #take(changes: ReadonlySet<string> | "all"): Promise<void> {
    this.#changes = undefined;
    const files = changes === "all" ? undefined : changes;
    const isOther = (!files || this.#trouble || this.#configures(files)) && (await this.#open());
    this.#assets = undefined;
    this.#isRead = true;
    if (!this.#opened) {
      this.#follow();
      this.#tellProject();
      return;
    }
    const changedFiles = isOther ? undefined : files;
    this.#roots = this.#opened.project.roots.map(realPath);
    this.#load(this.#opened, changedFiles);
    this.#context = this.#opened.context(this.#opened.assets);
    const { changed, removed } = this.#builds.load(this.#loaded, this.#roots, changedFiles);
    this.#follow();
    if (!this.#tellProject(isOther) && changed.length + removed.length > 0)
      this.events.tell({ kind: "templates", changed: this.#summaries(changed), removed });
  }

  #load({ project }: OpenedProject, files: ReadonlySet<string> | undefined): void {
    try {
      const templates = this.#builds.all().map(({ template }) => template);
      this.#loaded = files ? reload(this.#loaded, templates, this.#roots, files) : loadTemplates(project.roots);
    } catch (error) {
      this.#loaded = { ...this.#loaded, diagnostics: [diagnosticOf(error)] };
    }
  }

  /** @returns Whether the project is another one now. */
  async #open(): Promise<boolean> {
    try {
      const next = await this.#access.open();
      this.#trouble = undefined;
      if (this.#opened && JSON.stringify(next.project) === JSON.stringify(this.#opened.project)) {
        await next.close();
        return false;
      }
      void this.#opened?.close();
      this.#opened = next;
      return true;
    } catch (error) {
      this.#trouble = diagnosticOf(error);
      return false;
    }
  }

  #configures(files: ReadonlySet<string>): boolean {
    const { folder } = this.#access;
    const known = new Set(this.#access.configurationFiles());
    return [...files].some(
      (file) =>
        known.has(file) || (path.dirname(file) === folder && path.basename(file).startsWith("lettershop.config.")),
    );
  }

  async #compile(batch: readonly Template[]): Promise<void> {
    const context = this.#context;
    if (!context) return;
    this.#batches += 1;
    const results = await compileBatch(batch, context);
    if (this.#isClosed) return;
    const changed = results.filter((result) => this.#builds.finish(result)).map(({ name }) => name);
    this.#stepped();
    this.#follow();
    if (changed.length > 0) this.events.tell({ kind: "templates", changed: this.#summaries(changed), removed: [] });
    this.results.tell(batch.flatMap(({ name }) => this.#builds.get(name)?.result ?? []));
  }

  /** Watches what there is now. */
  #follow(): void {
    this.#watcher?.follow({
      roots: this.#opened?.project.roots ?? [],
      files: [...this.#access.configurationFiles(), ...outsideSources(this.#builds.made(), this.#roots)],
    });
  }

  #summaries(names: readonly string[]): TemplateSummary[] {
    return names.flatMap((name) => this.#builds.get(name) ?? []).map(summaryOf);
  }

  /** What stands in the way, but for what is said of a template. */
  #obstacles(): Diagnostic[] {
    const loading = this.#loaded.diagnostics.filter(
      ({ template }) => template === undefined || !this.#builds.get(template),
    );
    return [...(this.#trouble ? [this.#trouble] : []), ...loading];
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

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder; // not there yet
  }
}
