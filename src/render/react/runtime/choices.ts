import { mayBeNull } from "./expression.js";
import { type Fact, withDecidingPath } from "./facts.js";
import type { Branch, States } from "./branches.js";
import { later } from "./later.js";
import { located, refuse, refuseKeys, rendering } from "./rendering.js";
import {
  type AccessPath,
  type Conditional,
  isElement,
  isReference,
  represent,
  represented,
  type Scalar,
  type SourceRange,
  successorOf,
  type Symbolic,
  type Test,
} from "./symbolic.js";

/** A function that tests six variables has 64 paths through it: enough, and few enough to print. */
export const MOST_CASES = 64;

/**
 * One value or the other, depending on a test; both are computed unless the result is known. Two equal values are not a
 * choice.
 */
export function select(wanted: Test, yes: () => unknown, no: () => unknown): unknown {
  const { facts } = rendering();
  const { path, question } = wanted;
  const isDoubt = question.kind === "present" || question.kind === "truthy";
  if (isDoubt && !path.sure && (!path.optional || path.holder)) rendering().presence.tested.add(path.variableKey);
  const test = withDecidingPath(wanted);
  const known = facts.known(test);
  if (known !== undefined) return known ? yes() : no();
  const now = rendering();
  const { site } = now;
  const run = (work: () => unknown, answer: boolean): Branch<unknown> =>
    facts.assuming(test, answer, () => later("runBranch")(() => later("pinned")(work())));
  const [one, other] = [run(yes, true), run(no, false)];
  now.site = site; // The choice is here, not where its cases were computed.
  later("settle")(later("mergeStates")(test, one.states, other.states));
  return conditional(test, one.result, other.result);
}

const MANY = "Print its parts separately, or compute it in derive (variables.ts).";
const MANY_ELEMENTS =
  'Pass fewer properties that may be absent, each by name: `<Block text={block.text} />`. Or declare in variables.ts which members each kind has: z.discriminatedUnion("type", […]).';

/** The same with computed values. */
export function pick(test: Test, yes: unknown, no: unknown): unknown {
  return select(
    test,
    () => yes,
    () => no,
  );
}

/** What applies if a variable is missing: to null, or to undefined, as far as either is possible. */
export function ifMissing(path: AccessPath, ifNull: unknown, ifAbsent: () => unknown): unknown {
  if (!mayBeNull(path)) return ifAbsent();
  return path.optional ? select({ path, question: { kind: "null" } }, () => ifNull, ifAbsent) : ifNull;
}

/** The result for each of these values of a variable; another result for any other value. */
export function byValue<Value extends Scalar>(
  path: AccessPath,
  values: readonly Value[],
  resultOf: (value: Value, index: number) => unknown,
  otherwise: unknown,
): unknown {
  const cases = values.map((value, index) => [value, resultOf(value, index)] as const);
  return cases.reduceRight<unknown>(
    (rest, [value, result]) => pick({ path, question: { kind: "equals", value } }, result, rest),
    otherwise,
  );
}

export function conditional(test: Test, yes: unknown, no: unknown): unknown {
  if (Object.is(yes, no)) return yes;
  const cases = countCases(yes) + countCases(no);
  const made: Conditional = { kind: "choice", test: { ...test, path: located(test.path) }, yes, no, cases };
  const proxy = represent(made, handlerOf(made));
  const hint = someCase(proxy, isElement) ? MANY_ELEMENTS : MANY;
  return cases > MOST_CASES ? refuse(made, `has more than ${MOST_CASES} possible values`, { hint }) : proxy;
}

export function everyCase(value: unknown, matches: (value: unknown) => boolean): boolean {
  const symbolic = represented(value);
  if (symbolic?.kind !== "choice") return matches(value);
  return everyCase(symbolic.yes, matches) && everyCase(symbolic.no, matches);
}

export function casesOf(value: unknown): readonly unknown[] {
  const symbolic = represented(value);
  return symbolic?.kind === "choice" ? [...casesOf(symbolic.yes), ...casesOf(symbolic.no)] : [value];
}

export function someCase(value: unknown, matches: (value: unknown) => boolean): boolean {
  return !everyCase(value, (each) => !matches(each));
}

/** Does something with a value; with a choice, for each of its values. */
export function lift(value: unknown, work: (value: unknown) => unknown): unknown {
  const symbolic = represented(value);
  if (symbolic?.kind !== "choice") return work(value);
  return select(
    symbolic.test,
    () => lift(symbolic.yes, work),
    () => lift(symbolic.no, work),
  );
}

/** Does something with values; with choices among them, for each case. */
export function liftAll(values: readonly unknown[], work: (values: readonly unknown[]) => unknown): unknown {
  const index = values.findIndex((value) => represented(value)?.kind === "choice");
  if (index < 0) return work(values);
  return lift(values[index], (value) => liftAll(values.with(index, value), work));
}

/** Whether one of the cases of a value is that it is missing. */
export function isMissingCase(each: unknown, value: unknown): boolean {
  return (each === undefined || each === null) && each !== value;
}

/** Does something for one case; undefined if it throws, because such an email would not be rendered. */
export function unlessThrown(work: () => unknown, values: readonly unknown[]): unknown {
  try {
    return work();
  } catch {
    return rendering().isCaught ? refuseThrowing(values.map(represented).find(Boolean)) : undefined;
  }
}

