import { isBigint, NUMBER, STRING } from "../../../mustache/expression/results.js";
import { shapeOfOperator, shapeOfValue } from "./builtins.js";
import { byValue, everyCase, ifMissing, lift, pick, select } from "./choices.js";
import { compareOrder, isEqual } from "./comparisons.js";
import { compute, computeWhole, printable } from "./computed.js";
import { type Expression, isComputed } from "./expression.js";
import { binaryExpression, expressionOf } from "./expressions.js";
import { isInstance, typeName } from "./kinds.js";
import { countValue, isCount } from "./loops.js";
import { refuse, REFUSED, rendering } from "./rendering.js";
import { areStrings, concatenate, hasPlainText, isNumber, isString, symbolicOf } from "./strings.js";
import { type AccessPath, isPlain, type Test } from "./symbolic.js";

/*
 * JavaScript's tests of a value: whether it is truthy, present, or equal to another. For an ordinary value the result is known;
 * for a symbolic one it is a choice, or the test is refused.
 */

/** Whether a value that isn't a choice is truthy: a boolean, or the test that determines it. */
type Truth = boolean | Test;

export function truthOf(value: unknown): Truth {
  const symbolic = symbolicOf(value);
  if (!symbolic) return Boolean(value);
  if (symbolic.kind === "path") return { path: symbolic, question: { kind: "truthy" } };
  if (symbolic.kind !== "text" || hasPlainText(symbolic.text)) return true;
  const text = symbolicOf(wholeString(symbolic.text, "tests whether a string made from variables is empty"));
  return text?.kind !== "path" || { path: text, question: { kind: "truthy" } };
}

/** A string made from variables as one variable. */
export function wholeString(text: string, problem: string): unknown {
  return compute({ problem, about: symbolicOf(text), shape: STRING }, () => expressionOf(text));
}

/** `condition ? yes() : no()` */
export function branch(condition: unknown, yes: () => unknown, no: () => unknown): unknown {
  return lift(withCountTested(condition), (value) => {
    const truth = truthOf(value);
    if (typeof truth === "boolean") return truth ? yes() : no();
    return select(truth, yes, no);
  });
}

/** A count is truthy unless it is 0, which takes a choice instead of a single test. */
function withCountTested(condition: unknown): unknown {
  return lift(condition, (value) => {
    const symbolic = symbolicOf(value);
    return isCount(symbolic) ? not(isEqual(value, 0, false)) : value;
  });
}

/** `Boolean(value)` */
export function truthiness(value: unknown): unknown {
  return branch(
    value,
    () => true,
    () => false,
  );
}

/** Decides a branch in control flow: the function's body runs once for each case. */
export function decide(condition: unknown): boolean {
  const now = rendering();
  const ask = (test: Test): boolean => {
    const answer = now.facts.decide(test);
    if (answer === undefined) refuse(test.path, "decides which code runs, in code that can't run once for each case");
    return answer ?? true;
  };
  let value = truthiness(condition);
  for (let symbolic = symbolicOf(value); symbolic?.kind === "choice"; symbolic = symbolicOf(value)) {
    value = ask(symbolic.test) ? symbolic.yes : symbolic.no;
  }
  const truth = truthOf(value);
  return typeof truth === "boolean" ? truth : ask(truth);
}

/** The value of something known to be falsy, as far as JavaScript can distinguish such values. */
export function falsyValue(value: unknown): unknown {
  const symbolic = symbolicOf(value);
  if (isCount(symbolic)) return 0;
  if (symbolic?.kind !== "path") return symbolic ? "" : value;
  const path = symbolic;
  // 0 or NaN, which no variable is.
  if (isComputed(path) && (path.isOnly("number") || path.isUntyped)) return pick(path.presence, value, undefined);
  const values = [
    ...(path.mayBe("number") ? [0] : []),
    ...(path.mayBe("string") ? [""] : []),
    ...(path.kinds.has("boolean") ? [false] : []),
  ];
  if (path.isOnly("bigint")) return path.mayBeMissing ? pick(path.presence, 0n, undefined) : 0n;
  const last = path.mayBeMissing || path.kinds.size === 0 ? undefined : values.pop();
  return byValue(path, values, (each) => each, last);
}

/** `left && right()` */
export function and(left: unknown, right: () => unknown): unknown {
  return lift(left, (value) => branch(value, right, () => falsyValue(value)));
}

/** `left || right()` */
export function or(left: unknown, right: () => unknown): unknown {
  return lift(left, (value) => branch(value, () => value, right));
}

/** `left ?? right()` */
export function nullish(left: unknown, right: () => unknown): unknown {
  return lift(left, (value) => {
    const symbolic = symbolicOf(value);
    return symbolic?.kind === "path" ? ifPresent(symbolic, value, right) : (value ?? right());
  });
}

/** `{ name = right() }`: applies if the value is absent, but not if it is null. */
export function fallback(left: unknown, right: () => unknown): unknown {
  return lift(left, (value) => {
    const symbolic = symbolicOf(value);
    if (symbolic?.kind !== "path") return value === undefined ? right() : value;
    if (symbolic.kinds.has("null") && !symbolic.optional) return value;
    return ifPresent(symbolic, value, () => ifMissing(symbolic, null, right));
  });
}

function ifPresent(path: AccessPath, value: unknown, fallbackValue: () => unknown): unknown {
  const isPartOfSomething = path.names.length > 0; // Not the variables themselves, or an item of a list.
  return isPartOfSomething ? select(path.presence, () => value, fallbackValue) : value;
}

/** `!value` */
export function not(value: unknown): unknown {
  return lift(truthiness(value), (truth) => !truth);
}

