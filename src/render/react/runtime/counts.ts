import type { Question, PositionTest } from "../../../mustache/variables.js";
import { lift, pick } from "./choices.js";
import { pathKey } from "./facts.js";
import { isOnly } from "./kinds.js";
import { refuse } from "./refusal.js";
import { itemOf } from "./items.js";
import { rendering } from "./rendering.js";
import type { Length, Loop, Path, Position, Several, Slice, Symbolic, Test } from "./symbolic.js";

/*
 * Mustache doesn't know the length of a list or the position of an item. But templates only test conditions such as "are
 * there at least three?", "is it one of the first two?" and "is it the last?".
 */

export type Count = Length | Position | Several;

export function isCount(symbolic: Symbolic | undefined): symbolic is Count {
  return symbolic?.kind === "length" || symbolic?.kind === "position" || symbolic?.kind === "several";
}

/** Whether a non-negative integer is at least this large. */
type AtLeast = (bound: number) => unknown;

/** `count operator size` */
export function compareCount(count: Count, operator: Comparison, size: number): unknown {
  const atLeast: AtLeast = (bound) => {
    if (count.kind === "several") return bound <= 1 || refuseToCount(count.of);
    return count.kind === "length" ? isPartAsLong(count, bound) : isOutside(count.loop, "among-first", bound);
  };
  const bound = size - count.offset;
  const isWhole = count.kind === "length" && count.slice.skipped === 0 && count.slice.limits.length === 0;
  if (!isWhole || !(operator === "===" || operator === "!==") || !Number.isInteger(bound) || bound <= 0)
    return compare(operator, bound, atLeast);
  const is = isJustAsLong(count.of, bound);
  return operator === "===" ? is : opposite(is);
}

/** Of collected rows, it is only known whether there are any. */
export function refuseToCount(list: Path): object {
  const hint = "Test with .some(…) whether there are any, or count them in derive (variables.ts).";
  return refuse(list, "counts rows made from a list", { hint });
}

/** `index operator list.length`, as in tests for the last item; undefined if it concerns another list. */
export function compareWithLength(position: Position, operator: Comparison, length: Length): unknown {
  const { loop } = position;
  const { of, slice } = length;
  if (pathKey(loop.list) !== pathKey(of) || !isWithin(slice, loop)) return undefined;
  const fromEnd: AtLeast = (bound) => isFromEnd(loop, slice, bound);
  return compare(mirrored(operator), position.offset - length.offset + slice.skipped - 1, fromEnd);
}

/** Whether an item is known to be in a slice. */
function isWithin({ limits }: Slice, loop: Loop): boolean {
  const { facts } = rendering();
  return limits.every(({ standing, answer }) => facts.known({ path: itemOf(loop), question: standing }) === answer);
}

/** Whether at least this number of items in a slice follow one of them. */
function isFromEnd(loop: Loop, { limits }: Slice, bound: number): unknown {
  if (bound <= 0) return true;
  const cut = limits.find(({ standing }) => standing.kind === "among-last")?.standing.count ?? 0;
  const ends = limits.filter(({ answer }) => answer).map(({ standing }) => standing.count);
  return ends.reduce<unknown>(
    (isBefore, end) => both(isBefore, opposite(isOutside(loop, "among-first", end - bound))),
    isOutside(loop, "among-last", bound + cut),
  );
}

export type Order = Extract<Question, { readonly kind: "compares" }>["operator"];

/** Comparisons, including `===`. */
type Comparison = Order | "===" | "!==";

const MIRRORED = { "<": ">", ">": "<", "<=": ">=", ">=": "<=", "===": "===", "!==": "!==" } as const;

/** The equivalent operator with swapped sides. */
export function mirrored<Of extends Comparison>(operator: Of): (typeof MIRRORED)[Of] {
  return MIRRORED[operator];
}

function compare(operator: Comparison, size: number, atLeast: AtLeast): unknown {
  if (Number.isNaN(size)) return operator === "!==";
  switch (operator) {
    case ">=":
      return atLeast(Math.ceil(size));
    case ">":
      return atLeast(Math.floor(size) + 1);
    case "<":
      return opposite(atLeast(Math.ceil(size)));
    case "<=":
      return opposite(atLeast(Math.floor(size) + 1));
    case "!==":
      return opposite(isExactly(size, atLeast));
    case "===":
    default:
      return isExactly(size, atLeast);
  }
}

function isExactly(size: number, atLeast: AtLeast): unknown {
  return Number.isInteger(size) ? both(atLeast(size), opposite(atLeast(size + 1))) : false;
}

/** The same for a part of it: `list.slice(1)` has an item if the list has two. */
function isPartAsLong({ of, slice }: Length, bound: number): unknown {
  if (bound <= 0) return true;
  const ends = slice.limits.filter(({ answer }) => answer).map(({ standing }) => standing.count - slice.skipped);
  const cut = slice.limits.find(({ standing }) => standing.kind === "among-last")?.standing.count ?? 0;
  return ends.some((most) => bound > most) ? false : isAsLong(of, bound + slice.skipped + cut);
}

function isAsLong(path: Path, bound: number): unknown {
  if (bound <= 0 || bound === Infinity) return bound <= 0;
  return hasLength(path) ? pick({ path, question: lengthQuestion(path, bound) }, true, false) : true;
}

function isJustAsLong(path: Path, count: number): unknown {
  return hasLength(path) ? pick({ path, question: { kind: "has-exactly", count } }, true, false) : true;
}

/** Whether it is known to have a length; otherwise it is refused. */
function hasLength(path: Path): boolean {
  if (isOnly(path, "list", "string")) return true;
  refuse(path, "reads a length, but no fixture shows whether this is a list", {
    hint: "Add a fixture in which it has a value.",
  });
  return false;
}

function lengthQuestion(path: Path, bound: number): Test["question"] {
  if (bound === 1 && isOnly(path, "list")) return { kind: "has-items" };
  if (bound === 1 && isOnly(path, "string")) return { kind: "truthy" };
  return { kind: "has-at-least", count: bound };
}

/** Whether an item is not among the first or last `count` items of its list. */
function isOutside(loop: Loop, kind: PositionTest["kind"], count: number): unknown {
  if (count <= 0 || count === Infinity) return count <= 0;
  return pick({ path: itemOf(loop), question: { kind, count } }, false, true);
}

function opposite(value: unknown): unknown {
  return lift(value, (truth) => truth !== true);
}

function both(one: unknown, other: unknown): unknown {
  return lift(one, (truth) => truth === true && other);
}
