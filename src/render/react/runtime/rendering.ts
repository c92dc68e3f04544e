import type { SourcePosition } from "../../../diagnostic.js";
import { token } from "../../../mustache/tokens.js";
import { type Computation, Computations } from "./expression.js";
import { type Fact, Facts, testKey } from "./facts.js";
import type { ComputedElement, ComputingElements, PendingElement } from "./package-elements.js";
import {
  type AccessPath,
  type AssumedPlace,
  isReference,
  type Loop,
  type Refused,
  represent,
  represented,
  restorer,
  type SourceRange,
  type Symbolic,
  type Test,
  type VariableName,
} from "./symbolic.js";

/** The meaning of a token in rendered output. */
export type Token =
  | { readonly kind: "value"; readonly path: AccessPath; readonly raw: boolean }
  /** What follows, up to its close, is included if the test has this result. */
  | { readonly kind: "case"; readonly test: Test; readonly answer: boolean }
  | { readonly kind: "each"; readonly loop: Loop }
  /** The result for the next item; it differs if something is carried from one item to the next. */
  | { readonly kind: "again"; readonly loop: Loop }
  | { readonly kind: "close" }
  | Missing;

/** The word that JavaScript prints for a missing variable. */
export interface Missing {
  readonly kind: "missing";
  readonly path: AccessPath;
  readonly word: "undefined" | "null";
}

/** Something that a component does with a variable and that Mustache can't do. It is plain data, because it crosses threads. */
export interface Unsupported {
  /** Continues the source text, as in `order.total * 2` "is arithmetic". */
  readonly problem: string;
  readonly site?: SourceRange | undefined;
  /** The calls of the project's functions that lead there, outermost first. */
  readonly calls?: readonly SourceRange[];
  readonly variable?: VariableName | undefined;
  /** How to fix it, unless `derive` can compute it. */
  readonly hint?: string | undefined;
  /** Where the time or random numbers are read, if it depends on them. */
  readonly moments?: readonly SourcePosition[];
  /** What `derive` would have to compute. */
  readonly computation?: Computation;
  /** For something that Mustache can do but that is never intended. */
  readonly rule?: "react-undefined";
}

/** Variables, as `variableKey`s. */
export interface Presence {
  /** Variables whose presence a component tests although nothing shows that they may be absent. */
  readonly tested: Set<string>;
  /** What is treated as possibly absent because of that. */
  readonly absentable: ReadonlySet<string>;
}

/** What renderings of the same component share, and the index of the real values that replace variables, if any do. */
interface RenderingOptions {
  readonly presence?: Presence;
  readonly computing?: ComputingElements;
  readonly classRound?: number;
  readonly elementRound?: number;
}

/** A change to something that existed before. */
export interface Change {
  readonly site: SourceRange | undefined;
  /** Undoes it; only for what the component has made. */
  readonly restore: (() => void) | undefined;
}

interface EffectRecord {
  readonly changed: Map<unknown, Change>;
  readonly created: Set<unknown>;
}

/** A variable after it was sorted in place. */
interface SortedVariable {
  /** The key of its path. */
  readonly key: string;
  readonly list: object;
  /** What was assumed then. */
  readonly place: AssumedPlace;
}

/** One rendering with symbolic values: the meanings of its tokens, its findings, its assumptions. */
export class SymbolicRendering {
  readonly tokens: Token[] = [];
  readonly findings: Unsupported[] = [];
  /** Preview texts, which are held back while React renders because their length must not depend on what was rendered before. */
  readonly previews: string[] = [];
  /** Elements of package components, which are verified after rendering. */
  readonly pendingElements: PendingElement[] = [];
  /** Those whose HTML is computed when an email is filled. */
  readonly computedElements: ComputedElement[] = [];
  /** The package components that are known to compute with variables. */
  readonly computing: ComputingElements;
  /** If the computed ones have real values, to compare them in their places: the index of the values used. */
  readonly elementRound: number | undefined;
  /** Variables among class names, with the places of their elements. */
  readonly classVariables = new Set<AccessPath>();
  /** If real class names replace variables: the index of the set used. */
  readonly classRound: number | undefined;
  readonly facts: Facts;
  readonly computed = new Computations();
  /** The calls of the project's functions that are running, outermost first. */
  readonly calls: SourceRange[] = [];
  /** The last place in the project's modules that did something with a value. */
  site: SourceRange | undefined;
  readonly presence: Presence;
  /** Whether endless recursion was found. Findings after that only result from cutting it short. */
  isEndless = false;
  /** How many blocks are around whose errors the component catches. */
  tries = 0;
  /** How many of them are recorded with what replaces their results. */
  attempts = 0;
  /** The loops of lists that are being mapped again, innermost last. */
  readonly mapped: Loop[] = [];
  /** Variables that were sorted in place, by their names. */
  sorted = new Map<string, SortedVariable>();
  /** Whether modules are being loaded, rather than an email rendered. */
  isLoading = false;
  /** The first choice that React reached. */
  firstChoice: Test | undefined;
  readonly #runs: EffectRecord[] = [];
  readonly #made = new WeakMap<object, SourceRange | undefined>();
  readonly #held = new WeakSet<object>();
  #loops = 0;
  readonly #counts = new Map<string, number>();
  readonly #numbers = new Map<string, number>();

