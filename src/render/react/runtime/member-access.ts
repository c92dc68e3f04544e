import { kindOfResult, NUMBER, shapeOfUrlMember, STRING } from "../../../mustache/expression/results.js";
import type { Shape } from "../../../mustache/shape.js";
import { shapeOfMethod, shapeOfValue } from "./builtins.js";
import { byValue, lift, refuseThrowing, someCase } from "./choices.js";
import { compute } from "./computed.js";
import { isComputedKey } from "./expression.js";
import {
  entryExpression,
  expressionOf,
  memberExpression,
  mergedExpression,
  methodCallExpression,
} from "./expressions.js";
import { classOfResult } from "./result-variables.js";
import { provide } from "./later.js";
import { compareCount, type Count, countValue, cutOfSlice, endOfSlice, isCount, itemOf, WHOLE_LIST } from "./loops.js";
import { itemValue, memberValue, pathOf, possibleMembers, slicedValue, valueOfPath } from "./paths.js";
import { fallback } from "./operators.js";
import { made, refuse, REFUSED, rendering } from "./rendering.js";
import { symbolicOf } from "./strings.js";
import { type AccessPath, isReference, type Slice, type SlicedList, type Symbolic } from "./symbolic.js";

provide({ computeItem: (list, index) => computeMember(list, valueOfPath(list), index) });

type Native = (object: unknown, key: unknown) => unknown;

/** `object[key]`; `native` is the operation on ordinary values. */
export function lookUpMember(object: unknown, key: unknown, native: Native): unknown {
  const isChosen = symbolicOf(object)?.kind === "choice";
  return lift(object, (each) => {
    // An email with the case would not be rendered.
    if (isChosen && (each === null || each === undefined)) return undefined;
    return lift(key, (name) => lookUpOne(each, name, native));
  });
}

function lookUpOne(object: unknown, key: unknown, native: Native): unknown {
  const [of, by] = [symbolicOf(object), symbolicOf(key)];
  if (of?.kind === "refused" || by?.kind === "refused") return REFUSED;
  if (of?.kind === "path" && isCount(by)) return itemByCount(of, by);
  if (of?.kind === "path" && typeof key === "number") {
    if (of.isOnly("list")) return itemValue(of, key);
    return computeMember(of, object, key);
  }
  if (of?.kind === "sliced" && typeof key === "number") return itemOfSlice(of, key);
  const known =
    by?.kind === "path" && by.names.length === 1 ? rendering().computed.items.get(by.names[0] ?? "") : undefined;
  if (of?.kind === "path" && known?.list === of.key) return known.item;
  if (of) return computeMember(of, object, key);
  if (!by) return native(object, key);
  if (by.kind !== "path") return computeMember(by, object, key);
  if (isReference(object)) return entryFor(object, by);
  return typeof object === "string" ? computeMember(by, object, key) : refuse(by, "looks up a variable key");
}

/**
 * The object for `object?.name`. Of an object of unknown type, it is only known when an email is filled whether there is a
 * member to read.
 */
export function optionalHolder(object: unknown, name: string): unknown {
  // What is read from the member may throw, but only if there is an object.
  if (rendering().attempts > 0 && someCase(object, mayBeNothing)) return refuseThrowing(symbolicOf(object));
  if (!someCase(object, isUnsure)) return object;
  const member = lift(object, (each) => {
    const path = pathOf(each);
    if (path && isUnsure(each)) return computeMember(path, each, name);
    return each === null || each === undefined ? undefined : Reflect.get(Object(each), name);
  });
  return { [name]: member };
}

function mayBeNothing(value: unknown): boolean {
  const path = pathOf(value);
  return path ? path.mayBeMissing : value === undefined || value === null;
}

function isUnsure(value: unknown): boolean {
  const path = pathOf(value);
  return path !== undefined && isComputedKey(path.names[0]) && path.isUntyped && path.mayBeMissing;
}

/** A member that is only known when an email is filled. */
function computeMember(about: Symbolic, object: unknown, key: unknown): unknown {
  const problem = "looks up a member by a variable";
  return compute({ problem, about, shape: shapeOfMember(object, key) }, () => {
    const of = expressionOf(object);
    const isKnown = !symbolicOf(key) && (typeof key === "string" || typeof key === "number");
    const name = isKnown ? key : expressionOf(key);
    if (!of || name === undefined) return undefined;
    return memberExpression(of, name, (rendering().attempts === 0 && pathOf(object)?.mayBeMissing) || undefined);
  });
}

function shapeOfMember(object: unknown, key: unknown): Shape | undefined {
  const of = expressionOf(object);
  const type = of && typeof key === "string" ? classOfResult(of) : "";
  if (type === "URL") return shapeOfUrlMember(String(key));
  if ((type === "Set" || type === "Map") && key === "size") return NUMBER;
  const shape = shapeOfValue(object);
  if (kindOfResult(shape) === "list") return shape.items();
  return kindOfResult(shape) === "text" ? STRING : undefined;
}

/** `list[list.length - 1]`, and `list[index]` within `list.map((item, index) => …)` */
function itemByCount(list: AccessPath, count: Count): unknown {
  if (count.kind === "length" && count.offset < 0 && count.slice.limits.length === 0 && count.of.key === list.key) {
    return itemValue(list, count.offset);
  }
  if (count.kind === "position" && count.offset === 0 && count.loop.list.key === list.key) {
    return valueOfPath(itemOf(count.loop));
  }
  return computeMember(count, valueOfPath(list), countValue(count));
}

