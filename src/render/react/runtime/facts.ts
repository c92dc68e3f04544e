import { evaluateCondition } from "../../../mustache/complete.js";
import type { PassedNull, Question as ValueQuestion, PositionTest } from "../../../mustache/variables.js";
import { indexIn, isComputed } from "./expression.js";
import {
  type AccessPath,
  type AssumedPlace,
  isElement,
  isReference,
  type Predicate,
  represented,
  type Symbolic,
  type Test,
  type TypeKind,
} from "./symbolic.js";

export function testKey({ path, question }: Test): string {
  return `${path.key} ${JSON.stringify(question)}`;
}

function factKey(fact: Fact | undefined): string {
  return fact ? `${fact.answer} ${testKey(fact.test)}` : "";
}

/** A result that is assumed for now. */
export interface Fact {
  readonly test: Test;
  readonly answer: boolean;
}

/**
 * What is known while one case of a choice is computed: inside `order.note && …`, the note is present. This keeps the output
 * small, and avoids impossible combinations.
 */
export class Facts {
  readonly #facts: Fact[];
  readonly #explored: ExploredPath[] = [];

  constructor(facts: readonly Fact[]) {
    this.#facts = [...facts];
  }

  known(test: Test): boolean | undefined {
    return impliedByFacts(this.#all(), test);
  }

  about(path: AccessPath): { readonly question: Predicate; readonly answer: boolean }[] {
    const about = path.key;
    return this.#all().flatMap(({ test: { path: of, question }, answer }) =>
      of.key === about ? [{ question, answer }] : [],
    );
  }

