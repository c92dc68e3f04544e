import { choose, ifMissing, lift } from "./choices.js";
import { compute, computeWhole } from "./computed.js";
import { binaryOf, expressionOf } from "./expressions.js";
import { NUMBER, shapeOfOperator } from "./result-shapes.js";
import { isCount } from "./counts.js";
import { compareOrder, isEqual, type Operand } from "./equality.js";
import type { Expression } from "./expression.js";
import { printable } from "./printable.js";
import { countValue } from "./loops.js";
import { isOneOf } from "./keyed.js";
import { isOnly, kindsOf, maybeMissing } from "./kinds.js";
import { branch, falsyValue, truthiness } from "./questions.js";
import { isPlain } from "./react-values.js";
import { REFUSED, refuse } from "./refusal.js";
import type { Path, Symbolic } from "./symbolic.js";
import { concatenate, isNumber, areStrings, isString, symbolicOf } from "./texts.js";

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
    if (kindsOf(symbolic).has("null") && !symbolic.optional) return value;
    return ifPresent(symbolic, value, () => ifMissing(symbolic, () => null, right));
  });
}

function ifPresent(path: Path, value: unknown, fallbackValue: () => unknown): unknown {
  const isPartOfSomething = path.names.length > 0; // Not the variables themselves, or an item of a list.
  return isPartOfSomething ? choose({ path, question: { kind: "present" } }, () => value, fallbackValue) : value;
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
          return operate(operator, { value: a, symbolic: first }, { value: b, symbolic: second });
        }),
      ),
    () => binaryOf(operator, left, right),
  );
}

type Binary = (left: unknown, right: unknown) => unknown;

function operate(operator: string, left: Operand, right: Operand): unknown {
  const symbolic = left.symbolic ?? right.symbolic;
  const computed = (problem: string): unknown =>
    compute({ problem, about: symbolic, shape: shapeOfOperator(operator, left.value, right.value) }, () =>
      binaryOf(operator, left.value, right.value),
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
      if (isString(left.value) || isString(right.value))
        return concatenate([left.value, right.value].map((value) => printable(value)));
      if (isCount(left.symbolic) || isCount(right.symbolic)) return shift(left, right, 1);
      return computed("adds to a variable that may be a number");
    case "in":
      if (left.symbolic?.kind === "path" && isOnly(left.symbolic, "string") && isPlain(right.value))
        return isOneOf(left.symbolic, Object.keys(right.value));
      return refuse(symbolic, "tests the type of a variable");
    case "instanceof":
      return refuse(symbolic, "tests the type of a variable");
    case "-":
      if (isCount(left.symbolic)) return shift(left, right, -1);
      return computed("is arithmetic");
    default:
      return computed("is arithmetic");
  }
}

/** `index + 1`, `list.length - 1` */
function shift(left: Operand, right: Operand, sign: 1 | -1): unknown {
  const [count, by] = isCount(left.symbolic) ? [left.symbolic, right.value] : [right.symbolic, left.value];
  if (!isCount(count) || typeof by !== "number") {
    const operator = sign === 1 ? "+" : "-";
    return compute({ problem: "is arithmetic", about: count, shape: NUMBER }, () =>
      binaryOf(operator, left.value, right.value),
    );
  }
  return countValue({ ...count, offset: count.offset + sign * by });
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
        if (operator === "typeof") return typeName(each, symbolic) ?? refuse(symbolic, "tests the type of a variable");
        return compute({ problem: "is arithmetic", about: symbolic, shape: NUMBER }, () => operation(each));
      }),
    () => operation(value),
  );
}

function typeName(value: unknown, symbolic: Symbolic): unknown {
  if (typeof value === "string") return "string";
  if (symbolic.kind === "repeat") return "object";
  if (symbolic.kind !== "path") return undefined;
  const type = isOnly(symbolic, "object", "list")
    ? "object"
    : (["string", "number"] as const).find((each) => isOnly(symbolic, each));
  if (type === undefined || !maybeMissing(symbolic)) return type;
  return choose(
    { path: symbolic, question: { kind: "present" } },
    () => type,
    () =>
      ifMissing(
        symbolic,
        () => "object",
        () => "undefined",
      ),
  );
}