/** The entry of an ordinary object whose key is a variable: one case for each entry. */
function entryFor(object: object, key: AccessPath): unknown {
  const isKnown = key.isOnly("number") || (!Array.isArray(object) && (key.isOnly("string") || key.isUntyped));
  if (!isKnown) return computeMember(key, object, valueOfPath(key));
  const names = Object.keys(object).map((name) => (key.isOnly("number") ? Number(name) : name));
  const values: unknown[] = Object.values(object);
  return byValue(key, names, (_name, index) => values[index], undefined);
}

/** `[first, second] = list`; with `rest`, the last element is a list of all others. */
export function destructure(value: unknown, count: number, rest: boolean): unknown {
  const symbolic = symbolicOf(value);
  if (!symbolic) return rest ? withRest(value, count) : value;
  return Array.from({ length: count }, (_, index) =>
    lift(value, (each) => (rest && index === count - 1 ? othersOf(each, index) : elementOf(each, index))),
  );
}

function withRest(value: unknown, count: number): unknown {
  const [...items] = isIterable(value) ? value : [];
  if (!isIterable(value)) return value;
  const others = items.slice(count - 1);
  rendering().recordCreation(others);
  return [...Array.from({ length: count - 1 }, (_, index) => items[index]), others];
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "string" || (isReference(value) && Symbol.iterator in value);
}

function elementOf(value: unknown, index: number): unknown {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "path") return itemValue(symbolic, index);
  if (symbolic?.kind === "sliced") return itemOfSlice(symbolic, index);
  if (symbolic) return computeMember(symbolic, value, index);
  return Array.isArray(value) ? value[index] : undefined;
}

function othersOf(value: unknown, from: number): unknown {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "path" && symbolic.isOnly("list")) return sliceOf(symbolic, from);
  if (symbolic) {
    const computing = {
      problem: "takes a part of a list",
      about: symbolic,
      shape: shapeOfMethod(value, "slice", [from]),
    };
    return compute(computing, () => methodCallExpression(value, "slice", [from]));
  }
  return Array.isArray(value) ? value.slice(from) : [];
}

/** `{ ...a, ...b }` */
export function mergeObjects(parts: readonly unknown[]): unknown {
  return parts.reduce((before, part) => lift(before, (object) => lift(part, (next) => mergeTwo(object, next))), {});
}

/** `{ [key]: value }` */
export function keyedObject(key: unknown, value: unknown): unknown {
  return lift(key, (name) => {
    const symbolic = symbolicOf(name);
    if (!symbolic) return { [typeof name === "symbol" ? name : String(name)]: value };
    return compute({ problem: "is the name of a member", about: symbolic }, () => entryExpression(name, value));
  });
}

function mergeTwo(object: unknown, next: unknown): unknown {
  if (!isReference(object)) return object;
  const before = symbolicOf(object);
  const symbolic = symbolicOf(next);
  if (!symbolic && !before) return made({ ...object, ...Object(next) });
  if (symbolic?.kind === "refused") return object;
  const isRecord = symbolic?.kind === "path" && symbolic.isOnly("object") && symbolic.shape.names.length > 0;
  if (isRecord && !symbolic.shape.hasOtherNames && !before)
    return made({ ...object, ...membersOver(object, symbolic) });
  const problem = "spreads a variable whose members are unknown";
  return compute({ problem, about: symbolic ?? before }, () => mergedExpression(object, next));
}

/** The members of an object; a member that may be absent falls back to the value before it. */
function membersOver(object: object, path: AccessPath): Record<string, unknown> {
  const entries = possibleMembers(path).map((name): [string, unknown] => {
    const value = memberValue(path, name);
    if (!Object.hasOwn(object, name) || pathOf(value)?.mayBeMissing === false) return [name, value];
    return [name, fallback(value, (): unknown => Reflect.get(object, name))];
  });
  return Object.fromEntries(entries);
}

/** `list.slice(first, end)`, if the start counts from the beginning of the list; otherwise undefined. */
export function sliceOf(list: AccessPath, first: unknown = 0, end?: unknown): object | undefined {
  if (!isIndex(first) || first < 0 || !(end === undefined || isIndex(end))) return undefined;
  const limits: Slice["limits"][number][] = [];
  if (first > 0) limits.push({ standing: { kind: "among-first", count: first }, answer: false });
  if (end !== undefined && end >= 0) limits.push({ standing: { kind: "among-first", count: end }, answer: true });
  if (end !== undefined && end < 0) limits.push({ standing: { kind: "among-last", count: -end }, answer: false });
  return slicedValue(list, { skipped: first, limits });
}

function isIndex(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value);
}

/** `list.slice(1)[0]`, `list.slice(0, -1).at(-1)` */
export function itemOfSlice(sliced: SlicedList, index: number): unknown {
  const { of, slice } = sliced;
  const most = endOfSlice(slice) ?? Infinity;
  const cut = cutOfSlice(slice);
  if (!isIndex(index) || (index < 0 && most < Infinity)) {
    const list = slicedValue(of, slice);
    const computing = { problem: "reads an item by its index", about: sliced, shape: of.shape.items() };
    return compute(computing, () => methodCallExpression(list, "at", [index]));
  }
  const place = index < 0 ? index - cut : index + slice.skipped;
  if (place >= most) return undefined;
  const isPlain = index < 0 ? slice.skipped === 0 && cut === 0 : cut === 0;
  if (isPlain) return itemValue(of, place);
  const needed = index < 0 ? slice.skipped - place : place + 1 + cut;
  const isThere = compareCount({ kind: "length", of, slice: WHOLE_LIST, offset: 0 }, ">=", needed);
  return lift(isThere, (there) => (there === true ? itemValue(of, place) : undefined));
}