  constructor(facts: readonly Fact[] = [], options: RenderingOptions = {}) {
    const { presence, computing, classRound, elementRound } = options;
    this.facts = new Facts(facts);
    this.presence = presence ?? { tested: new Set(), absentable: new Set() };
    this.computing = computing ?? new Map();
    this.classRound = classRound;
    this.elementRound = elementRound;
  }

  /** Whether the component catches errors. */
  get isCaught(): boolean {
    return this.tries + this.attempts > 0;
  }

  token(meaning: Token): string {
    const key = tokenKey(meaning);
    const number = this.#numbers.get(key) ?? this.tokens.push(meaning) - 1;
    this.#numbers.set(key, number);
    return token(number);
  }

  loop(list: AccessPath): Loop {
    this.#loops += 1;
    return { id: this.#loops, list, site: this.site };
  }

  /** How often this was called at the same place in the source. */
  countVisits(): number {
    const place = this.site ? `${this.site.start} ${this.site.file}` : "";
    const count = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, count);
    return count;
  }

  /** Runs a function twice from the same place and with the same loop ids. */
  runTwice<T>(work: () => T): readonly [T, T] {
    const { site } = this;
    const before = this.#loops;
    const sorted = new Map(this.sorted);
    const first = work();
    const after = this.#loops;
    this.site = site;
    this.#loops = before;
    this.sorted = sorted;
    const second = work();
    this.#loops = Math.max(after, this.#loops);
    return [first, second];
  }

  /** Notes that something is about to be changed. */
  recordMutation(what: unknown, restorerOf = restorer): void {
    const runs = this.#runs.filter(({ changed }) => !changed.has(what));
    const restore = runs.length > 0 && isReference(what) && this.hasMade(what) ? restorerOf(what) : undefined;
    for (const { changed } of runs) changed.set(what, { site: this.site, restore });
  }