/** `left operator right`; `native` is the operation on ordinary values. */
export function binary(operator: string, left: unknown, right: unknown, native: Binary): unknown {
  if (operator === "+" && areStrings(left) && areStrings(right)) return concatenate([left, right]);
  return computeWhole(
    () =>
      lift(left, (a) =>
        lift(right, (b) => {
          const [first, second] = [symbolicOf(a), symbolicOf(b)];
          if (!first && !second) return native(a, b);
          if (first?.kind === "refused" || second?.kind === "refused") return REFUSED;
          return operate(operator, a, b);
        }),
      ),
    () => binaryExpression(operator, left, right),
  );
}

type Binary = (left: unknown, right: unknown) => unknown;

function operate(operator: string, left: unknown, right: unknown): unknown {
  const [first, second] = [symbolicOf(left), symbolicOf(right)];
  const about = first ?? second;
  const computed = (problem: string): unknown =>
    compute({ problem, about, shape: shapeOfOperator(operator, left, right) }, () =>
      binaryExpression(operator, left, right),
    );
  switch (operator) {
    case "===":
    case "==":
      return isEqual(left, right, operator === "==");
    case "!==":
    case "!=":
      return not(isEqual(left, right, operator === "!="));
    case "<":
    case ">":
    case "<=":
    case ">=":
      return compareOrder(operator, left, right);
    case "+":
      if (isString(left) || isString(right)) return concatenate([left, right].map((value) => printable(value)));
      if (isCount(first) || isCount(second)) return shift(operator, left, right);
      return computed("adds to a variable that may be a number");
    case "in":
      if (first?.kind === "path" && first.isOnly("string") && isPlain(right)) return isOneOf(first, Object.keys(right));
      return computed("tests whether there is a member");
    case "instanceof":
      return isInstance(left, right) ?? computed("tests the type of a variable");
    case "-":
      if (isCount(first)) return shift(operator, left, right);
      return computed("is arithmetic");
    default:
      return computed("is arithmetic");
  }
}

/** `index + 1`, `list.length - 1` */
function shift(operator: "+" | "-", left: unknown, right: unknown): unknown {
  const first = symbolicOf(left);
  const [count, by] = isCount(first) ? [first, right] : [symbolicOf(right), left];
  if (isCount(count) && typeof by === "number")
    return countValue({ ...count, offset: count.offset + (operator === "+" ? by : -by) });
  return compute({ problem: "is arithmetic", about: count, shape: NUMBER }, () =>
    binaryExpression(operator, left, right),
  );
}

/** `operator value`; `native` is the operation on ordinary values. */
export function unary(operator: string, value: unknown, native: (value: unknown) => unknown): unknown {
  const operation = (operand: unknown): Expression | undefined => {
    const of = expressionOf(operand);
    return of && { kind: "unary", operator, of };
  };
  return computeWhole(
    () =>
      lift(value, (each) => {
        const symbolic = symbolicOf(each);
        if (!symbolic) return native(each);
        if (operator === "+" && isNumber(each)) return each;
        const known = operator === "typeof" ? typeName(each) : undefined;
        if (known !== undefined) return known;
        const own = shapeOfValue(each);
        const shape = operator === "typeof" ? STRING : isBigint(own) && operator !== "+" ? own : NUMBER;
        return compute({ problem: "is arithmetic", about: symbolic, shape }, () => operation(each));
      }),
    () => operation(value),
  );
}

/** `++value` or `--value`; `native` is the operation on ordinary values. */
export function increment(by: 1 | -1, value: unknown, native: (value: unknown) => unknown): unknown {
  if (!symbolicOf(value)) return native(value);
  if (isBigint(shapeOfValue(value))) return binary("+", value, BigInt(by), () => undefined);
  // Subtraction converts to a number.
  return isNumeric(value) ? binary("+", value, by, add) : binary("-", value, -by, subtract);
}

/** What `value++` returns: the value as a number. */
export function numeric(value: unknown): unknown {
  return typeof value === "bigint" || isNumeric(value) || isBigint(shapeOfValue(value))
    ? value
    : unary("+", value, Number);
}

function isNumeric(value: unknown): boolean {
  return everyCase(value, (each) => typeof each === "number" || isNumber(each) || isCount(symbolicOf(each)));
}

function add(a: unknown, b: unknown): number {
  return Number(a) + Number(b);
}

function subtract(a: unknown, b: unknown): number {
  return Number(a) - Number(b);
}

/**
 * The operation for `LABELS.get(status)` or `PAID.has(status)` on a map or set with ordinary keys; undefined for any other
 * call.
 */
export function keyedCall(called: unknown, self: unknown, [key]: readonly unknown[]): (() => unknown) | undefined {
  const path = symbolicOf(key);
  if (path?.kind !== "path" || !(self instanceof Map || self instanceof Set)) return undefined;
  const keys = [...self.keys()];
  if (keys.some(symbolicOf)) return undefined;
  if (self instanceof Map && called === GET) return () => caseOfKey(path, keys, (each) => self.get(each), undefined);
  return HAS.has(called) ? () => isOneOf(path, keys) : undefined;
}

/** `status in LABELS` */
export function isOneOf(path: AccessPath, keys: readonly unknown[]): unknown {
  return caseOfKey(path, keys, () => true, false);
}

function caseOfKey(
  path: AccessPath,
  keys: readonly unknown[],
  valueOf: (key: unknown) => unknown,
  none: unknown,
): unknown {
  const literals = keys.filter((each) => typeof each === "string" || typeof each === "number");
  return byValue(path, literals, valueOf, none);
}

const GET: unknown = Reflect.get(Map.prototype, "get");
const HAS = new Set<unknown>([Reflect.get(Map.prototype, "has"), Reflect.get(Set.prototype, "has")]);
