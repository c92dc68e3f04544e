import type { Diagnostic } from "../../../diagnostic.js";
import { isAffected, dependenciesOf, type Dependencies } from "../../../render/dependencies.js";
import type { LoadedTemplates } from "../../../project/load-templates.js";
import { hasBody } from "../../../project/read-template.js";
import type { CompileResult, Template } from "../../../project/template.js";
import type { Changes } from "./changes.js";
import { shownFixtures, unreadableFixtures, withoutMisfits } from "./broken-fixtures.js";
import type { Entry, ShownBuild } from "./entry.js";
import { withoutFailedSample, withSample } from "./made-up-fixture.js";
import { outlineOf } from "./outline.js";

/** The builds of all templates, and the queue of templates to compile. */
export class Builds {
  readonly #entries = new Map<string, Entry>();
  /** Names of templates to compile. Saved templates come first. */
  #due = new Set<string>();
  /** Templates in `#due` that a request waits for, the latest last. */
  readonly #wanted = new Set<string>();
  /** Templates in `#due` that are not known to have changed. */
  readonly #unsure = new Set<string>();
  /** How many times a template's compilation was interrupted because other work was waiting. */
  readonly #givenUp = new Map<string, number>();
  /** The template that was requested last, which the user is still looking at. */
  #lookedAt: string | undefined;
  #revisions = 0;