export function refuseThrowing(about: Symbolic | undefined, site?: SourceRange): object {
  return refuse(about, "may throw, and what the `catch` does instead is only known when an email is filled", {
    site,
    hint: "Test the value first: `Number.isNaN(date.getTime()) ? fallback : date.toISOString()`.",
  });
}

export function countCases(value: unknown): number {
  const symbolic = represented(value);
  return symbolic?.kind === "choice" ? symbolic.cases : 1;
}

function handlerOf(made: Conditional): ProxyHandler<object> {
  return {
    get(_target, name, proxy: object) {
      const changed = successorOf(proxy);
      if (changed) return Reflect.get(changed, name, changed);
      if (name === Symbol.iterator) return () => children(made)[Symbol.iterator]();
      if (name === Symbol.toPrimitive) return (hint: string) => primitive(made, hint);
      if (typeof name === "symbol" || name === "$$typeof" || name === "then") return undefined;
      return lift(proxy, (value) => member(value, name));
    },
    set(_target, name) {
      refuse(made, `gets a member "${String(name)}"`);
      return true;
    },
    has: (_target, name) => name in {},
    ownKeys: () => refuseKeys(made),
  };
}

/** How React sees a choice among children. */
function children({ test, yes, no }: Conditional): unknown[] {
  const now = rendering();
  now.firstChoice ??= test;
  const part = (answer: boolean, value: unknown): unknown[] =>
    isNothing(value) ? [] : [now.token({ kind: "case", test, answer }), value, now.token({ kind: "close" })];
  return [...part(true, yes), ...part(false, no)];
}

/** Values for which React prints nothing. */
function isNothing(value: unknown): boolean {
  return value === null || value === undefined || typeof value === "boolean" || value === "";
}

/** How packages and React's attributes see a choice between strings. */
function primitive(made: Conditional, hint: string): string | number {
  if (hint === "number") {
    refuse(made, "is used as a number by package code");
    return Number.NaN;
  }
  const { test, yes, no } = made;
  const now = rendering();
  const close = now.token({ kind: "close" });
  const part = (answer: boolean, value: unknown): string => {
    if (isNothing(value) && value !== "") refuse(made, "may be missing where package code converts it to a string");
    return `${now.token({ kind: "case", test, answer })}${String(value)}${close}`;
  };
  return part(true, yes) + part(false, no);
}

/** A member of one of the values of a choice; undefined for a missing value, because such an email would not be rendered. */
function member(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return name === "key" ? null : undefined;
  if (name === "key" && !Object.hasOwn(Object(value), name)) return null; // React reads it from each child.
  return Reflect.get(Object(value), name, value);
}

/**
 * Runs a function's body whose flow depends on variables (`if (!order.note) return null`) once for each path through it, and
 * returns a choice between the results. A body without tests on variables runs once.
 *
 * @param caught What a path returns that throws; by default, it never produces an email, so nothing is printed there.
 */
export function fork(body: () => unknown, caught?: () => unknown): unknown {
  const thrown: unknown[] = [];
  const before = rendering().sorted;
  const sorted = new Map(before);
  let paths = 0;

  const run = (): unknown => {
    try {
      return later("pinned")(body());
    } catch (error) {
      if (isSuspension(error)) throw error;
      if (caught) return later("pinned")(caught());
      thrown.push(error);
      return undefined;
    }
  };

  /** Explores the paths that begin with these results. */
  const explore = (results: readonly Fact[]): { value: unknown; states: States } => {
    paths += 1;
    rendering().sorted = new Map(before);
    const { result: ran, made } = rendering().facts.exploring(results, (tests) =>
      later("runBranch")(run, () => tests.length === 0),
    );
    for (const [name, change] of rendering().sorted) sorted.set(name, change);
    if (paths > MOST_CASES) {
      const problem = `leads to more than ${MOST_CASES} paths through a function`;
      return { value: refuse(made[0]?.test.path, problem, { hint: MANY_PATHS }), states: new Map() };
    }
    let { result: value, states } = ran;
    for (let last = made.length - 1; last >= results.length; last -= 1) {
      const fact = made[last];
      if (!fact) continue;
      const other = explore([...made.slice(0, last), { test: fact.test, answer: !fact.answer }]);
      const [yes, no] = fact.answer ? [{ value, states }, other] : [other, { value, states }];
      value = conditional(fact.test, yes.value, no.value);
      states = later("mergeStates")(fact.test, yes.states, no.states);
    }
    return { value, states };
  };

  const { value, states } = explore([]);
  later("settle")(states);
  rendering().sorted = sorted;
  if (thrown.length === paths) throw thrown[0];
  return thrown.length > 0 && rendering().isCaught ? refuseThrowing(represented(value)) : value;
}

const MANY_PATHS = "Decide in expressions, such as `condition ? a : b`, or in smaller functions.";

const thrownByCode = new WeakSet();

/** Notes what a `throw` of the project throws. */
export function recordThrown<T>(value: T): T {
  if (isReference(value)) thrownByCode.add(value);
  return value;
}

/** Whether the project's code threw it on purpose: React renders no email then. */
export function isThrownByCode(thrown: unknown): boolean {
  return isReference(thrown) && thrownByCode.has(thrown);
}

/** Thrown by React to render something again later. */
function isSuspension(thrown: unknown): boolean {
  if (typeof thrown !== "object" || thrown === null) return false;
  if ("then" in thrown && typeof thrown.then === "function") return true;
  return thrown instanceof Error && thrown.message.startsWith("Suspense Exception");
}
