import { Shape } from "../../../mustache/shape.js";
import type { Question, PositionTest } from "../../../mustache/variables.js";
import { lift, pick } from "./choices.js";
import { isSameResult } from "./facts.js";
import { later } from "./later.js";
import { refuse, refusedString, refuseKeys, rendering } from "./rendering.js";
import {
  AccessPath,
  isFromExamples,
  type ItemIndex,
  type ListLength,
  type Loop,
  type MappedList,
  represent,
  type Slice,
  type SourceRange,
  successorOf,
  type Symbolic,
  type Test,
} from "./symbolic.js";

/** The path of an arbitrary item of an iterated list. */
export function itemOf(loop: Loop): AccessPath {
  const shape = loop.list.shape.items();
  const sure = loop.list.sure && !isFromExamples(shape);
  const stated = loop.list.stated && !isFromExamples(shape);
  return new AccessPath({ loop, names: [], shape, optional: false, sure, stated });
}

/** The item at an index of a list, from -1 backwards from its end; undefined if it is not a list, which is refused. */
export function itemAt(list: AccessPath, index: number): AccessPath | undefined {
  if (!list.isOnly("list") || !Number.isInteger(index)) {
    refuse(list, "reads a character or an item by its index");
    return undefined;
  }
  const { loop, endsOfMembers: mayEndAfter } = list;
  const names = [...list.names, `[${index}]`];
  const shape = list.shape.items(index < 0 ? undefined : index);
  const stated = list.stated && !isFromExamples(shape);
  return new AccessPath({ loop, names, shape, optional: true, sure: false, stated, mayEndAfter });
}

/**
 * The result of a function for an arbitrary item of a list. It runs as if for two items, because effects on the next item
 * (`last = item.day`, `number += 1`) can't be known.
 */
export function forItem(list: AccessPath, work: () => unknown): unknown {
  const now = rendering();
  const { site } = now;
  const [first, second] = now.runTwice(() => now.recordEffects(work));
  const carried = [...first.changed].find(([what]) => second.changed.has(what));
  if (carried)
    return refuse(list, "changes a value that the iteration for the next item uses", {
      site: carried[1].site ?? site,
      hint: HINT,
    });
  if (isSameResult(first.result, second.result)) return first.result;
  return refuse(list, CARRIED, { site, hint: HINT });
}

/** Refuses components that render differently for the next item. */
export function refuseLoopCarried({ list }: Loop): void {
  refuse(list, CARRIED, { site: list.site, hint: HINT });
}

const CARRIED = "gives a different result for the next item, because the iteration for the first changed something";
const HINT = "In derive (variables.ts), add to each item what depends on the items before it.";

/*
 * Mustache doesn't know the length of a list or the position of an item. But templates only test conditions such as "are
 * there at least three?", "is it one of the first two?" and "is it the last?".
 */

export type Count = ListLength | ItemIndex;

export function isCount(symbolic: Symbolic | undefined): symbolic is Count {
  return symbolic?.kind === "length" || symbolic?.kind === "position";
}

/** Whether a non-negative integer is at least this large. */
type AtLeast = (bound: number) => unknown;

/** `count operator size` */
export function compareCount(count: Count, operator: Comparison, size: number): unknown {
  const atLeast: AtLeast = (bound) =>
    count.kind === "length" ? isPartAsLong(count, bound) : isOutside(count.loop, "among-first", bound);
  const bound = size - count.offset;
  const isWhole = count.kind === "length" && count.slice.skipped === 0 && count.slice.limits.length === 0;
  if (!isWhole || !(operator === "===" || operator === "!==") || !Number.isInteger(bound) || bound <= 0)
    return compare(operator, bound, atLeast);
  const is = isJustAsLong(count.of, bound);
  return operator === "===" ? is : opposite(is);
}

