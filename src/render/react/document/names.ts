import { ConditionNames } from "../../../mustache/condition-names.js";
import type { Condition } from "../../../mustache/variables.js";
import type { OwnName } from "../../../mustache/check-variables.js";
import { nameProblem } from "../../../mustache/names.js";
import { nameOf, type Finding } from "../runtime/rendering.js";
import type { Loop, Path, Site, Test } from "../runtime/symbolic.js";

/** A section around a place: over a list, which opens a scope, or over a boolean. */
export type Scope = Entered | { readonly kind: "boolean" };

/** A section over a list. */
export interface Entered {
  readonly kind: "item";
  readonly loop: Loop;
  /** The sections' names from the outermost to this one, as in conditions on its items. */
  readonly within: readonly string[];
  /** The member that holds each item, if items are wrapped in objects. */
  readonly as: string | undefined;
}

/** A name that belongs to items, or to the top-level variables, with its source position. */
export interface PositionedOwnName extends OwnName {
  /** Absent for top-level variables. */
  readonly list?: Path;
  readonly site?: Site;
}

/** A variable as a tag names it, and the scope of a condition on it. */
interface Place {
  readonly within: readonly string[];
  readonly names: readonly string[];
  /** Whether the first name was added by a condition. */
  readonly isAdded: boolean;
}

/**
 * Assigns names to variables and conditions. The name that reaches a variable depends on the sections around the place;
 * variables that no name can reach are reported.
 */
export class Names {
  readonly findings: Finding[] = [];
  /** Whether names assigned from now on should be short. */
  isBrief = false;
  readonly #conditions = new ConditionNames();
  readonly #own = new Map<string, PositionedOwnName>();
  readonly #hidden: ReadonlySet<string>;

  /** Known top-level variables; undefined if no others are allowed. */
  readonly #shown: readonly string[] | undefined;

  /** @param known Names that belong to items although there is no other evidence: they hide outer variables. */
  constructor(known: readonly PositionedOwnName[], shown: readonly string[] | undefined) {
    this.#hidden = new Set(known.flatMap(({ list, name }) => (list ? [ownKey(list, name)] : [])));
    this.#shown = shown;
  }

  get conditions(): readonly Condition[] {
    return this.#conditions.list;
  }

