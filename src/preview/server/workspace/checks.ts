import { setTimeout } from "node:timers/promises";
import type { Diagnostic } from "../../../diagnostic.js";
import { Latest } from "../../../cache/memoize.js";
import type { PositionedHtml } from "../../../render/source/mapped-text.js";
import type { LoadedTemplates } from "../../../project/load-templates.js";
import { hasBody } from "../../../project/read-template.js";
import type { CompiledTemplate } from "../../../project/template.js";
import type { Checked, OpenedProject } from "../preview-access.js";
import type { Builds } from "./builds.js";
import { type Entry, failureOf } from "./entry.js";
import { diagnosticOf } from "./failures.js";
import { separateDotted } from "../../../mustache/check-variables.js";
import type { CompileContext } from "../../../render/engine.js";

/** Maximum number of templates that are checked together, so that a change does not wait longer. */
const TOGETHER = 8;

/**
 * Pauses in ms: a short one before a check, because requests of the page come first, and a long one before the check of
 * all templates, which waits until the user pauses.
 */
const PAUSE_MS = 80;
const LONG_PAUSE_MS = 600;

export interface ChecksOptions {
  readonly builds: Builds;
  /** The current project, which may have changed when a check ends. */
  readonly project: () => OpenedProject | undefined;
  readonly loaded: () => LoadedTemplates;
  /** Whether the user may be about to save again, so that checks start after a pause. */
  readonly isPatient: boolean;
  /** Whether there is something to compile, which comes first. */
  readonly isBusy: () => boolean;
  /** Whether all templates have compiled and none was interrupted. */
  readonly isWhole: () => boolean;
  readonly onFound: (entries: readonly Entry[]) => void;
  /** Receives findings that are not about a single template. */
  readonly onProject: (diagnostics: readonly Diagnostic[]) => void;
}

/** Checks templates in the background. */
export class BackgroundChecks {
  readonly #options: ChecksOptions;
  readonly #sited = new Latest<PositionedHtml>(8);
  /** The findings of each template checked alone, and those that only a check of all templates adds. */
  readonly #alone = new Map<string, readonly Diagnostic[]>();
  #together = new Map<string, readonly Diagnostic[]>();
  /** Names and revisions of all templates at the last check of all. */
  #versions = "";
  /** Resolves when there is nothing left to check. */
  running: Promise<void> | undefined;
  #isWanted = false;
  readonly #ending = new AbortController();

  constructor(options: ChecksOptions) {
    this.#options = options;
  }

  /** Checks unchecked templates until there is something to compile. */
  run(): void {
    this.#isWanted = true;
    this.running ??= this.#runWanted().finally(() => (this.running = undefined));
  }

  /** Where the elements of exactly this build were written. Undefined if unknown or forgotten. */
  sitedOf(compiled: CompiledTemplate): PositionedHtml | undefined {
    return this.#sited.get(keyOf(compiled));
  }

  /** Restores what `sitedOf` has forgotten. Templates other than HTML must have been checked before. */
  async recall(project: OpenedProject, entry: Entry): Promise<void> {
    const { name, shown, findings } = entry;
    const sited = await siteHtml(entry, project.context(project.assets));
    if (sited && shown) this.#note({ diagnostics: [], sited: [{ name, hash: shown.result.compiled.hash, sited }] });
    else if (findings) this.#note(await project.check(only([entry]), false));
  }

  /** Starts no further checks. */
  close(): void {
    this.#ending.abort();
  }

  /** Repeats if another run was requested meanwhile. */
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
      const preferred = due.filter(({ name }) => builds.isLookedAt(name));
      const entries = preferred.length > 0 ? preferred : due.slice(0, TOGETHER);
      if (entries.length === 0) return this.#checkAll(project);
      const found = await this.#check(project, entries);
      // The project was closed meanwhile, so the findings are out of date.
      if (project !== this.#options.project()) continue;
      const byName = grouped(found);
      for (const { name } of entries) this.#alone.set(name, byName.get(name) ?? []);
      this.#report(entries, ({ name }) => [...(this.#alone.get(name) ?? []), ...(this.#together.get(name) ?? [])]);
    }
  }

  /** A check that fails becomes a finding. */
  async #check(project: OpenedProject, entries: readonly Entry[]): Promise<readonly Diagnostic[]> {
    try {
      const checked = await project.check(only(entries), false);
      this.#note(checked);
      return checked.diagnostics;
    } catch (error) {
      return entries.flatMap(({ name, result }) => [...(result?.diagnostics ?? []), diagnosticOf(error, name)]);
    }
  }

  /** Checks all templates together. The findings of each template alone are known already. */
  async #checkAll(project: OpenedProject): Promise<void> {
    if (!this.#options.isWhole()) return;
    const entries = this.#options.builds.all().filter(isShown);
    const loaded = this.#options.loaded();
    const versions = JSON.stringify(entries.map(({ name, revision }) => [name, revision]));
    if (versions === this.#versions) return;
    await this.#pause(LONG_PAUSE_MS);
    if (this.#options.isBusy() || !this.#options.isWhole()) return;
    this.#versions = versions;
    try {
      const { diagnostics } = await project.check(loaded, true);
      const byName = grouped(diagnostics);
      this.#together = new Map(entries.map(({ name }) => [name, added(byName.get(name), this.#alone.get(name))]));
      this.#report(entries, ({ name }) => byName.get(name) ?? []);
      this.#options.onProject(added(byName.get(undefined), loaded.diagnostics));
    } catch (error) {
      this.#options.onProject([diagnosticOf(error)]);
    }
  }

  #report(entries: readonly Entry[], findingsOf: (entry: Entry) => readonly Diagnostic[]): void {
    const { builds, onFound } = this.#options;
    const changed = entries.filter((entry) => builds.found(entry.name, entry.revision, findingsOf(entry)));
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

/** Diagnostics in the first list that are not in the second. */
function added(all: readonly Diagnostic[] = [], alone: readonly Diagnostic[] = []): Diagnostic[] {
  const known = new Set(alone.map((each) => JSON.stringify(each)));
  return all.filter((each) => !known.has(JSON.stringify(each)));
}

/**
 * Where the elements of an HTML template were written. This needs no compiler and runs no user code, so it need not
 * wait for a check. Undefined for other templates, and if the files have changed since.
 */
async function siteHtml({ template, shown }: Entry, context: CompileContext): Promise<PositionedHtml | undefined> {
  const compiled = shown?.result.compiled;
  if (!compiled || template.engine !== "html" || !hasBody(template)) return undefined;
  const { rebuildWithPositions } = await import("../../../render/rebuild.js");
  const [{ fields, html } = {}] = await rebuildWithPositions([template], context, "now");
  const body = fields?.html_body;
  if (body === undefined || !html) return undefined;
  const isThis = [body, separateDotted(body, compiled.contract)].includes(compiled.html_body);
  return isThis ? html : undefined;
}