/** `index operator list.length`, as in tests for the last item; undefined if it concerns another list. */
export function compareWithLength(position: ItemIndex, operator: Comparison, length: ListLength): unknown {
  const { loop } = position;
  const { of, slice } = length;
  if (loop.list.key !== of.key || !isWithin(slice, loop)) return undefined;
  const fromEnd: AtLeast = (bound) => isFromEnd(loop, slice, bound);
  return compare(mirrored(operator), position.offset - length.offset + slice.skipped - 1, fromEnd);
}

/** Whether an item is known to be in a slice. */
function isWithin({ limits }: Slice, loop: Loop): boolean {
  const { facts } = rendering();
  return limits.every(({ standing, answer }) => facts.known({ path: itemOf(loop), question: standing }) === answer);
}

/** Whether at least this number of items in a slice follow one of them. */
function isFromEnd(loop: Loop, slice: Slice, bound: number): unknown {
  if (bound <= 0) return true;
  const isBefore = isOutside(loop, "among-last", bound + cutOfSlice(slice));
  const end = endOfSlice(slice);
  return end === undefined ? isBefore : both(isBefore, opposite(isOutside(loop, "among-first", end - bound)));
}

export type OrderOperator = Extract<Question, { readonly kind: "compares" }>["operator"];

/** Comparisons, including `===`. */
type Comparison = OrderOperator | "===" | "!==";

const MIRRORED = { "<": ">", ">": "<", "<=": ">=", ">=": "<=", "===": "===", "!==": "!==" } as const;

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
function isPartAsLong({ of, slice }: ListLength, bound: number): unknown {
  if (bound <= 0) return true;
  const most = (endOfSlice(slice) ?? Infinity) - slice.skipped;
  return bound <= most && isAsLong(of, bound + slice.skipped + cutOfSlice(slice));
}

function isAsLong(path: AccessPath, bound: number): unknown {
  if (bound <= 0 || bound === Infinity) return bound <= 0;
  return pick({ path, question: lengthQuestion(path, bound) }, true, false);
}

function isJustAsLong(path: AccessPath, count: number): unknown {
  return pick({ path, question: { kind: "has-exactly", count } }, true, false);
}

