import { essential } from "./facts.js";
import { kindsOf } from "./kinds.js";
import { isElement } from "./react-values.js";
import { refuse, refuseKeys } from "./refusal.js";
import { nameKey, rendering, sited } from "./rendering.js";
import { represent, represented, type Choice, type Path, type Scalar, type Test } from "./symbolic.js";

/** A function's body that asks about six variables has 64 ways through it: enough, and few enough to print. */
export const MOST_CASES = 64;

/**
 * One value or the other, by the answer to a test; both are worked out unless the answer is known. Two equal values are
 * no choice.
 */
export function choose(asked: Test, yes: () => unknown, no: () => unknown): unknown {
  const { facts } = rendering();
  const { path, question } = asked;
  const isDoubt = question.kind === "present" || question.kind === "truthy";
  if (isDoubt && !path.sure && (!path.optional || path.holder)) rendering().presence.asked.add(nameKey(path));
  const test = essential(asked);
  const known = facts.known(test);
  if (known !== undefined) return known ? yes() : no();
  const now = rendering();
  const { site } = now;
  const cases = [facts.assuming(test, true, yes), facts.assuming(test, false, no)] as const;
  now.site = site; // what decides stands there, and not in what was worked out last
  return choice(test, ...cases);
}

const MANY = "Print what it is made of piece by piece, or let derive (variables.ts) compute it.";
const MANY_ELEMENTS =
  'Give it fewer properties that may be absent, each by its name: `<Block text={block.text} />`. Or let a schema in variables.ts say which members each kind has: z.discriminatedUnion("type", […]).';

/** The same with values that are there already. */
export function pick(test: Test, yes: unknown, no: unknown): unknown {
  return choose(
    test,
    () => yes,
    () => no,
  );
}

/** What goes with a variable that is not there: with null, or with undefined, as far as it may be either. */
export function ifMissing(path: Path, ifNull: () => unknown, ifAbsent: () => unknown): unknown {
  if (!kindsOf(path).has("null")) return ifAbsent();
  return path.optional ? choose({ path, question: { kind: "null" } }, ifNull, ifAbsent) : ifNull();
}

/** What goes with the value that a variable has; with any other, something else. */
export function byValue(path: Path, cases: readonly (readonly [Scalar, unknown])[], otherwise: unknown): unknown {
  return cases.reduceRight<unknown>(
    (rest, [value, result]) => pick({ path, question: { kind: "equals", value } }, result, rest),
    otherwise,
  );
}

export function choice(test: Test, yes: unknown, no: unknown): unknown {
  if (Object.is(yes, no)) return yes;
  const cases = casesOf(yes) + casesOf(no);
  const made: Choice = { kind: "choice", test: { ...test, path: sited(test.path) }, yes, no, cases };
  const proxy = represent(made, handlerOf(made));
  const hint = hasElement(proxy) ? MANY_ELEMENTS : MANY;
  return cases > MOST_CASES ? refuse(made, `comes to more than ${MOST_CASES} different values`, { hint }) : proxy;
}

/** Whether an element is among the values that it may come to. */
function hasElement(value: unknown): boolean {
  const symbolic = represented(value);
  return symbolic?.kind === "choice" ? hasElement(symbolic.yes) || hasElement(symbolic.no) : isElement(value);
}

/** Does something with a value; with a choice, with each of its values. */
export function lift(value: unknown, work: (value: unknown) => unknown): unknown {
  const symbolic = represented(value);
  if (symbolic?.kind !== "choice") return work(value);
  return choose(
    symbolic.test,
    () => lift(symbolic.yes, work),
    () => lift(symbolic.no, work),
  );
}

/** Does something with values; with choices among them, with each of the cases. */
export function liftAll(given: readonly unknown[], work: (given: readonly unknown[]) => unknown): unknown {
  const index = given.findIndex((value) => represented(value)?.kind === "choice");
  if (index < 0) return work(given);
  return lift(given[index], (value) => liftAll(given.with(index, value), work));
}

/** How many different values it may come to. */
export function casesOf(value: unknown): number {
  const symbolic = represented(value);
  return symbolic?.kind === "choice" ? symbolic.cases : 1;
}

function handlerOf(made: Choice): ProxyHandler<object> {
  return {
    get(_target, name, proxy) {
      if (name === Symbol.iterator) return () => children(made)[Symbol.iterator]();
      if (name === Symbol.toPrimitive) return (hint: string) => primitive(made, hint);
      if (typeof name === "symbol" || name === "$$typeof" || name === "then") return undefined;
      return lift(proxy, (value) => member(value, name));
    },
    set(_target, name) {
      refuse(made, `is given a member "${String(name)}"`);
      return true;
    },
    has: (_target, name) => name in {},
    ownKeys: () => refuseKeys(made),
  };
}

/** How React sees a choice among children. */
function children({ test, yes, no }: Choice): unknown[] {
  const now = rendering();
  now.firstChoice ??= test;
  const part = (answer: boolean, value: unknown): unknown[] =>
    isNothing(value) ? [] : [now.token({ kind: "case", test, answer }), value, now.token({ kind: "close" })];
  return [...part(true, yes), ...part(false, no)];
}

/** What React prints nothing for. */
function isNothing(value: unknown): boolean {
  return value === null || value === undefined || typeof value === "boolean" || value === "";
}

/** How packages and React's attributes see a choice of texts. */
function primitive(made: Choice, hint: string): string | number {
  if (hint === "number") {
    refuse(made, "is used as a number by code outside of the project");
    return Number.NaN;
  }
  const { test, yes, no } = made;
  const now = rendering();
  const close = now.token({ kind: "close" });
  const part = (answer: boolean, value: unknown): string => {
    if (isNothing(value) && value !== "")
      refuse(made, "may be nothing, where code outside of the project makes a text of it");
    return `${now.token({ kind: "case", test, answer })}${String(value)}${close}`;
  };
  return part(true, yes) + part(false, no);
}

/** A member of one of the values that a choice may come to; of nothing, nothing: an email with it would not be rendered. */
function member(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return name === "key" ? null : undefined;
  if (name === "key" && !Object.hasOwn(Object(value), name)) return null; // as React asks each child
  return Reflect.get(Object(value), name, value);
}
