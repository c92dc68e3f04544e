import { setTimeout } from "node:timers/promises";
import type { Diagnostic } from "../../../diagnostic.js";
import { Latest } from "../../../latest.js";
import type { SitedHtml } from "../../../render/source/sites.js";
import type { LoadedTemplates } from "../../../template/load.js";
import { hasBody } from "../../../template/read-template.js";
import type { CompiledTemplate } from "../../../template/template.js";
import type { Checked, OpenedProject } from "../access.js";
import type { Builds } from "./builds.js";
import { type Entry, failureOf } from "./entry.js";
import { diagnosticOf } from "./failures.js";
import { siteHtml } from "./sited-html.js";

/** So many are checked together: a change waits for no more than these. */
const TOGETHER = 8;

/** What the page asks for after a change comes first; and what takes a look at all templates waits for a pause of the person. */
const PAUSE_MS = 80;
const LONG_PAUSE_MS = 600;

export interface ChecksOptions {
  readonly builds: Builds;
  /** What it is now, which may be another one when a check ends. */
  readonly project: () => OpenedProject | undefined;
  readonly loaded: () => LoadedTemplates;
  /** Whether somebody may be about to save again: then nothing is begun at once. */
  readonly isPatient: boolean;
  /** Whether there is something to compile, which comes first. */
  readonly isBusy: () => boolean;
  /** Whether everything is compiled, and nothing was given up. */
  readonly isWhole: () => boolean;
  readonly onFound: (entries: readonly Entry[]) => void;
  /** Is given what is about none of the templates. */
  readonly onProject: (diagnostics: readonly Diagnostic[]) => void;
}

/** Finds what is wrong with templates, behind showing them. */
export class Checks {
  readonly #options: ChecksOptions;
  readonly #sited = new Latest<SitedHtml>(8);
  /** What each template by itself is found to have, and what only a look at all of them adds. */
  readonly #alone = new Map<string, readonly Diagnostic[]>();
  #together = new Map<string, readonly Diagnostic[]>();
  /** Names and revisions of all when they were last looked at together. */
  #looked = "";
  /** Until there is nothing more to check now. */
  running: Promise<void> | undefined;
  #isWanted = false;
  #preferred: string | undefined;
  readonly #ending = new AbortController();

  constructor(options: ChecksOptions) {
    this.#options = options;
  }

  /** Checks this one before others. */
  prefer(name: string): void {
    this.#preferred = name;
  }

  /** Checks what has not been, until there is something to compile. */
  run(): void {
    this.#isWanted = true;
    this.running ??= this.#runWanted().finally(() => (this.running = undefined));
  }

  /** Where the elements of this very build were written; undefined where that is not known, or not any more. */
  sitedOf(compiled: CompiledTemplate): SitedHtml | undefined {
    return this.#sited.get(keyOf(compiled));
  }

  /** Finds out what `sitedOf` does not know, or has forgotten: of what was compiled, not before it is checked. */
  async recall(project: OpenedProject, entry: Entry): Promise<void> {
    const { name, shown, findings } = entry;
    const sited = await siteHtml(entry, project.context(project.assets));
    if (sited && shown) this.#note({ diagnostics: [], sited: [{ name, hash: shown.result.compiled.hash, sited }] });
    else if (findings) this.#note(await project.check(only([entry]), false));
  }

  /** Begins nothing any more. */
  close(): void {
    this.#ending.abort();
  }

  /** What is asked for while this runs is not forgotten. */
  async #runWanted(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.#run();
    }
  }

  async #run(): Promise<void> {
    const { builds, isBusy } = this.#options;
    for (;;) {
      await this.#pause(PAUSE_MS);
      const project = this.#options.project();
      if (isBusy() || !project) return;
      const due = builds.all().filter((entry) => isShown(entry) && !entry.findings);
      const preferred = due.filter(({ name }) => name === this.#preferred);
      const entries = preferred.length > 0 ? preferred : due.slice(0, TOGETHER);
      if (entries.length === 0) return this.#look(project);
      const found = await this.#check(project, entries);
      // One that was closed meanwhile has nothing to say.
      if (project !== this.#options.project()) continue;
      const byName = grouped(found);
      for (const { name } of entries) this.#alone.set(name, byName.get(name) ?? []);
      this.#tell(entries, ({ name }) => [...(this.#alone.get(name) ?? []), ...(this.#together.get(name) ?? [])]);
    }
  }

  /** A check that fails is a finding. */
  async #check(project: OpenedProject, entries: readonly Entry[]): Promise<readonly Diagnostic[]> {
    try {
      const checked = await project.check(only(entries), false);
      this.#note(checked);
      return checked.diagnostics;
    } catch (error) {
      return entries.flatMap(({ name, result }) => [...(result?.diagnostics ?? []), diagnosticOf(error, name)]);
    }
  }

  /** Looks at all templates together: what each is by itself is known from before. */
  async #look(project: OpenedProject): Promise<void> {
    if (!this.#options.isWhole()) return;
    const entries = this.#options.builds.all().filter(isShown);
    const loaded = this.#options.loaded();
    const looked = JSON.stringify(entries.map(({ name, revision }) => [name, revision]));
    if (looked === this.#looked) return;
    await this.#pause(LONG_PAUSE_MS);
    if (this.#options.isBusy() || !this.#options.isWhole()) return;
    this.#looked = looked;
    try {
      const { diagnostics } = await project.check(loaded, true);
      const byName = grouped(diagnostics);
      this.#together = new Map(entries.map(({ name }) => [name, added(byName.get(name), this.#alone.get(name))]));
      this.#tell(entries, ({ name }) => byName.get(name) ?? []);
      this.#options.onProject(added(byName.get(undefined), loaded.diagnostics));
    } catch (error) {
      this.#options.onProject([diagnosticOf(error)]);
    }
  }

  #tell(entries: readonly Entry[], found: (entry: Entry) => readonly Diagnostic[]): void {
    const { builds, onFound } = this.#options;
    const changed = entries.filter((entry) => builds.found(entry.name, entry.revision, found(entry)));
    onFound(changed.flatMap(({ name }) => builds.get(name) ?? []));
  }

  async #pause(ms: number): Promise<void> {
    if (this.#options.isPatient)
      await setTimeout(ms, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }

  #note({ sited }: Checked): void {
    for (const each of sited) this.#sited.set(keyOf(each), each.sited);
  }
}

/** Whether the newest sources are what is shown. */
function isShown(entry: Entry): boolean {
  return entry.result !== undefined && !failureOf(entry);
}

function keyOf({ name, hash }: Pick<CompiledTemplate, "name" | "hash">): string {
  return `${name} ${hash}`;
}

function only(entries: readonly Entry[]): LoadedTemplates {
  const templates = entries.map(({ template }) => template).filter(hasBody);
  return { templates, names: new Set(templates.map(({ name }) => name)), diagnostics: [] };
}

function grouped(diagnostics: readonly Diagnostic[]): Map<string | undefined, Diagnostic[]> {
  const groups = new Map<string | undefined, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const group = groups.get(diagnostic.template);
    if (group) group.push(diagnostic);
    else groups.set(diagnostic.template, [diagnostic]);
  }
  return groups;
}

/** What is in the first list and not in the second. */
function added(all: readonly Diagnostic[] = [], alone: readonly Diagnostic[] = []): Diagnostic[] {
  const known = new Set(alone.map((each) => JSON.stringify(each)));
  return all.filter((each) => !known.has(JSON.stringify(each)));
}
