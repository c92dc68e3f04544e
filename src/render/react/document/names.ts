import { ConditionNames } from "../../../mustache/condition-names.js";
import { nameProblem } from "../../../mustache/names.js";
import type { HtmlLayout } from "../../../mustache/tokens.js";
import type { OwnName } from "../../../mustache/check-variables.js";
import type { Condition } from "../../../mustache/variables.js";
import { type Computation, type Expression, indexIn, loopsIn } from "../runtime/expression.js";
import { pathExpression } from "../runtime/expressions.js";
import type { ListSection } from "./list-sections.js";
import { portable } from "./portable.js";
import { type Unsupported } from "../runtime/rendering.js";
import { type AccessPath, type Loop, type SourceRange, type Test, testedPath } from "../runtime/symbolic.js";

/** A section around a place: over a list, which opens a scope, or over a boolean. */
export type SectionScope = ListScope | { readonly kind: "boolean" };

export interface ListScope {
  readonly kind: "item";
  readonly loop: Loop;
  readonly section: ListSection;
  /** The sections' names from the outermost to this one, as in conditions on its items. */
  readonly within: readonly string[];
  /** The member that holds each item, if items are wrapped in objects. */
  readonly as: string | undefined;
}

/** A name that belongs to items, or to the top-level variables, with its source position. */
export interface LocatedOwnName extends OwnName {
  /** Absent for top-level variables. */
  readonly list?: AccessPath | undefined;
  readonly site?: SourceRange | undefined;
}

/** A variable as a tag names it, and the scope of a condition on it. */
interface ScopedName {
  readonly within: readonly string[];
  readonly names: readonly string[];
  /** Whether the first name was added by a condition. */
  readonly isAdded: boolean;
}

/** A computation with the name of its result. */
export interface NamedComputation extends Computation {
  readonly name: string;
}

/**
 * Assigns names to variables and conditions. The name that reaches a variable depends on the sections around the place;
 * variables that no name can reach are reported.
 */
export class MustacheNames {
  readonly findings: Unsupported[] = [];
  /** Whether names assigned from now on should be short. */
  isBrief = false;
  readonly #conditions = new ConditionNames();
  readonly #own = new Map<string, LocatedOwnName>();
  readonly #hidden: ReadonlySet<string>;

  /** Known top-level variables; undefined if no others are allowed. */
  readonly #shown: readonly string[] | undefined;
  readonly #computations: ReadonlyMap<string, Computation>;
  readonly #computed = new Map<string, NamedComputation>();

  /**
   * @param known Names that belong to items although there is no other evidence: they hide outer variables.
   * @param computations By their keys.
   */
  constructor(
    known: readonly LocatedOwnName[],
    shown: readonly string[] | undefined,
    computations: ReadonlyMap<string, Computation>,
  ) {
    this.#hidden = new Set(known.flatMap(({ list, name }) => (list ? [ownKey(list, name)] : [])));
    this.#shown = shown;
    this.#computations = computations;
  }

