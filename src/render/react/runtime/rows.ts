import { LIST, NUMBER } from "../../../mustache/expression/results.js";
import { shapeOfMethod } from "./builtins.js";
import { everyCase, fork, isMissingCase, lift, pick, unlessThrown } from "./choices.js";
import { compute } from "./computed.js";
import { countableExpression, expressionOf, methodCallExpression } from "./expressions.js";
import { callListMethod, itemsOf, watchedCallback } from "./list-methods.js";
import { provide } from "./later.js";
import { countValue, isCallback, lengthValue, type MapCallback, repeatValue } from "./loops.js";
import { binary, wholeString } from "./operators.js";
import { memberValue } from "./paths.js";
import { refuse, REFUSED, rendering } from "./rendering.js";
import { symbolicOf } from "./strings.js";
import { type AccessPath, type AnyFunction, type CollectedRows, registerSymbolic, represented } from "./symbolic.js";

export const USE_MAP = "Use .map, and print the result.";

export const USE_ONE_MAP_EACH =
  "Use a separate .map for each list, one after the other, or combine the lists: [...a, ...b].map(…).";

export const LOOP_HINTS = {
  "ends early":
    "A section always contains all items of a list. Take the first ones with .slice, or the others with .filter, and use .map.",
  "carries on":
    "Compute sums in a loop of their own, read the item before with list[index - 1], and print the items with .map.",
  "takes members": "Iterate it as a list: Object.entries(labels).map(([key, value]) => …).",
  "does more": `${USE_MAP} A loop with .push is supported, too, if it does nothing else and adds to a single list.`,
} as const;

/** The loop body for one item, with the list to which it pushes its result. */
type IterationBody = (rows: unknown[]) => unknown;
type Collector = (iterate: (body: IterationBody) => unknown) => AnyFunction;

interface PendingAppend {
  readonly rows: unknown;
  readonly collector: Collector;
}

const pendingAppends = new WeakMap<object, PendingAppend>();

/** A function that pushes an item's result to a list. With ordinary items it runs unchanged. */
export function appendingTo(rows: unknown, collector: Collector): AnyFunction {
  const callback = collector((body) => body(rows as unknown[])); // oxlint-disable-line typescript/no-unsafe-type-assertion -- whatever `push` is called on
  pendingAppends.set(callback, { rows, collector });
  return callback;
}

type Arguments = (item: unknown, index: unknown, list: unknown) => readonly unknown[];

/**
 * `for (const item of list) callback(item)`, `list.forEach(callback)`. Returns whether it was possible.
 *
 * @param argumentsOf What the callback is called with instead of an item, its index and the list.
 */
export function appendForEach(list: unknown, callback: unknown, argumentsOf: Arguments = (...args) => args): boolean {
  const pending = typeof callback === "function" ? pendingAppends.get(callback) : undefined;
  if (!pending || !Array.isArray(pending.rows)) return false;
  const { rows, collector } = pending;
  rendering().recordMutation(rows);
  const added = lift(list, (each) => rowsOf(each, collector, argumentsOf));
  const known = represented(rows);
  const before = known && known.kind !== "rows" ? itemsOf(rows) : undefined;
  if (before) rows.splice(0, rows.length, before);
  rows.push(added);
  if (known?.kind === "rows") known.added.add(added);
  else registerSymbolic(rows, { kind: "rows", list: rows, added: new Set(before ? [before, added] : [added]) });
  return true;
}

function rowsOf(list: unknown, collector: Collector, argumentsOf: Arguments): unknown {
  const symbolic = symbolicOf(list);
  if (!symbolic) {
    const own: unknown[] = [];
    if (Array.isArray(list)) list.forEach(collector((body) => body(own)));
    return own;
  }
  const iterate = collector((body) => fork(() => body([])));
  const work: MapCallback = (...args) => iterate(...argumentsOf(...args));
  const isList = symbolic.kind === "path" || symbolic.kind === "repeat" || symbolic.kind === "sliced";
  const mapped = isList ? callListMethod(symbolic, "map", [work]) : undefined;
  const repeat = represented(mapped);
  if (repeat?.kind !== "repeat") return mapped ?? refuse(symbolic, "iterates a list item by item", { hint: USE_MAP });
  if (!everyCase(repeat.body, isOneRow)) return repeatValue({ ...repeat, isFlat: true });
  return repeatValue({ ...repeat, body: lift(repeat.body, (rows) => (Array.isArray(rows) ? rows[0] : rows)) });
}

function isOneRow(rows: unknown): boolean {
  return !represented(rows) && Array.isArray(rows) && rows.length === 1;
}

