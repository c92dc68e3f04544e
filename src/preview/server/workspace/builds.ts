import type { Diagnostic } from "../../../diagnostic.js";
import { isAffected, dependenciesOf } from "../../../render/dependencies.js";
import type { LoadedTemplates } from "../../../project/load-templates.js";
import { hasBody } from "../../../project/read-template.js";
import type { CompileResult, Template } from "../../../project/template.js";
import { type Entry, outlineOf, type ShownBuild } from "./entry.js";
import {
  shownFixtures,
  unreadableFixtures,
  withoutFailedSample,
  withoutBrokenFixtures,
  withSample,
} from "./fixtures.js";

/** What has to be checked for changes. */
export interface Changes {
  /** Files that were written, added or removed, as absolute paths. */
  readonly files: ReadonlySet<string>;
  /** Whether anything else may have changed too. */
  readonly isAll: boolean;
}

/** A template, and its place in the queue of templates to compile. */
interface TemplateState {
  entry: Entry;
  /**
   * Set while the newest sources are not compiled: "saved" if an edit of a compiled template was saved, which comes first;
   * "unsure" if it may not have changed at all.
   */
  due?: "saved" | "changed" | "unsure" | undefined;
  /** The number of the last request for it, which increases with each request for any template. */
  requested?: number;
  /** Whether a request waits for it. */
  isAwaited?: boolean;
  /** How many times compiling it was interrupted because other work was waiting; 0 if it only was slow to fail. */
  interruptions?: number | undefined;
}

/** The builds of all templates, and the queue of templates to compile. */
export class Builds {
  readonly #states = new Map<string, TemplateState>();
  #revisions = 0;
  #requests = 0;

  get(name: string): Entry | undefined {
    return this.#states.get(name)?.entry;
  }