  get(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  /** Sorted by name. */
  all(): Entry[] {
    return [...this.#entries.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  made(): Dependencies[] {
    return [...this.#entries.values()].flatMap(({ made }) => made ?? []);
  }

  isDue(name: string): boolean {
    return this.#due.has(name);
  }

  isWanted(name: string): boolean {
    return this.#wanted.has(name);
  }

  /** Whether compiling takes long and an older version can be shown meanwhile. */
  isShownMeanwhile(name: string): boolean {
    const entry = this.#entries.get(name);
    return entry?.isCompiling === true && entry.shown !== undefined;
  }

  /** Compiles this template before others whenever it changes. */
  prefer(name: string): void {
    this.#lookedAt = name;
  }

  /** Compiles this template before others. */
  want(name: string): void {
    this.#wanted.delete(name);
    this.#wanted.add(name);
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
    const saved = new Set<string>();
    const templates = [...whole, ...incomplete];
    const removed = [...this.#entries.keys()].filter((name) => !names.has(name));
    for (const name of removed) this.#forget(name);
    for (const template of templates) {
      const before = this.#entries.get(template.name);
      const isTouched = isAffected(before?.made, roots, files);
      if (before && !before.unloadable && !isAll && !isTouched) continue;
      const broken = incomplete.includes(template)
        ? unreadableFixtures(
            diagnostics.filter((each) => each.template === template.name),
            before,
          )
        : undefined;
      const isAsBefore = isSame([before?.template, before?.brokenFixtures], [template, broken]);
      if (isTouched || !isAsBefore) this.#unsure.delete(template.name);
      else if (!this.#due.has(template.name)) this.#unsure.add(template.name);
      this.#due.add(template.name);
      if (before?.made && isTouched) saved.add(template.name);
      if (before) this.#entries.set(template.name, { ...before, template, brokenFixtures: broken });
      else {
        const { name } = template;
        this.#entries.set(name, { name, template, brokenFixtures: broken, revision: this.#next() });
        changed.push(template.name);
      }
    }
    this.#due = new Set([...saved, ...this.#due]);
    for (const template of unusable) {
      const before = this.#entries.get(template.name);
      // A template that compiled once keeps its last version.
      if (before?.shown) continue;
      this.#entries.set(template.name, { ...(before ?? { name: template.name, revision: this.#next() }), template });
    }
    const loaded = new Set(templates.map(({ name }) => name));
    for (const [name, entry] of this.#entries) {
      if (loaded.has(name)) continue;
      // The last version is shown for as long as the files cannot be read.
      const unloadable = diagnostics.filter((diagnostic) => diagnostic.template === name);
      this.#due.delete(name);
      if (isSame(entry.unloadable, unloadable)) continue;
      const { isCompiling: _, ...rest } = entry;
      this.#entries.set(name, { ...rest, unloadable, findings: undefined, revision: this.#next() });
      changed.push(name);
    }
    return { changed, removed };
  }

  /**
   * The next templates to compile. A template that is wanted or looked at comes alone; so do interrupted ones, after
   * all others.
   */
  next(most: number): Template[] {
    const first = this.#first();
    const names = first === undefined ? this.#fresh().slice(0, most) : [first];
    if (names.length === 0) names.push(...[...this.#due].slice(0, 1));
    return names.flatMap((name) => this.#entries.get(name)?.template ?? []).filter(hasBody);
  }

  /** Whether a template other than these is wanted or looked at. */
  isFirstElsewhere(names: ReadonlySet<string>): boolean {
    const first = this.#first();
    return first !== undefined && !names.has(first);
  }

  #first(): string | undefined {
    const isFresh = (name: string) => this.#due.has(name) && !this.#givenUp.has(name);
    return [this.#lookedAt, ...this.#wanted].findLast((name) => name !== undefined && isFresh(name));
  }

  /** Templates to compile, without interrupted ones. */
  #fresh(): string[] {
    return [...this.#due].filter((name) => !this.#givenUp.has(name));
  }

  /** Whether other templates wait that were not interrupted, and whether requests wait for them. */
  waitingFor(names: readonly string[]): "nothing" | "others" | "wanted" {
    const due = this.#fresh();
    const others = names.length === 1 ? due.filter((name) => !names.includes(name)) : due;
    if (others.some((name) => this.#wanted.has(name))) return "wanted";
    return others.length > 0 ? "others" : "nothing";
  }

  /** Compiles it again when nothing else is left to do, because its code may never end. */
  giveUp(name: string): void {
    this.#due.delete(name);
    if (!this.#entries.has(name)) return;
    this.#due.add(name);
    this.#givenUp.set(name, this.timesGivenUp(name) + 1);
  }

  get hasGivenUp(): boolean {
    return this.#givenUp.size > 0;
  }

  timesGivenUp(name: string): number {
    return this.#givenUp.get(name) ?? 0;
  }

  /** Notes that compiling these templates takes longer than a moment. */
  slow(names: readonly string[]): void {
    for (const name of names) {
      const entry = this.#entries.get(name);
      if (entry && this.#due.has(name)) this.#entries.set(name, { ...entry, isCompiling: true });
    }
  }

  /**
   * Removes fixtures if they alone keep a template from compiling, or adds the fixture if it alone is missing. The
   * template is then compiled again.
   *
   * @returns Whether the template was changed.
   */
  setAside(result: CompileResult): boolean {
    const entry = this.#entries.get(result.name);
    if (!entry || entry.template !== result.template) return false;
    const rest = withSample(result, entry) ?? withoutMisfits(result, entry);
    if (!rest || entry.brokenFixtures?.some(({ isMadeUp }) => isMadeUp)) return false;
    const { brokenFixtures = [] } = entry;
    this.#entries.set(result.name, {
      ...entry,
      template: rest.template,
      brokenFixtures: [...brokenFixtures, ...rest.broken],
    });
    this.#unsure.delete(result.name);
    return true;
  }

  /** @returns Whether this changes what the page shows. */
  finish(compiled: CompileResult): boolean {
    const { name, template } = compiled;
    const known = this.#entries.get(name);
    // The template was loaded again or removed meanwhile. Another result is on its way.
    if (!known || known.template !== template) return false;
    const { result, entry } = withoutFailedSample(compiled, known);
    this.#due.delete(name);
    this.#wanted.delete(name);
    const made = dependenciesOf(result);
    const read = withBodies(result);
    const { unloadable, isCompiling, ...rest } = entry;
    if (read.compiled) this.#givenUp.delete(name);
    else if (isCompiling) this.#givenUp.set(name, this.timesGivenUp(name));
    const mayBeSame = this.#unsure.delete(name) || !read.compiled;
    if (mayBeSame && !unloadable && isSameBuild(entry.result, read)) {
      this.#entries.set(name, { ...rest, result: read, made });
      return isCompiling === true;
    }
    const shown = hasCompiled(read) ? shownBuild(read, entry) : entry.shown;
    this.#entries.set(name, {
      ...rest,
      result: read,
      findings: undefined,
      made,
      ...(shown && { shown }),
      revision: this.#next(),
    });
    return true;
  }

  /** Stores the findings of a check, unless the template has changed since. */
  found(name: string, revision: number, findings: readonly Diagnostic[]): boolean {
    const entry = this.#entries.get(name);
    if (entry?.revision !== revision || isSame(entry.findings, findings)) return false;
    this.#entries.set(name, { ...entry, findings });
    return true;
  }

  #forget(name: string): void {
    this.#entries.delete(name);
    this.#due.delete(name);
    this.#wanted.delete(name);
    this.#unsure.delete(name);
    this.#givenUp.delete(name);
  }

  #next(): number {
    this.#revisions += 1;
    return this.#revisions;
  }
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
