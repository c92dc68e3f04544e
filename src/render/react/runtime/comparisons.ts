import { BOOLEAN } from "../../../mustache/expression/results.js";
import { ifMissing, pick, select } from "./choices.js";
import { compute } from "./computed.js";
import { isComputed, mayBeNull } from "./expression.js";
import { binaryExpression } from "./expressions.js";
import {
  compareCount,
  compareWithLength,
  type Count,
  countValue,
  isCount,
  mirrored,
  type OrderOperator,
} from "./loops.js";
import { valueOfPath } from "./paths.js";
import { symbolicOf } from "./strings.js";
import type { AccessPath, Symbolic } from "./symbolic.js";

/** `a === b`, and with `loose` `a == b`, if at least one side is symbolic and neither is a choice. */
export function isEqual(a: unknown, b: unknown, loose: boolean): unknown {
  const [first, second] = [symbolicOf(a), symbolicOf(b)];
  if (first && second) {
    return (
      a === b ||
      isSameVariable(first, second) ||
      (compareCounts("===", first, second) ?? compareComputed(loose ? "==" : "===", a, b, "compares two variables"))
    );
  }
  return first ? compareWith(a, first, b, loose) : second && compareWith(b, second, a, loose);
}

/** `a < b` and similar operators, with the same conditions. */
export function compareOrder(operator: OrderOperator, a: unknown, b: unknown): unknown {
  const [first, second] = [symbolicOf(a), symbolicOf(b)];
  if (first && second) {
    return compareCounts(operator, first, second) ?? compareComputed(operator, a, b, "compares two variables");
  }
  return first ? orderOf(a, operator, b) : orderOf(b, mirrored(operator), a);
}

function orderOf(value: unknown, operator: OrderOperator, bound: unknown): unknown {
  const symbolic = symbolicOf(value);
  if (isCountable(symbolic) && typeof bound === "number") return compareCount(symbolic, operator, bound);
  if (symbolic?.kind === "path" && typeof bound === "number" && !hasOwnOrder(symbolic))
    return compareNumber(symbolic, operator, bound);
  return compareComputed(operator, value, bound, "compares the size of something that is not a number");
}

/** Whether it compares with numbers although it is none. */
function hasOwnOrder({ kinds }: AccessPath): boolean {
  return kinds.has("date") || kinds.has("bigint");
}

function compareComputed(operator: string, a: unknown, b: unknown, problem: string): unknown {
  return compute({ problem, about: symbolicOf(a), shape: BOOLEAN }, () => binaryExpression(operator, a, b));
}

/** Whether conditions can tell its size: of a value of unknown type, the length may be anything. */
function isCountable(symbolic: Symbolic | undefined): symbolic is Count {
  if (symbolic?.kind === "length") return symbolic.of.isOnly("list", "string");
  return isCount(symbolic);
}

/** False for an absent value; null compares like 0. */
function compareNumber(path: AccessPath, operator: OrderOperator, bound: number): unknown {
  if (Number.isNaN(bound)) return false;
  if (!Number.isFinite(bound))
    return compareComputed(operator, valueOfPath(path), bound, "compares with a number that JSON can't represent");
  if (!path.isOnly("number"))
    return compareComputed(operator, valueOfPath(path), bound, "compares the size of something that is not a number");
  const test = { path, question: { kind: "compares", operator, value: bound } } as const;
  if (!mayBeNull(path) || !holdsForZero(operator, bound)) return pick(test, true, false);
  return select(
    path.presence,
    () => pick(test, true, false),
    () => ifMissing(path, true, () => false),
  );
}

function holdsForZero(operator: OrderOperator, bound: number): boolean {
  return { "<": 0 < bound, "<=": 0 <= bound, ">": 0 > bound, ">=": 0 >= bound }[operator];
}

/** Compares an item's position with the length of its list. */
function compareCounts(operator: OrderOperator | "===", a: Symbolic, b: Symbolic): unknown {
  if (a.kind === "position" && b.kind === "length") return compareWithLength(a, operator, b);
  if (a.kind === "length" && b.kind === "position") return compareWithLength(b, mirrored(operator), a);
  return undefined;
}

function isSameVariable(a: Symbolic, b: Symbolic): boolean {
  return a.kind === "path" && b.kind === "path" && a.key === b.key;
}

function compareWith(value: unknown, symbolic: Symbolic, literal: unknown, loose: boolean): unknown {
  if (symbolic.kind === "path") {
    if (literal === null || literal === undefined) return isNullish(symbolic, literal, loose);
    if (symbolic.mayBe("bigint") && (typeof literal === "bigint" || (loose && symbolic.kinds.has("bigint"))))
      return compareComputed(loose ? "==" : "===", value, literal, "compares a bigint");
    return isLiteral(symbolic, literal, loose);
  }
  if (isCountable(symbolic)) return typeof literal === "number" && compareCount(symbolic, "===", literal);
  if (isCount(symbolic))
    return compareComputed(loose ? "==" : "===", countValue(symbolic), literal, "compares something of unknown length");
  return (
    symbolic.kind === "text" &&
    typeof literal === "string" &&
    compareComputed("===", symbolic.text, literal, "compares a string made from variables")
  );
}

function isNullish(path: AccessPath, literal: null | undefined, loose: boolean): unknown {
  const isNull = mayBeNull(path);
  const [isPossible, other] = literal === null ? [isNull, path.optional] : [path.optional, isNull];
  if (!loose && !isPossible && path.stated) return false;
  const isNotThere = (): unknown =>
    loose || !other || pick({ path, question: { kind: "null" } }, literal === null, literal === undefined);
  return select(path.presence, () => false, isNotThere);
}

function isLiteral(path: AccessPath, literal: unknown, loose: boolean): unknown {
  if (typeof literal !== "string" && typeof literal !== "number" && typeof literal !== "boolean") return false;
  if (typeof literal === "number" && !Number.isFinite(literal)) {
    // JSON can't represent it.
    return isComputed(path) && compareComputed("===", valueOfPath(path), literal, "compares with an infinite number");
  }
  const converts = [...path.kinds].some((kind) => kind !== typeof literal && kind !== "null") || path.isUntyped;
  if (loose && converts)
    return compareComputed("==", valueOfPath(path), literal, "compares with ==, which converts types");
  return pick({ path, question: { kind: "equals", value: literal } }, true, false);
}