  /** Sorted by name. */
  all(): Entry[] {
    return [...this.#states.values()].map(({ entry }) => entry).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Notes a request for a template, which is compiled before others from now on. */
  request(name: string): void {
    this.#requests += 1;
    const state = this.#states.get(name);
    if (state) state.requested = this.#requests;
  }

  /** Whether a template was requested last, so that the user is still looking at it. */
  isLookedAt(name: string): boolean {
    return this.#requests > 0 && this.#states.get(name)?.requested === this.#requests;
  }

  /**
   * Whether a request has to wait for this template: it is to be compiled, and either that doesn't take long or there is no
   * older version to show meanwhile. Notes that a request waits.
   */
  await(name: string): boolean {
    const state = this.#states.get(name);
    if (!state?.due || (state.entry.isCompiling && state.entry.shown)) return false;
    state.isAwaited = true;
    return true;
  }

  isAwaited(name: string): boolean {
    const state = this.#states.get(name);
    return state !== undefined && isAwaited(state);
  }

  /**
   * Takes over the current content of the templates roots.
   *
   * @returns Names of templates that have changed already, and of those that were removed.
   */
  load(
    { templates: whole, incomplete = [], unusable = [], names, diagnostics }: LoadedTemplates,
    roots: readonly string[],
    { files, isAll }: Changes,
  ): { readonly changed: string[]; readonly removed: string[] } {
    const changed: string[] = [];
    const problemsOf = (name: string) => diagnostics.filter(({ template }) => template === name);
    const removed = [...this.#states.keys()].filter((name) => !names.has(name));
    for (const name of removed) this.#states.delete(name);
    const templates = [...whole, ...incomplete];
    for (const template of templates) {
      const { name } = template;
      const state = this.#states.get(name);
      const before = state?.entry;
      const isTouched = isAffected(before?.made, roots, files);
      if (before && !before.unloadable && !isAll && !isTouched) continue;
      const brokenFixtures = incomplete.includes(template) ? unreadableFixtures(problemsOf(name), before) : undefined;
      if (!state) {
        const entry = { name, template, brokenFixtures, revision: this.#nextRevision() };
        this.#states.set(name, { entry, due: "changed" });
        changed.push(name);
        continue;
      }
      const isSameAsBefore = isSame([before?.template, before?.brokenFixtures], [template, brokenFixtures]);
      if (before?.made && isTouched) state.due = "saved";
      else if (isTouched || !isSameAsBefore) state.due = state.due === "saved" ? "saved" : "changed";
      else state.due ??= "unsure";
      state.entry = { ...state.entry, template, brokenFixtures };
    }
    for (const template of unusable) {
      const { name } = template;
      const state = this.#states.get(name);
      if (!state) this.#states.set(name, { entry: { name, template, revision: this.#nextRevision() } });
      // A template that compiled once keeps its last version.
      else if (!state.entry.shown) state.entry = { ...state.entry, template };
    }
    const loaded = new Set(templates.map(({ name }) => name));
    for (const [name, state] of this.#states) {
      if (loaded.has(name)) continue;
      // The last version is shown for as long as the files cannot be read.
      const unloadable = problemsOf(name);
      state.due = undefined;
      if (isSame(state.entry.unloadable, unloadable)) continue;
      const { isCompiling: _, ...rest } = state.entry;
      state.entry = { ...rest, unloadable, findings: undefined, revision: this.#nextRevision() };
      changed.push(name);
    }
    return { changed, removed };
  }

  /**
   * The next templates to compile. A template that a request waits for or that the user looks at comes alone; so do
   * interrupted ones, after all others.
   */
  next(most: number): Template[] {
    const first = this.#first();
    const fresh = this.#fresh();
    const inOrder = [...fresh.filter(({ due }) => due === "saved"), ...fresh.filter(({ due }) => due !== "saved")];
    const batch = first ? [first] : inOrder.slice(0, most);
    if (batch.length === 0) batch.push(...this.#due().toSorted(byInterruptions).slice(0, 1));
    return batch.map(({ entry }) => entry.template).filter(hasBody);
  }

  /** Whether a template other than these comes before all others. */
  isFirstElsewhere(names: ReadonlySet<string>): boolean {
    const first = this.#first();
    return first !== undefined && !names.has(first.entry.name);
  }

  /** The template of the latest request that waits, else the one that the user looks at, if it is to be compiled. */
  #first(): TemplateState | undefined {
    const byRequest = this.#fresh().toSorted((a, b) => (b.requested ?? 0) - (a.requested ?? 0));
    return byRequest.find(isAwaited) ?? byRequest.find(({ entry }) => this.isLookedAt(entry.name));
  }

  #due(): TemplateState[] {
    return [...this.#states.values()].filter(({ due }) => due !== undefined);
  }

  /** Templates to compile, without interrupted ones. */
  #fresh(): TemplateState[] {
    return this.#due().filter(({ interruptions }) => interruptions === undefined);
  }

  /** Whether other templates are to be compiled that were not interrupted, and whether requests wait for them. */
  waitingFor(names: readonly string[]): "nothing" | "others" | "wanted" {
    const due = this.#fresh();
    const others = names.length === 1 ? due.filter(({ entry }) => !names.includes(entry.name)) : due;
    if (others.some(isAwaited)) return "wanted";
    return others.length > 0 ? "others" : "nothing";
  }

  /** Compiles it again when nothing else is left to do, because its code may never end. */
  giveUp(name: string): void {
    const state = this.#states.get(name);
    if (state) state.interruptions = (state.interruptions ?? 0) + 1;
  }

  get hasGivenUp(): boolean {
    return [...this.#states.values()].some(({ interruptions }) => interruptions !== undefined);
  }

  timesGivenUp(name: string): number {
    return this.#states.get(name)?.interruptions ?? 0;
  }

  /** Notes that compiling these templates takes longer than a moment. */
  slow(names: readonly string[]): void {
    for (const name of names) {
      const state = this.#states.get(name);
      if (state?.due) state.entry = { ...state.entry, isCompiling: true };
    }
  }

  /**
   * Removes fixtures if they alone keep a template from compiling, or adds the fixture if it alone is missing. The
   * template is then compiled again.
   *
   * @returns Whether the template was changed.
   */
  setAside(result: CompileResult): boolean {
    const state = this.#states.get(result.name);
    if (!state || state.entry.template !== result.template) return false;
    const { entry } = state;
    const { brokenFixtures = [] } = entry;
    const rest = withSample(result, entry) ?? withoutBrokenFixtures(result, entry);
    if (!rest || brokenFixtures.some(({ isMadeUp }) => isMadeUp)) return false;
    state.entry = { ...entry, template: rest.template, brokenFixtures: [...brokenFixtures, ...rest.broken] };
    if (state.due === "unsure") state.due = "changed";
    return true;
  }

  /** @returns Whether this changes what the page shows. */
  finish(compiled: CompileResult): boolean {
    const state = this.#states.get(compiled.name);
    // The template was loaded again or removed meanwhile. Another result is on its way.
    if (!state || state.entry.template !== compiled.template) return false;
    const { result, entry } = withoutFailedSample(compiled, state.entry);
    const made = dependenciesOf(result);
    const read = withBodies(result);
    const { unloadable, isCompiling, ...rest } = entry;
    const mayBeSame = state.due === "unsure" || !read.compiled;
    state.due = undefined;
    state.isAwaited = false;
    if (read.compiled) state.interruptions = undefined;
    else if (isCompiling) state.interruptions ??= 0;
    if (mayBeSame && !unloadable && isSameBuild(entry.result, read)) {
      state.entry = { ...rest, result: read, made };
      return isCompiling === true;
    }
    const shown = hasCompiled(read) ? shownBuild(read, entry) : entry.shown;
    const build = { result: read, findings: undefined, made, revision: this.#nextRevision() };
    state.entry = { ...rest, ...build, ...(shown && { shown }) };
    return true;
  }

  /** Stores the findings of a check, unless the template has changed since. */
  found(name: string, revision: number, findings: readonly Diagnostic[]): boolean {
    const state = this.#states.get(name);
    if (state?.entry.revision !== revision || isSame(state.entry.findings, findings)) return false;
    state.entry = { ...state.entry, findings };
    return true;
  }

  #nextRevision(): number {
    this.#revisions += 1;
    return this.#revisions;
  }
}

function isAwaited({ due, isAwaited: isWaitedFor }: TemplateState): boolean {
  return due !== undefined && isWaitedFor === true;
}

function byInterruptions(a: TemplateState, b: TemplateState): number {
  return (a.interruptions ?? 0) - (b.interruptions ?? 0);
}

/** Reads the bodies now, because the cache may be emptied while the page is open. */
function withBodies(result: CompileResult): CompileResult {
  return result.compiled ? { ...result, compiled: { ...result.compiled } } : result;
}

function shownBuild(result: ShownBuild["result"], { brokenFixtures }: Entry): ShownBuild {
  const fixtures = shownFixtures({ shown: { result }, brokenFixtures });
  return { result, outline: outlineOf(result.compiled, fixtures) };
}

function hasCompiled(result: CompileResult): result is ShownBuild["result"] {
  return result.compiled !== undefined;
}

function isSameBuild(before: CompileResult | undefined, now: CompileResult): boolean {
  const parts = ({ compiled, diagnostics }: CompileResult) => [compiled?.hash, compiled?.fixtures, diagnostics];
  return before !== undefined && isSame(parts(before), parts(now));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