  /** The computations whose results have names. Several in different places of the source may have the same name. */
  get computed(): readonly NamedComputation[] {
    return [...this.#computed.values()];
  }

  get conditions(): readonly Condition[] {
    return this.#conditions.list;
  }

  /** Names of items without evidence that items have them: Mustache might use an outer variable instead. */
  get ownNames(): readonly LocatedOwnName[] {
    return [...this.#own.values()];
  }

  variable(path: AccessPath, scopes: readonly SectionScope[]): string {
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

  /** The name of what a tag prints: of a variable that may be a list or an object elsewhere, the computed text. */
  printed(path: AccessPath, scopes: readonly SectionScope[]): string {
    const isPart = path.excluded?.some((type) => type === "list" || type === "object");
    const of = isPart === true ? pathExpression(path, this.#computations) : undefined;
    if (!of) return this.variable(path, scopes);
    const { within, names } = this.#placeExpression({ kind: "child", of }, path, scopes);
    const [name = ""] = names;
    this.#checkHidden(path, name, within, this.#innerScopes(path, scopes));
    return name;
  }

  /** A name whose first part is added by a condition. */
  #unhidden(
    path: AccessPath,
    { within, names, isAdded }: ScopedName,
    inner: readonly SectionScope[],
  ): readonly string[] {
    const [first = "", ...rest] = names;
    const name = isAdded ? first : this.#nameFor({ within, path: first, test: { kind: "value" } });
    this.#checkHidden(path, name, within, inner);
    return [name, ...rest];
  }

  /** The layout of a variable that prints computed HTML. */
  layout({ names: [first = ""] }: AccessPath): HtmlLayout | undefined {
    const computation = this.#computations.get(first);
    return computation && (computation.layout ?? "inline");
  }

  /** The name of the boolean for a test. */
  condition(test: Test, scopes: readonly SectionScope[]): string {
    const path = testedPath(test);
    // A computed boolean is tested, because only the names of conditions are known to be booleans.
    const isComputed = this.#computations.has(path.names[0] ?? "");
    const isItself = test.question.kind === "itself" || test.question.kind === "type";
    const question = isComputed && isItself ? TRUTHY : test.question;
    if (question.kind === "itself" || question.kind === "type") return this.variable(path, scopes);
    const { within, names } = this.#place(path, scopes);
    const testsPosition = question.kind === "among-first" || question.kind === "among-last";
    const name = this.#nameFor({ within, path: testsPosition ? "." : dotted(names), test: question });
    this.#checkHidden(path, name, within, this.#innerScopes(path, scopes));
    return name;
  }

  section(
    section: ListSection,
    scopes: readonly SectionScope[],
    isWrapped: boolean,
  ): { readonly name: string; readonly entered: ListScope } {
    const { loop } = section;
    const copy = section.isCopied ? this.#placeCopy(section, scopes) : undefined;
    const { within, names } = copy ?? this.#place(loop.list, scopes);
    const items = isWrapped ? this.#conditions.itemsOf(within, dotted(names)) : undefined;
    const name = items?.name ?? (copy ? dotted(names) : this.variable(loop.list, scopes));
    return { name, entered: { kind: "item", loop, section, within: [...within, name], as: items?.as } };
  }

  /** The loops on whose items a value depends. */
  loopsOf({ names: [first = ""], loop }: AccessPath): readonly Pick<Loop, "id">[] {
    const computation = this.#computations.get(first);
    return computation ? loopsIn(computation.expression) : loop ? [loop] : [];
  }

  #place(path: AccessPath, scopes: readonly SectionScope[]): ScopedName {
    const computation = this.#computations.get(path.names[0] ?? "");
    if (computation) return this.#placeComputed(computation, path, scopes);
    const around = path.loop && innermostOf([path.loop], scopes);
    const within = around?.within ?? [];
    if (around?.as === undefined) this.#noteOwn(path, within);
    const start: ScopedName = {
      within,
      names: around?.as === undefined ? [] : [around.as],
      isAdded: around?.as !== undefined,
    };
    return this.#follow(path, path.names, start);
  }

  /** Follows names from a place: what a tag can't name is added under a name. */
  #follow(path: AccessPath, names: readonly string[], start: ScopedName): ScopedName {
    const { within } = start;
    return names.reduce((place, step) => {
      const index = indexIn(step);
      if (index === undefined && step !== "[length]") {
        this.#checkName(path, step);
        return { ...place, names: [...place.names, step] };
      }
      const test = index === undefined ? LENGTH : ({ kind: "item", index } as const);
      return { within, names: [this.#nameFor({ within, path: dotted(place.names), test })], isAdded: true };
    }, start);
  }

  #placeComputed(computation: Computation, path: AccessPath, scopes: readonly SectionScope[]): ScopedName {
    const place = this.#placeExpression(computation.expression, path, scopes);
    const [name] = place.names;
    if (name === undefined) return place;
    this.#computed.set(`${name} ${computation.key}`, { name, ...computation });
    return this.#follow(path, path.names.slice(1), place);
  }

  /** @param around The section to whose items the result is added. */
  #placeExpression(
    of: Expression,
    path: AccessPath,
    scopes: readonly SectionScope[],
    around = innermostOf(loopsIn(of), scopes),
  ): ScopedName {
    const within = around?.within ?? [];
    const expression = portable(of, (loop) => {
      const scope = innermostOf([loop], scopes);
      return scope && { number: scope.within.length, as: scope.as };
    });
    if (!expression) {
      this.#report(path, "uses an item of a list outside the list", "Print it inside the .map that it comes from.");
      return { within, names: [], isAdded: true };
    }
    const name = this.#nameFor({ within, path: ".", test: { kind: "computed", expression } });
    return { within, names: [name], isAdded: true };
  }

  /** A copy of a list for each item of a section around. */
  #placeCopy({ loop: { list }, home }: ListSection, scopes: readonly SectionScope[]): ScopedName | undefined {
    const around = scopes.filter(isListScope).findLast(({ section }) => section === home);
    const of = pathExpression(list, this.#computations);
    return of && this.#placeExpression(of, list, scopes, around);
  }

  #checkName(path: AccessPath, name: string): void {
    const problem = nameProblem(name);
    const hint = "Add it under another name in derive (variables.ts).";
    if (problem !== undefined) this.#report(path, `has the name "${name}", which a tag can't use: ${problem}`, hint);
  }