export function callRows(rows: CollectedRows, name: string, args: readonly unknown[]): unknown {
  const { list } = rows;
  const [work] = args.map(watchedCallback);
  if (name === "map" && list.length > 1 && isCallback(work)) return mapRows(rows, work) ?? mapComputed(rows, work);
  const [only] = list;
  const repeat = list.length === 1 ? represented(only) : undefined;
  const result = repeat?.kind === "repeat" ? callListMethod(repeat, name, args) : undefined;
  const problem = `calls .${name}() on a list that contains a variable's items`;
  if (result !== undefined) return result;
  return compute({ problem, about: rows, shape: shapeOfMethod(list, name, args) }, () =>
    methodCallExpression(list, name, args),
  );
}

/** The same for a list of which parts can't be mapped on their own, such as `rows` after `if (item.gift) rows.push(item)`. */
function mapComputed(rows: CollectedRows, work: MapCallback): unknown {
  const problem = "calls .map() on a list that contains a variable's items";
  const list = represented(compute({ problem, about: rows, shape: LIST }, () => expressionOf(rows.list)));
  return list?.kind === "path" ? callListMethod(list, "map", [work]) : REFUSED;
}

/**
 * `[first, ...items, last].map(…)`: a single item is mapped once, and added rows as often as their list has items. Undefined if
 * that is not possible.
 */
function mapRows(rows: CollectedRows, work: MapCallback): unknown {
  const list: unknown[] = [];
  const added = new Set<unknown>();
  for (const [index, part] of rows.list.entries()) {
    const before: CollectedRows = { ...rows, list: rows.list.slice(0, index) };
    registerSymbolic(before.list, before);
    if (!rows.added.has(part)) {
      list.push(work(part, indexAfter(before, work), rows.list));
      continue;
    }
    const repeat = represented(part);
    const from = (place: unknown): unknown => (index === 0 ? place : indexAfter(before, work, place));
    const ofPart = (item: unknown, place: unknown): unknown => work(item, from(place), rows.list);
    const result = repeat?.kind === "repeat" ? callListMethod(repeat, "map", [ofPart]) : undefined;
    if (result === undefined) return undefined;
    added.add(result);
    list.push(result);
  }
  registerSymbolic(list, { kind: "rows", list, added });
  return list;
}

/** An item's index, counting the items before its part. `place` is the index within its own part. */
function indexAfter(before: CollectedRows, work: MapCallback, place: unknown = 0): unknown {
  const isCounted = before.list.some((each) => before.added.has(each));
  const position = represented(place);
  if (!isCounted && position?.kind === "position")
    return countValue({ ...position, offset: position.offset + before.list.length });
  if (!isCounted && place === 0) return before.list.length;
  if (work.length === 1) return undefined;
  const count = lengthOfRows(before);
  return place === 0 ? count : binary("+", count, place, () => undefined);
}

/** The number of items of a list that React sees as one, computed when an email is filled. */
export function countOf(list: unknown): unknown {
  const problem = "counts rows made from a list";
  return compute({ problem, about: symbolicOf(list), shape: NUMBER }, () => {
    const of = countableExpression(list);
    return of && { kind: "member", of, name: "length" };
  });
}

provide({ countItems: (repeat) => countOf(repeatValue(repeat)) });

/** `rows.length` */
export function lengthOfRows(rows: CollectedRows): unknown {
  const [added, ...others] = rows.list.filter((each) => rows.added.has(each));
  const plain = rows.list.length - 1;
  const repeat = represented(added);
  const isCounted = others.length === 0 && repeat?.kind === "repeat" && !repeat.isFlat;
  if (!isCounted) return countOf(rows.list);
  const { loop, slice } = repeat;
  return countValue({ kind: "length", of: loop.list, slice, offset: plain });
}

/**
 * `value.length`; `native` is the operation on ordinary values.
 *
 * @param mayEnd Whether it is written with `?.`, so that it is undefined if the value is absent; otherwise it would throw.
 */
export function lengthOf(value: unknown, native: (value: unknown) => unknown, mayEnd: boolean): unknown {
  return lift(value, (each) => {
    const symbolic = symbolicOf(each);
    if (!symbolic) return isMissingCase(each, value) ? unlessThrown(() => native(each), [value]) : native(each);
    if (symbolic.kind === "path") return lengthOfPath(symbolic, mayEnd);
    if (symbolic.kind === "repeat")
      return symbolic.isFlat ? countOf(each) : lengthValue(symbolic.loop.list, symbolic.slice);
    if (symbolic.kind === "rows") return lengthOfRows(symbolic);
    if (symbolic.kind === "sliced") return lengthValue(symbolic.of, symbolic.slice);
    if (symbolic.kind !== "text") return refuse(symbolic, "counts the characters of a variable");
    return lengthOf(
      wholeString(symbolic.text, "counts the characters of a string made from variables"),
      native,
      mayEnd,
    );
  });
}

function lengthOfPath(path: AccessPath, mayEnd: boolean): unknown {
  if (path.isOnly("object")) return memberValue(path, "length");
  const length = lengthValue(path);
  return mayEnd && path.mayBeMissing ? pick(path.presence, length, undefined) : length;
}