function lengthQuestion(path: AccessPath, bound: number): Test["question"] {
  if (bound === 1 && path.isOnly("list")) return { kind: "has-items" };
  if (bound === 1 && path.isOnly("string")) return { kind: "truthy" };
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

/** The result of `.map` on a symbolic list: React sees the body between the tags of a section. */
export function repeatValue(repeat: MappedList): object {
  const proxy = represent(repeat, {
    get(_target, name, receiver) {
      const changed = successorOf(proxy);
      if (changed) return Reflect.get(changed, name, receiver);
      if (name === Symbol.iterator) return () => children(repeat)[Symbol.iterator]();
      if (name === Symbol.toPrimitive) return asPrimitive(repeat);
      if (name === "length")
        return repeat.isFlat ? later("countItems")(repeat) : lengthValue(repeat.loop.list, repeat.slice);
      if (name === "map") return (work: MapCallback) => mapRepeat(repeat, work);
      return undefined;
    },
    ownKeys: () => refuseKeys(repeat),
  });
  rendering().recordCreation(proxy);
  return proxy;
}

export type MapCallback = (item: unknown, index: unknown, list: unknown) => unknown;

export function isCallback(value: unknown): value is MapCallback {
  return typeof value === "function";
}

export function mapRepeat(repeat: MappedList, work: MapCallback): object {
  const { loop, body, slice } = repeat;
  const { mapped } = rendering();
  mapped.push(loop);
  try {
    const forOne = (): unknown => work(body, positionValue(loop, -slice.skipped), repeatValue(repeat));
    return repeatValue({ ...repeat, body: withinLimits(loop, slice, () => forItem(loop.list, forOne)) });
  } finally {
    mapped.pop();
  }
}

/** Does something for an item in a slice. */
export function withinLimits(loop: Loop, { limits }: Slice, work: () => unknown): unknown {
  const { facts } = rendering();
  const limited = limits.reduceRight(
    (inner, { standing, answer }) =>
      () =>
        facts.assuming({ path: itemOf(loop), question: standing }, answer, inner),
    work,
  );
  return limited();
}

/** The position at which a slice ends, if it counts from the beginning of the list. */
export function endOfSlice({ limits }: Slice): number | undefined {
  return limits.find(({ answer }) => answer)?.standing.count;
}

/** How many items a slice leaves out at the end of the list. */
export function cutOfSlice({ limits }: Slice): number {
  return limits.find(({ standing }) => standing.kind === "among-last")?.standing.count ?? 0;
}

export const WHOLE_LIST: Slice = { skipped: 0, limits: [] };

/** The value for items in a slice, and nothing for others (in a string, the empty string). */
export function withinSlice(loop: Loop, { limits }: Slice, value: unknown, nothing: "" | null = null): unknown {
  return limits.reduceRight((inner, { standing, answer }) => {
    const test = { path: itemOf(loop), question: standing };
    return answer ? pick(test, inner, nothing) : pick(test, nothing, inner);
  }, value);
}

export function positionValue(loop: Loop, offset = 0): object {
  return countValue({ kind: "position", loop, offset });
}

export function lengthValue(of: AccessPath, slice = WHOLE_LIST): object {
  return countValue({ kind: "length", of, slice, offset: 0 });
}

export function countValue(count: Count, site: SourceRange | undefined = rendering().site): object {
  return opaque({ ...count, site });
}

function children({ loop, body, slice }: MappedList): unknown[] {
  const now = rendering();
  const item = withinSlice(loop, slice, body);
  const close = now.token({ kind: "close" });
  return [now.token({ kind: "each", loop }), item, close, now.token({ kind: "again", loop }), item, close];
}

/** A number that is only known when an email is filled. */
function opaque(symbolic: Count): object {
  return represent(symbolic, {
    get(_target, name, proxy) {
      if (name !== Symbol.toPrimitive && name !== Symbol.iterator) return undefined;
      const value = later("printCount")(proxy);
      const primitive = (hint: string): string => (value === proxy ? asPrimitive(symbolic)(hint) : String(value));
      if (name === Symbol.toPrimitive) return primitive;
      return () => [value === proxy ? primitive("default") : value][Symbol.iterator]();
    },
    ownKeys: () => refuseKeys(symbolic),
  });
}

function isPrintable({ offset, slice }: ListLength): boolean {
  return offset === 0 && slice.limits.length === 0;
}

/** A length prints as a variable added for it. */
function lengthToken({ of, site = of.site }: ListLength): string {
  const { names, endsOfMembers: mayEndAfter } = of;
  const path = of.with({ names: [...names, "[length]"], mayEndAfter, shape: NUMBER, excluded: [], site });
  return rendering().token({ kind: "value", path, raw: false });
}

const NUMBER = Shape.of({ type: "number" });

export const PROBLEMS = {
  repeat: "converts a list to a string",
  position: "prints an item's position, which Mustache doesn't know",
  length: "is arithmetic",
  part: "prints the length of a part of a list",
} as const;

function asPrimitive(symbolic: MappedList | Count): (hint: string) => string {
  return (hint) => {
    if (symbolic.kind === "length" && isPrintable(symbolic) && hint !== "number") return lengthToken(symbolic);
    if (symbolic.kind === "repeat") return refusedString(symbolic, PROBLEMS.repeat);
    const isLengthOfPart = symbolic.kind === "length" && symbolic.slice.limits.length > 0;
    const todo = "Compute it from the whole list's length in derive (variables.ts), and use that here.";
    return refusedString(symbolic, PROBLEMS[isLengthOfPart ? "part" : symbolic.kind], {
      site: symbolic.site,
      ...(isLengthOfPart && { hint: todo }),
    });
  };
}
