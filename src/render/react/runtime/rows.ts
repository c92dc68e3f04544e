import { everyCase, fork, lift, pick } from "./choices.js";
import { callListMethod, isTrueOfSome } from "./list-methods.js";
import { countValue, isCallback, lengthOfRepeat, lengthValue, type MapCallback, repeatValue } from "./loops.js";
import { truthiness } from "./operators.js";
import { memberValue } from "./paths.js";
import { refuse, rendering } from "./rendering.js";
import { symbolicOf } from "./strings.js";
import {
  type AccessPath,
  type AnyFunction,
  type CollectedRows,
  type MappedList,
  registerSymbolic,
  represented,
} from "./symbolic.js";

export const USE_MAP = "Use .map, and print the result.";

export const USE_ONE_MAP_EACH =
  "Use a separate .map for each list, one after the other, or combine the lists in derive (variables.ts): [...variables.a, ...variables.b].";

export const LOOP_HINTS = {
  "ends early":
    "A section always contains all items of a list. Take the first ones with .slice, or filter the list in derive (variables.ts), and use .map.",
  "carries on":
    "Compute values that carry over from one item to the next in derive (variables.ts), and print the items with .map.",
  "takes members":
    "Turn it into a list in derive (variables.ts): Object.entries(labels).map(([key, value]) => ({ key, value })), and use .map.",
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

/** `for (const item of list) callback(item)`, `list.forEach(callback)`. Returns whether it was possible. */
export function appendForEach(list: unknown, callback: unknown): boolean {
  const pending = typeof callback === "function" ? pendingAppends.get(callback) : undefined;
  if (!pending || !Array.isArray(pending.rows)) return false;
  const { rows, collector } = pending;
  rendering().recordMutation(rows);
  const added = lift(list, (each) => rowsOf(each, collector));
  rows.push(added);
  const known = represented(rows);
  if (known?.kind === "rows") known.added.add(added);
  else registerSymbolic(rows, { kind: "rows", list: rows, added: new Set([added]) });
  return true;
}

function rowsOf(list: unknown, collector: Collector): unknown {
  const symbolic = symbolicOf(list);
  if (!symbolic) {
    const own: unknown[] = [];
    if (Array.isArray(list)) list.forEach(collector((body) => body(own)));
    return own;
  }
  const work = collector((body) => fork(() => body([])));
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
  if (name === "push") {
    rendering().recordMutation(list);
    return list.push(...args);
  }
  const [work] = args;
  if (name === "map" && list.length > 1 && isCallback(work)) return mapRows(rows, work);
  const [only] = list;
  const repeat = list.length === 1 ? represented(only) : undefined;
  const result = repeat?.kind === "repeat" ? callListMethod(repeat, name, args) : undefined;
  return result ?? refuse(rows, `calls .${name}() on a list that contains a variable's items`, { hint: USE_MAP });
}

/** `[first, ...items, last].map(…)`: a single item is mapped once, and added rows as often as their list has items. */
function mapRows(rows: CollectedRows, work: MapCallback): unknown {
  const list: unknown[] = [];
  const added = new Set<unknown>();
  for (const [index, part] of rows.list.entries()) {
    const before: CollectedRows = { ...rows, list: rows.list.slice(0, index) };
    if (!rows.added.has(part)) {
      list.push(work(part, indexAfter(before, work), rows.list));
      continue;
    }
    const repeat = represented(part);
    const from = (place: unknown): unknown => (index === 0 ? place : indexAfter(before, work, place));
    const ofPart = (item: unknown, place: unknown): unknown => work(item, from(place), rows.list);
    const result = repeat?.kind === "repeat" ? callListMethod(repeat, "map", [ofPart]) : undefined;
    if (result === undefined)
      return refuse(rows, "calls .map() on a list that contains a variable's items", { hint: USE_MAP });
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
  return place === 0 ? lengthOfRows(before) : refuse(before, "continues counting from one list to the next");
}

/** `rows.length` */
export function lengthOfRows(rows: CollectedRows): unknown {
  const [added, ...others] = rows.list.filter((each) => rows.added.has(each));
  if (others.length > 0) return refuse(rows, "counts rows added by more than one loop");
  const plain = rows.list.length - 1;
  return lift(added, (part) => {
    const symbolic = represented(part);
    if (symbolic?.kind !== "repeat") return plain + (Array.isArray(part) ? part.length : 0);
    return lift(lengthOfMapped(symbolic), (length) => {
      if (typeof length === "number") return length + plain;
      const count = represented(length);
      return count?.kind === "length" || count?.kind === "several"
        ? countValue({ ...count, offset: count.offset + plain })
        : length;
    });
  });
}

/** `list.flatMap(…).length`: 0, or a number that is only known to be positive. */
export function lengthOfMapped(repeat: MappedList): unknown {
  const { loop, slice, body, isFlat } = repeat;
  if (!isFlat || slice.limits.length > 0 || !everyCase(body, isCountable)) return lengthOfRepeat(repeat);
  return lift(isTrueOfSome(loop, hasRows(body)), (some) =>
    some === true ? countValue({ kind: "several", of: loop.list, offset: 0 }) : 0,
  );
}

/** Whether it is a list whose length is available. */
function isCountable(rows: unknown): boolean {
  const symbolic = represented(rows);
  return symbolic?.kind === "rows" || symbolic?.kind === "repeat" || (!symbolic && Array.isArray(rows));
}

function hasRows(body: unknown): unknown {
  return lift(body, (rows) => {
    const symbolic = represented(rows);
    if (symbolic?.kind === "rows") return truthiness(lengthOfRows(symbolic));
    if (symbolic?.kind === "repeat") return truthiness(lengthOfMapped(symbolic));
    return Array.isArray(rows) && rows.length > 0;
  });
}

/**
 * `value.length`; `native` is the operation on ordinary values.
 *
 * @param mayEnd Whether it is written with `?.`, so that it is undefined if the value is absent; otherwise it would throw.
 */
export function lengthOf(value: unknown, native: (value: unknown) => unknown, mayEnd: boolean): unknown {
  return lift(value, (each) => {
    const symbolic = symbolicOf(each);
    if (!symbolic) return native(each);
    if (symbolic.kind === "path") return lengthOfPath(symbolic, mayEnd);
    if (symbolic.kind === "repeat") return lengthOfMapped(symbolic);
    if (symbolic.kind === "rows") return lengthOfRows(symbolic);
    if (symbolic.kind === "sliced") return lengthValue(symbolic.of, symbolic.slice);
    return refuse(symbolic, "counts the characters of a string made from variables");
  });
}

function lengthOfPath(path: AccessPath, mayEnd: boolean): unknown {
  if (path.isOnly("object")) return memberValue(path, "length");
  const length = lengthValue(path);
  return mayEnd && path.mayBeMissing ? pick(path.presence, length, undefined) : length;
}