  #noteOwn({ loop, names: [name], site }: AccessPath, within: readonly string[]): void {
    const shown = loop ? loop.list.shape.items().names : this.#shown;
    if (name === undefined || name.startsWith("[") || !shown || shown.includes(name)) return;
    const key = JSON.stringify([within, name]);
    if (!this.#own.has(key)) this.#own.set(key, { within, name, list: loop?.list, site });
  }

  /** Whether an item of a section hides a name further out. */
  #hides(scope: SectionScope, name: string, { within, isAdded }: ScopedName): boolean {
    if (scope.kind === "boolean") return false;
    // Two sections over the same list: variables added to its items exist in both.
    if (isAdded) return within.length > 0 && scope.within.join(" ") === within.join(" ");
    const { list } = scope.loop;
    const items = list.shape.items();
    const mayHave = !items.isKnown || items.member(name) !== undefined || this.#hidden.has(ownKey(list, name));
    return scope.as === undefined && mayHave;
  }

  /** The sections between the place and the beginning of the path, outermost first. */
  #innerScopes(path: AccessPath, scopes: readonly SectionScope[]): readonly SectionScope[] {
    const loops = this.loopsOf(path);
    if (loops.length === 0) return scopes;
    const around = innermostOf(loops, scopes);
    if (!around) {
      const hint = "Print it inside the .map that it comes from.";
      this.#report(path, "uses an item of a list outside the list", hint);
    }
    return around ? scopes.slice(scopes.indexOf(around) + 1) : [];
  }

  /** A variable added to the items of a list hides itself if the list is iterated again inside. */
  #checkHidden(path: AccessPath, name: string, within: readonly string[], inner: readonly SectionScope[]): void {
    const hiding = inner.find((scope) => this.#hides(scope, name, { within, names: [name], isAdded: true }));
    if (hiding?.kind !== "item") return;
    const list = hiding.loop.list.variable.names.join(".") || "the list";
    this.#report(path, `is used where ${list} is iterated inside itself, so that one item hides the other`, HINT);
  }

  #nameFor(condition: Omit<Condition, "name">): string {
    return this.#conditions.nameFor(condition, this.isBrief);
  }

  #report(path: AccessPath, problem: string, hint: string): void {
    const site = path.site ?? path.loop?.site;
    this.findings.push({ problem, hint, variable: path.variable, site });
  }
}

const LENGTH = { kind: "length" } as const;
const TRUTHY = { kind: "truthy" } as const;

const HINT = "In derive (variables.ts), copy what you need from the outer item to the items of the inner list.";

function isListScope(scope: SectionScope): scope is ListScope {
  return scope.kind === "item";
}

/** The innermost section over one of several lists. */
function innermostOf(loops: readonly Pick<Loop, "id">[], scopes: readonly SectionScope[]): ListScope | undefined {
  const ids = new Set(loops.map(({ id }) => id));
  return scopes.filter(isListScope).findLast(({ loop }) => ids.has(loop.id));
}

function ownKey(list: AccessPath, name: string): string {
  return JSON.stringify([list.variable, name]);
}

function dotted(names: readonly string[]): string {
  return names.join(".") || ".";
}