  /** Notes what the component has made. An object is its own from then on, so that it may change it. */
  recordCreation(what: unknown): void {
    for (const run of this.#runs) run.created.add(what);
    if (isReference(what)) this.#made.set(what, this.site);
  }

  /** Whether the component has made an object. */
  hasMade(object: object): boolean {
    return this.#made.has(object);
  }

  /** Whether an object was made by the code that is running now, such as `[...list]` in `[...list].sort()`. */
  isMadeHere(object: object): boolean {
    const site = this.#made.get(object);
    return site !== undefined && this.site !== undefined && isWithin(site, this.site);
  }

  /** Notes what became a part of a computed value: a later change to it would be lost there. */
  hold(parts: ReadonlySet<unknown>): void {
    for (const part of parts) if (isReference(part)) this.#held.add(part);
  }

  isHeld(object: object): boolean {
    return this.#held.has(object);
  }

  /** Runs a function, and returns which existing things it changed, and where. */
  recordEffects<T>(work: () => T): {
    readonly result: T;
    readonly changed: ReadonlyMap<unknown, Change>;
  } {
    const run: EffectRecord = { changed: new Map(), created: new Set() };
    this.#runs.push(run);
    try {
      const result = work();
      for (const own of run.created) run.changed.delete(own);
      return { result, changed: run.changed };
    } finally {
      this.#runs.pop();
    }
  }

  /** Runs code whose result is not part of the document, such as a function that is recorded: what it reports doesn't count. */
  rehearse<T>(work: () => T): T {
    const { site, findings, pendingElements, computed } = this;
    const [finding, element, computation] = [findings.length, pendingElements.length, computed.log.length];
    try {
      return work();
    } finally {
      this.site = site;
      findings.splice(finding);
      pendingElements.splice(element);
      computed.log.splice(computation);
    }
  }

  report(finding: Unsupported): void {
    if (this.isEndless) return;
    const key = findingKey(finding);
    if (!this.findings.some((other) => findingKey(other) === key)) this.findings.push(finding);
  }
}

let current = new SymbolicRendering();

/** The rendering that is running in this thread; there is only one at a time. */
export function rendering(): SymbolicRendering {
  return current;
}

export function startRendering(facts: readonly Fact[], options?: RenderingOptions): SymbolicRendering {
  current = new SymbolicRendering(facts, options);
  return current;
}

export function resumeRendering(before: SymbolicRendering): void {
  current = before;
}

/** An object that the component has made. */
export function made<T>(object: T): T {
  current.recordCreation(object);
  return object;
}

/** Whether the component has made it, so that it may change it. */
export function isOwn(value: unknown): value is object {
  return isReference(value) && current.hasMade(value);
}

function isWithin(inner: SourceRange, outer: SourceRange): boolean {
  return inner.file === outer.file && inner.start >= outer.start && inner.end <= outer.end;
}

/** A variable with the place of the last operation of user code, unless it has a place. */
export function located(path: AccessPath): AccessPath {
  const { site } = current;
  return path.site || !site ? path : path.with({ site });
}

function tokenKey(meaning: Token): string {
  if (meaning.kind === "value") return `value ${meaning.raw} ${sightKey(meaning.path)}`;
  if (meaning.kind === "missing") return `missing ${meaning.word} ${sightKey(meaning.path)}`;
  if (meaning.kind === "case") return `case ${meaning.answer} ${testKey(meaning.test)}`;
  return meaning.kind === "close" ? "close" : `${meaning.kind} ${meaning.loop.id}`;
}

function sightKey(path: AccessPath): string {
  return `${path.key} ${path.site?.file ?? ""}:${path.site?.start ?? ""}`;
}

function findingKey({ problem, site, variable }: Unsupported): string {
  return JSON.stringify([problem, site?.file, site?.start, site ? undefined : variable]);
}

export interface RefusalOptions {
  /** Defaults to the place of the last operation of user code. */
  readonly site?: SourceRange | undefined;
  readonly hint?: string;
}

/**
 * Records that a component needs more than Mustache can do, and returns a value with which its code continues, so that its other
 * problems are found too. Throwing isn't possible, because a `try` in the component could swallow the error.
 */
export function refuse(
  about: Symbolic | undefined,
  problem: string,
  { site = rendering().site, hint }: RefusalOptions = {},
): object {
  if (about?.kind === "refused") return REFUSED;
  const path = about && pathIn(about);
  const { calls } = rendering();
  rendering().report({
    problem,
    site,
    ...(calls.length > 0 && { calls: [...calls] }),
    variable: path?.variable,
    hint,
  });
  return REFUSED;
}

/** For code that converts it to a string. */
export function refusedString(about: Symbolic, problem: string, options?: RefusalOptions): string {
  refuse(about, problem, options);
  return "";
}

/** For the `ownKeys` trap: spread, `Object.keys` and `for … in` in package code. */
export function refuseKeys(symbolic: Symbolic): string[] {
  refuse(symbolic, "is destructured or enumerated by package code");
  return [];
}

/** The variable from which a symbolic value originates. */
function pathIn(symbolic: Symbolic): AccessPath | undefined {
  if (symbolic.kind === "path") return symbolic;
  if (symbolic.kind === "choice") return symbolic.test.path;
  if (symbolic.kind === "repeat") return symbolic.loop.list;
  if (symbolic.kind === "rows") {
    const [added] = [...symbolic.added].flatMap((each) => represented(each) ?? []);
    return added && pathIn(added);
  }
  if (symbolic.kind === "position") return symbolic.loop.list.with({ loop: symbolic.loop, names: [] });
  return symbolic.kind === "length" || symbolic.kind === "sliced" ? symbolic.of : undefined;
}

const refused: Refused = { kind: "refused" };

/** Every operation on it returns it again, and it prints nothing. */
export const REFUSED: object = represent(
  refused,
  {
    get(_target, name, proxy) {
      if (name === Symbol.toPrimitive) return () => "";
      if (name === Symbol.iterator) return () => [][Symbol.iterator]();
      return typeof name === "symbol" || name === "$$typeof" || name === "then" ? undefined : proxy;
    },
    set: () => true,
    apply: () => REFUSED,
    construct: () => REFUSED,
  },
  function refusedValue() {},
);