  /** What is assumed now. A function that runs once for each case assumes nothing: whatever it makes, it makes again. */
  get place(): AssumedPlace {
    return { path: this.#explored.at(-1), facts: [...this.#facts] };
  }

  /** How many results are assumed now. */
  get count(): number {
    return this.#all().length;
  }

  /** Whether what was assumed then is still assumed. */
  isWithin({ path, facts }: AssumedPlace): boolean {
    const isSamePath = path === undefined || this.#explored.some((each) => each === path);
    return isSamePath && facts.every((fact, index) => factKey(fact) === factKey(this.#facts[index]));
  }

  assuming<T>(test: Test, answer: boolean, work: () => T): T {
    this.#facts.push({ test, answer });
    try {
      return work();
    } finally {
      this.#facts.pop();
    }
  }

  /** Runs a function's body with these results, and with true for each further test that it decides on. */
  exploring<T>(
    results: readonly Fact[],
    body: (made: readonly Fact[]) => T,
  ): { readonly result: T; readonly made: readonly Fact[] } {
    const path: ExploredPath = { results, made: [] };
    this.#explored.push(path);
    try {
      return { result: body(path.made), made: path.made };
    } finally {
      this.#explored.pop();
    }
  }

  /** Decides a test within the innermost body being explored; undefined if there is none. */
  decide(test: Test): boolean | undefined {
    const [known, path] = [this.known(test), this.#explored.at(-1)];
    if (known !== undefined || !path) return known;
    const answer = path.results[path.made.length]?.answer ?? true;
    path.made.push({ test, answer });
    return answer;
  }

  #all(): Fact[] {
    return [...this.#explored.flatMap(({ made }) => made), ...this.#facts];
  }
}

/** One path through a function's body. */
interface ExploredPath {
  readonly results: readonly Fact[];
  readonly made: Fact[];
}

/** The same test on the value that decides it. */
export function withDecidingPath(test: Test): Test {
  const { path, question } = test;
  return question.kind === "present" && path.holder ? withDecidingPath({ path: path.holder, question }) : test;
}

/** The result that follows from facts about the same variable, and about the objects that contain it. */
export function impliedByFacts(facts: readonly Fact[], wanted: Test): boolean | undefined {
  const test = withDecidingPath(wanted);
  if (isGone(facts, test)) return answerForAbsent(test.question);
  const about = test.path.key;
  const related = facts.filter((fact) => fact.test.path.key === about);
  const tested = testKey(test);
  const same = related.find((fact) => testKey(fact.test) === tested);
  if (same) return same.answer;
  return impliedAnswer(related, test) ?? (isThere(facts, test) || undefined);
}

/** If an object is absent, so are its members. */
function isGone(facts: readonly Fact[], { path }: Test): boolean {
  const key = path.key;
  return facts.some(
    ({ test, answer }) => !answer && test.question.kind === "present" && key.startsWith(`${test.path.key}.`),
  );
}

/** An object with a present member is present; so are the items of a list that is long enough. */
function isThere(facts: readonly Fact[], { path, question }: Test): boolean {
  if (question.kind !== "present") return false;
  const key = path.key;
  const list = path.with({ names: path.names.slice(0, -1) }).key;
  const number = indexIn(path.names.at(-1)) ?? Number.NaN;
  const needed = number < 0 ? -number : number + 1;
  return facts.some(({ test, answer }) => {
    if (!answer) return false;
    const [about, tested] = [test.path.key, test.question];
    if (about.startsWith(`${key}.`)) return tested.kind !== "equals" || tested.value !== null;
    if (about !== list || path.kinds.has("null")) return false;
    return lengthShownBy(tested) >= needed;
  });
}

/** The minimum length of a list for which this holds. */
function lengthShownBy(question: Test["question"]): number {
  if (question.kind === "has-at-least" || question.kind === "has-exactly") return question.count;
  return question.kind === "has-items" ? 1 : 0;
}

/** The result of a test on a variable that follows from other results and its type. */
export function impliedAnswer(facts: readonly Fact[], { path, question }: Test): boolean | undefined {
  if (isPositionTest(question)) return impliedPosition(facts, question);
  const certain = facts.flatMap(({ test, answer }) =>
    isSimple(test.question) ? [{ question: test.question, answer }] : [],
  );
  if (!isSimple(question) || (certain.length === 0 && !isDecidedByType(question))) return undefined;
  const values = samples(path, [question, ...certain.map((fact) => fact.question)]);
  const possible = values.filter((value) => certain.every((fact) => answerOf(fact.question, value) === fact.answer));
  const results = new Set(possible.map((value) => answerOf(question, value)));
  const [only] = results;
  return results.size === 1 ? only : undefined;
}

/** Whether a type alone may decide it: what is required is present, and a required object is truthy. */
function isDecidedByType({ kind }: SimpleQuestion): boolean {
  return kind === "present" || kind === "truthy";
}

/** An item among the first two is also among the first three. */
function impliedPosition(facts: readonly Fact[], wanted: PositionTest): boolean | undefined {
  for (const { test, answer } of facts) {
    const earlier = test.question;
    if (earlier.kind !== wanted.kind) continue;
    if (answer ? earlier.count <= wanted.count : earlier.count >= wanted.count) return answer;
  }
  return undefined;
}

type SimpleQuestion =
  | Exclude<ValueQuestion, { readonly kind: "some" | "every" }>
  | PassedNull
  | Extract<Predicate, { readonly kind: "itself" | "type" }>;

export function isPositionTest(question: Predicate): question is PositionTest {
  return question.kind === "among-first" || question.kind === "among-last";
}

/** Whether it is about the value itself, not about its content. */
function isSimple(question: Predicate): question is SimpleQuestion {
  return !isPositionTest(question) && question.kind !== "some" && question.kind !== "every";
}

/** The result of a test on an absent value. */
export function answerForAbsent(question: Predicate): boolean | undefined {
  if (isPositionTest(question)) return undefined;
  return answerOf(question, undefined);
}

/** Whether a test has this result for a value; true if the test is about its content. */
export function agrees({ question, answer }: Pick<Test, "question"> & Pick<Fact, "answer">, value: unknown): boolean {
  return !isSimple(question) || answerOf(question, value) === answer;
}

function answerOf(question: Exclude<Predicate, PositionTest>, value: unknown): boolean {
  if (question.kind === "null") return value === null;
  if (question.kind === "type") return question.types.includes(typeOf(value));
  return evaluateCondition(question.kind === "itself" ? { kind: "truthy" } : question, value);
}

function typeOf(value: unknown): TypeKind {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "list";
  const type = typeof value;
  return value instanceof Date ? "date" : isKind(type) ? type : "object";
}

/** Values of each kind that the tests distinguish, as far as the variable's type allows them. */
function samples(path: AccessPath, questions: readonly SimpleQuestion[]): unknown[] {
  const literals = questions.flatMap((question) => (question.kind === "equals" ? [question.value] : []));
  const counts = questions.flatMap((question) => (question.kind === "has-at-least" ? [question.count] : []));
  const exact = questions.flatMap((question) => (question.kind === "has-exactly" ? [question.count] : []));
  const bounds = questions.flatMap((question) => (question.kind === "compares" ? [question.value] : []));
  const lengths = [0, 1, ...[...counts, ...exact].flatMap((count) => [count - 1, count, count + 1])];
  const sorts: Readonly<Record<TypeKind, readonly unknown[]>> = {
    null: path.optional ? [null, undefined] : [null],
    boolean: [false, true],
    string: [...literals.filter((each) => typeof each === "string"), ...lengths.map((length) => OTHER.repeat(length))],
    number: [
      ...around([0, ...bounds, ...literals.filter((each) => typeof each === "number")]),
      ...(isComputed(path) ? [NaN] : []),
    ],
    date: [new Date(0)],
    bigint: [0n, 1n],
    list: lengths.map((length) => Array.from({ length })),
    object: [{}],
  };
  const kinds = path.kinds;
  const possible = Object.keys(sorts)
    .filter(isKind)
    .filter((kind) =>
      kind === "null" ? !path.sure || path.mayBeMissing : !path.shape.isKnown || onlyNull(kinds) || kinds.has(kind),
    );
  return possible.flatMap((kind) => (kind === "null" ? undefined : path.literalsOf(kind)) ?? sorts[kind]);
}

/** A character that no literal in a template has. */
const OTHER = "\uE000";

function onlyNull(kinds: ReadonlySet<TypeKind>): boolean {
  return kinds.size === 1 && kinds.has("null");
}

/** Numbers, with one number on each side of each. */
function around(numbers: readonly number[]): number[] {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const [first = 0, last = first] = [sorted[0], sorted.at(-1)];
  const between = sorted.slice(1).map((number, index) => (number + (sorted[index] ?? number)) / 2);
  return [first - 1, ...sorted, ...between, last + 1];
}

function isKind(name: string): name is TypeKind {
  return ["null", "boolean", "string", "number", "date", "bigint", "list", "object"].includes(name);
}

/** Whether two runs of the same code gave the same result, as far as can be determined: functions can't be compared. */
export function isSameResult(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  const [first, second] = [represented(one), represented(other)];
  if (first || second) return first !== undefined && second !== undefined && isSameSymbolic(first, second);
  if (!isReference(one) || !isReference(other)) return false;
  if (one instanceof Date && other instanceof Date) return Object.is(one.getTime(), other.getTime());
  if (typeof one === "function" || typeof other === "function") return typeof one === typeof other;
  if (isElement(one) && isElement(other))
    return isSameResult(one.type, other.type) && isSameResult(one.props, other.props);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSameResult(each, other[index]));
  }
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(other, name) && isSameResult(Reflect.get(one, name), Reflect.get(other, name)))
  );
}

function isSameSymbolic(one: Symbolic, other: Symbolic): boolean {
  if (one.kind === "path" && other.kind === "path") return one.key === other.key;
  if (one.kind === "choice" && other.kind === "choice") {
    return (
      testKey(one.test) === testKey(other.test) && isSameResult(one.yes, other.yes) && isSameResult(one.no, other.no)
    );
  }
  if (one.kind === "repeat" && other.kind === "repeat") {
    return one.loop.id === other.loop.id && isSameResult(one.body, other.body);
  }
  if (one.kind === "position" && other.kind === "position") {
    return one.loop.id === other.loop.id && one.offset === other.offset;
  }
  if (one.kind === "length" && other.kind === "length") {
    return one.of.key === other.of.key && one.offset === other.offset;
  }
  if (one.kind === "rows" && other.kind === "rows") {
    const { list } = other;
    return one.list.length === list.length && one.list.every((each, index) => isSameResult(each, list[index]));
  }
  return one.kind === other.kind;
}
