import { token } from "../../../mustache/tokens.js";
import { type Fact, Facts, pathKey, testKey } from "./facts.js";
import { Computed } from "./computations.js";
import type { Computation } from "./expression.js";
import type { Watched } from "./package-components.js";
import type { Loop, Path, Site, Test } from "./symbolic.js";

/** What a token in a rendered text stands for. */
export type Token =
  | { readonly kind: "value"; readonly path: Path; readonly raw: boolean }
  /** What follows, up to its close, is there where the answer is this. */
  | { readonly kind: "case"; readonly test: Test; readonly answer: boolean }
  | { readonly kind: "each"; readonly loop: Loop }
  /** What the next item comes to: the same, or something was carried from one to the other. */
  | { readonly kind: "again"; readonly loop: Loop }
  | { readonly kind: "close" }
  | Missing;

/** The word that JavaScript prints for a variable that is not there. */
export interface Missing {
  readonly kind: "missing";
  readonly path: Path;
  /** Absent where it cannot be known which of the two, because the variable may be both. */
  readonly word?: "undefined" | "null";
}

/** A variable by its names, for messages. */
export interface VariableName {
  /** The names that lead to each list around it, outermost first. */
  readonly lists: readonly (readonly string[])[];
  readonly names: readonly string[];
  /** Whether it is about where the item stands, and not about the item. */
  readonly isPosition?: boolean;
  /** Whether the items of the innermost list are no objects, as far as is known: texts or numbers. */
  readonly isOfValues?: boolean;
}

/** Something that a component does with a variable and that Mustache cannot do. Plain data: it crosses threads. */
export interface Finding {
  /** Goes on from the source text, as in `order.total * 2` "is arithmetic". */
  readonly problem: string;
  readonly site?: Site;
  /** Where functions of the project's own were called that lead there, outermost first. */
  readonly calls?: readonly Site[];
  readonly variable?: VariableName;
  /** What to do, where it is not to let `derive` compute it. */
  readonly hint?: string;
  /** What `derive` would have to compute for it. */
  readonly computation?: Computation;
  /** Of what Mustache can do, but nobody can want. */
  readonly rule?: "react-undefined";
}

/** Variables by `nameKey`. */
export interface Presence {
  /** What a component asks the presence of, although nothing shows that it may be absent. */
  readonly asked: Set<string>;
  /** What may be absent because of that. */
  readonly absentable: ReadonlySet<string>;
}

interface Run {
  readonly changed: Map<unknown, Site | undefined>;
  readonly begun: Set<unknown>;
}

/** One rendering with symbolic values: what its tokens mean, what was found, what is taken for granted. */
export class Rendering {
  readonly tokens: Token[] = [];
  readonly findings: Finding[] = [];
  /** Texts that are held back while React renders: their length must say nothing of what was rendered before. */
  readonly previews: string[] = [];
  /** Elements of packages' components, which are verified when all is rendered. */
  readonly watched: Watched[] = [];
  /** Variables among class names, at their elements. */
  readonly classVariables = new Set<Path>();
  /** With real class names in the place of variables: which ones. */
  readonly classRound: number | undefined;
  readonly facts: Facts;
  readonly computed = new Computed();
  /** Where the calls are that go on of functions of the project's own, outermost first. */
  readonly calls: Site[] = [];
  /** The last place in the user's own modules that did something with a value. */
  site: Site | undefined;
  readonly presence: Presence;
  /** Whether code was found that repeats without an end. What is found after that comes of cutting it short. */
  isEndless = false;
  /** The first choice that React came to. */
  firstChoice: Test | undefined;
  readonly #runs: Run[] = [];
  #loops = 0;
  readonly #counts = new Map<string, number>();
  readonly #numbers = new Map<string, number>();

  /** @param given The answers that it takes for granted. */
  constructor(
    given: readonly Fact[] = [],
    presence: Presence = { asked: new Set(), absentable: new Set() },
    classRound?: number,
  ) {
    this.facts = new Facts(given);
    this.presence = presence;
    this.classRound = classRound;
  }

  token(meaning: Token): string {
    const key = tokenKey(meaning);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.tokens.push(meaning) - 1;
      this.#numbers.set(key, number);
    }
    return token(number);
  }

  loop(list: Path): Loop {
    this.#loops += 1;
    return { id: this.#loops, list, site: this.site };
  }

  /** How often this has been asked at the same place of the source. */
  countHere(): number {
    const place = this.site ? `${this.site.start} ${this.site.file}` : "";
    const count = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, count);
    return count;
  }

  /** Does something once more: it begins at the same place, and the loops in it are the same ones. */
  twice<T>(work: () => T): readonly [T, T] {
    const { site } = this;
    const before = this.#loops;
    const first = work();
    const after = this.#loops;
    this.site = site;
    this.#loops = before;
    const second = work();
    this.#loops = Math.max(after, this.#loops);
    return [first, second];
  }

  /** Notes that something is changed that was there before. */
  changed(what: unknown, site = this.site): void {
    for (const run of this.#runs) if (!run.changed.has(what)) run.changed.set(what, site);
  }

  /** Notes that something begins to be there. */
  begins(what: unknown): void {
    for (const run of this.#runs) run.begun.add(what);
  }

  /** Does something, and says what it has changed of what was there before, and where. */
  watching<T>(work: () => T): { readonly result: T; readonly changed: ReadonlyMap<unknown, Site | undefined> } {
    const run: Run = { changed: new Map(), begun: new Set() };
    this.#runs.push(run);
    try {
      const result = work();
      for (const own of run.begun) run.changed.delete(own);
      return { result, changed: run.changed };
    } finally {
      this.#runs.pop();
    }
  }

  report(finding: Finding): void {
    if (this.isEndless) return;
    const key = findingKey(finding);
    if (!this.findings.some((other) => findingKey(other) === key)) this.findings.push(finding);
  }
}

let current = new Rendering();

/** The rendering that goes on in this thread: one at a time. */
export function rendering(): Rendering {
  return current;
}

export function startRendering(given: readonly Fact[], presence?: Presence, classRound?: number): Rendering {
  current = new Rendering(given, presence, classRound);
  return current;
}

export function resumeRendering(before: Rendering): void {
  current = before;
}

/** A variable with the place where user code last did something, unless it has one. */
export function sited(path: Path): Path {
  const { site } = current;
  return path.site || !site ? path : { ...path, site };
}

/** The same for a variable in whichever rendering. */
export function nameKey(path: Path): string {
  return JSON.stringify(nameOf(path));
}

export function nameOf({ loop, names }: Path): VariableName {
  if (!loop) return { lists: [], names };
  const list = nameOf(loop.list);
  return { lists: [...list.lists, list.names], names };
}

function tokenKey(meaning: Token): string {
  if (meaning.kind === "value") return `value ${meaning.raw} ${sightKey(meaning.path)}`;
  if (meaning.kind === "missing") return `missing ${meaning.word} ${sightKey(meaning.path)}`;
  if (meaning.kind === "case") return `case ${meaning.answer} ${testKey(meaning.test)}`;
  return meaning.kind === "close" ? "close" : `${meaning.kind} ${meaning.loop.id}`;
}

function sightKey(path: Path): string {
  return `${pathKey(path)} ${path.site?.file ?? ""}:${path.site?.start ?? ""}`;
}

function findingKey({ problem, site, variable }: Finding): string {
  return JSON.stringify([problem, site?.file, site?.start, site ? undefined : variable]);
}
