import { lift } from "./choices.js";
import { fork } from "./fork.js";
import { callListMethod } from "./list-calls.js";
import { countValue, isCallback, repeatValue, type MapCallback } from "./loops.js";
import { USE_MAP } from "./ordinary.js";
import { refuse } from "./refusal.js";
import { rendering } from "./rendering.js";
import { lengthOfRows } from "./row-counts.js";
import { represented, standFor, type Rows } from "./symbolic.js";
import { symbolicOf } from "./texts.js";

type Callback = (...given: unknown[]) => unknown;
/** What is done for one item, with the list which what comes of it is pushed to. */
type Turn = (rows: unknown[]) => unknown;
type Collector = (turn: (body: Turn) => unknown) => Callback;

interface Adding {
  readonly rows: unknown;
  readonly collector: Collector;
}

const adding = new WeakMap<object, Adding>();

/** A function that pushes to a list what comes of an item. With ordinary items it does as it is written. */
export function addingTo(rows: unknown, collector: Collector): Callback {
  const callback = collector((body) => body(rows as unknown[])); // oxlint-disable-line typescript/no-unsafe-type-assertion -- whatever `push` is called on
  adding.set(callback, { rows, collector });
  return callback;
}

/** `for (const item of list) callback(item)`, `list.forEach(callback)`; whether that could be done. */
export function addForEach(list: unknown, callback: unknown): boolean {
  const found = typeof callback === "function" ? adding.get(callback) : undefined;
  if (!found || !Array.isArray(found.rows)) return false;
  const { rows, collector } = found;
  rendering().changed(rows);
  const added = lift(list, (each) => rowsOf(each, collector));
  rows.push(added);
  const known = represented(rows);
  if (known?.kind === "rows") known.added.add(added);
  else standFor(rows, { kind: "rows", list: rows, added: new Set([added]) });
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
  if (repeat?.kind !== "repeat") return mapped ?? refuse(symbolic, "goes through a list one by one", { hint: USE_MAP });
  if (!isOneEach(repeat.body)) return repeatValue({ ...repeat, isFlat: true });
  return repeatValue({ ...repeat, body: lift(repeat.body, (rows) => (Array.isArray(rows) ? rows[0] : rows)) });
}

/** Whether each way adds just one. */
function isOneEach(body: unknown): boolean {
  const symbolic = represented(body);
  if (symbolic?.kind === "choice") return isOneEach(symbolic.yes) && isOneEach(symbolic.no);
  return !symbolic && Array.isArray(body) && body.length === 1;
}

/** Calls a method of such a list. */
export function callRows(rows: Rows, name: string, given: readonly unknown[]): unknown {
  const { list } = rows;
  if (name === "push") {
    rendering().changed(list);
    return list.push(...given);
  }
  const [work] = given;
  if (name === "map" && list.length > 1 && isCallback(work)) return mapRows(rows, work);
  const [only] = list;
  const repeat = list.length === 1 ? represented(only) : undefined;
  const result = repeat?.kind === "repeat" ? callListMethod(repeat, name, given) : undefined;
  return result ?? refuse(rows, `calls .${name}() of a list with a variable's items in it`, { hint: USE_MAP });
}

/** `[first, ...items, last].map(…)`: what stands alone is one item, and what was added as many as its list has. */
function mapRows(rows: Rows, work: MapCallback): unknown {
  const list: unknown[] = [];
  const added = new Set<unknown>();
  for (const [index, part] of rows.list.entries()) {
    const before: Rows = { ...rows, list: rows.list.slice(0, index) };
    if (!rows.added.has(part)) {
      list.push(work(part, placeAfter(before, work), rows.list));
      continue;
    }
    const repeat = represented(part);
    const from = (place: unknown): unknown => (index === 0 ? place : placeAfter(before, work, place));
    const ofPart = (item: unknown, place: unknown): unknown => work(item, from(place), rows.list);
    const result = repeat?.kind === "repeat" ? callListMethod(repeat, "map", [ofPart]) : undefined;
    if (result === undefined)
      return refuse(rows, "calls .map() of a list with a variable's items in it", { hint: USE_MAP });
    added.add(result);
    list.push(result);
  }
  standFor(list, { kind: "rows", list, added });
  return list;
}

/** An item's number, which may be asked for, after those before it; `place` is that in its own list. */
function placeAfter(before: Rows, work: MapCallback, place: unknown = 0): unknown {
  const isCounted = before.list.some((each) => before.added.has(each));
  const position = represented(place);
  if (!isCounted && position?.kind === "position")
    return countValue({ ...position, offset: position.offset + before.list.length });
  if (!isCounted && place === 0) return before.list.length;
  if (work.length === 1) return undefined;
  return place === 0 ? lengthOfRows(before) : refuse(before, "counts on from one list to the next");
}