  /** Names of items without evidence that items have them: Mustache might use an outer variable instead. */
  get ownNames(): readonly PositionedOwnName[] {
    return [...this.#own.values()];
  }

  /** The name of a variable inside these sections. */
  variable(path: Path, scopes: readonly Scope[]): string {
    const place = this.#place(path, scopes);
    const inner = this.#innerScopes(path, scopes);
    const [first] = place.names;
    if (first === undefined) {
      if (!path.loop) this.#report(path, "prints all variables at once", "Print one of them.");
      return ".";
    }
    const isHidden = inner.some((scope) => this.#hides(scope, first, place));
    return (isHidden ? this.#unhidden(path, place, inner) : place.names).join(".");
  }

  /** A name whose first part is added by a condition. */
  #unhidden(path: Path, { within, names, isAdded }: Place, inner: readonly Scope[]): readonly string[] {
    const [first = "", ...rest] = names;
    const name = isAdded ? first : this.#nameFor({ within, path: first, test: { kind: "value" } });
    this.#checkHidden(path, name, within, inner);
    return [name, ...rest];
  }

  /** The name of the boolean for a test. */
  condition(test: Test, scopes: readonly Scope[]): string {
    const { path, question } = test;
    if (question.kind === "itself") return this.variable(path, scopes);
    const { within, names } = this.#place(path, scopes);
    const testsPosition = question.kind === "among-first" || question.kind === "among-last";
    const name = this.#nameFor({ within, path: testsPosition ? "." : dotted(names), test: question });
    this.#checkHidden(path, name, within, this.#innerScopes(path, scopes));
    return name;
  }

  /** The name of a section over a list, and its scope. */
  section(
    loop: Loop,
    scopes: readonly Scope[],
    isWrapped: boolean,
  ): { readonly name: string; readonly entered: Entered } {
    const { within, names } = this.#place(loop.list, scopes);
    const items = isWrapped ? this.#conditions.itemsOf(within, dotted(names)) : undefined;
    const name = items?.name ?? this.variable(loop.list, scopes);
    return { name, entered: { kind: "item", loop, within: [...within, name], as: items?.as } };
  }

  #place(path: Path, scopes: readonly Scope[]): Place {
    const around = path.loop && entered(path.loop, scopes);
    const within = around?.within ?? [];
    if (around?.as === undefined) this.#noteOwn(path, within);
    const start: Place = {
      within,
      names: around?.as === undefined ? [] : [around.as],
      isAdded: around?.as !== undefined,
    };
    return path.names.reduce((place, step) => {
      const inBrackets = /^\[(.+)\]$/.exec(step)?.[1];
      if (inBrackets === undefined) {
        this.#checkName(path, step);
        return { ...place, names: [...place.names, step] };
      }
      const test = inBrackets === "length" ? LENGTH : ({ kind: "item", index: Number(inBrackets) } as const);
      return { within, names: [this.#nameFor({ within, path: dotted(place.names), test })], isAdded: true };
    }, start);
  }

  #checkName(path: Path, name: string): void {
    const problem = nameProblem(name);
    const hint = "Add it under another name in derive (variables.ts).";
    if (problem !== undefined) this.#report(path, `has the name "${name}", which a tag can't use: ${problem}`, hint);
  }

  #noteOwn({ loop, names: [name], site }: Path, within: readonly string[]): void {
    const shown = loop ? loop.list.shape.items().names : this.#shown;
    if (name === undefined || name.startsWith("[") || !shown || shown.includes(name)) return;
    const key = JSON.stringify([within, name]);
    if (!this.#own.has(key))
      this.#own.set(key, { within, name, ...(loop && { list: loop.list }), ...(site && { site }) });
  }

  /** Whether an item of a section hides a name further out. */
  #hides(scope: Scope, name: string, { within, isAdded }: Place): boolean {
    if (scope.kind === "boolean") return false;
    // Two sections over the same list: variables added to its items exist in both.
    if (isAdded) return within.length > 0 && scope.within.join(" ") === within.join(" ");
    const { list } = scope.loop;
    const items = list.shape.items();
    const mayHave = !items.isKnown || items.member(name) !== undefined || this.#hidden.has(ownKey(list, name));
    return scope.as === undefined && mayHave;
  }

  /** The sections between the place and the beginning of the path, outermost first. */
  #innerScopes(path: Path, scopes: readonly Scope[]): readonly Scope[] {
    if (!path.loop) return scopes;
    const around = entered(path.loop, scopes);
    if (!around) {
      const hint = "Print it inside the .map that it comes from.";
      this.#report(path, "uses an item of a list outside the list", hint);
    }
    return around ? scopes.slice(scopes.indexOf(around) + 1) : [];
  }

  /** A variable added to the items of a list hides itself if the list is iterated again inside. */
  #checkHidden(path: Path, name: string, within: readonly string[], inner: readonly Scope[]): void {
    const hiding = inner.find((scope) => this.#hides(scope, name, { within, names: [name], isAdded: true }));
    if (hiding?.kind !== "item") return;
    const list = nameOf(hiding.loop.list).names.join(".") || "the list";
    this.#report(path, `is used where ${list} is iterated inside itself, so that one item hides the other`, HINT);
  }

  #nameFor(condition: Omit<Condition, "name">): string {
    return this.#conditions.nameFor(condition, this.isBrief);
  }

  #report(path: Path, problem: string, hint: string): void {
    const site = path.site ?? path.loop?.site;
    this.findings.push({ problem, hint, variable: nameOf(path), ...(site && { site }) });
  }
}

const LENGTH = { kind: "length" } as const;

const HINT = "In derive (variables.ts), copy what you need from the outer item to the items of the inner list.";

function entered(loop: Loop, scopes: readonly Scope[]): Entered | undefined {
  return scopes.filter((scope) => scope.kind === "item").findLast((scope) => scope.loop.id === loop.id);
}

function ownKey(list: Path, name: string): string {
  return JSON.stringify([nameOf(list), name]);
}

function dotted(names: readonly string[]): string {
  return names.join(".") || ".";
}
