import { BOOLEAN, LIST, STRINGS } from "../../../mustache/expression/results.js";
import { isBuiltin, shapeOfMethod } from "./builtins.js";
import { certainShape } from "./certain-shapes.js";
import { lift, pick, select } from "./choices.js";
import { compute } from "./computed.js";
import { isComputed, isComputedKey, loopsIn } from "./expression.js";
import { callExpression, expressionOf, returnsIterator, methodCallExpression } from "./expressions.js";
import { classOfResult } from "./result-variables.js";
import { isPositionTest } from "./facts.js";
import { later, provide } from "./later.js";
import {
  forItem,
  isCallback,
  itemOf,
  type MapCallback,
  mapRepeat,
  positionValue,
  repeatValue,
  WHOLE_LIST,
  withinSlice,
} from "./loops.js";
import { itemOfSlice, sliceOf } from "./member-access.js";
import { branch, not, truthiness } from "./operators.js";
import { copyOfList, itemValue, repeatOver, slicedValue, valueOfPath } from "./paths.js";
import { located, refuse, rendering } from "./rendering.js";
import { inlineString, stringOfItem, symbolicOf } from "./strings.js";
import {
  type AccessPath,
  type CollectedRows,
  type Loop,
  type MappedList,
  registerSymbolic,
  represented,
  type SlicedList,
  type SourceRange,
  type Symbolic,
  type Test,
  testedPath,
} from "./symbolic.js";

type ListLike = AccessPath | MappedList | SlicedList;

/** Calls a method of a symbolic list; undefined if the method is not supported. */
export function callListMethod(list: ListLike, name: string, args: readonly unknown[]): unknown {
  if (list.kind === "path" && !mayBeList(list)) return undefined;
  if (list.kind === "path" && OF_OTHERS.has(name) && mayBeOther(list)) return undefined;
  if (list.kind === "repeat" && list.isFlat) return list.computed && callComputed(list.computed(), name, args);
  const [first] = args.map(watchedCallback);
  const { site } = rendering(); // A callback changes it.
  switch (name) {
    case "map":
      return isCallback(first) ? mapOver(list, first) : undefined;
    case "flatMap":
      return isCallback(first) ? flat(mapOver(list, first), () => computed(list, name, args, site)) : undefined;
    case "entries":
      return mapOver(list, (item, index) => [index, item]);
    case "filter":
      return first === Boolean ? flat(filtered(list), () => computed(list, name, args, site)) : undefined;
    case "join":
      return joined(list, args.length === 0 ? "," : first);
    case "slice":
      if (list.kind === "repeat") return partOf(list, ...args);
      return list.kind === "path" ? sliceOf(list, ...args) : undefined;
    case "at":
      return typeof first === "number" ? itemAtPlace(list, first) : undefined;
    case "includes":
      return list.kind === "path" && args.length === 1 ? includes(list, first) : undefined;
    case "some":
    case "every":
      return list.kind === "path" && isCallback(first) ? quantify(name, list, first) : undefined;
    default:
      return undefined;
  }
}

/** A built-in function as a callback: `.map(Number)`. */
export function watchedCallback(called: unknown): unknown {
  if (!isBuiltin(called) || called === Boolean) return called;
  return (...args: unknown[]) => later("callBuiltin")(called, undefined, args.slice(0, Math.max(called.length, 1)));
}

/** Methods that strings or maps have, too. */
const OF_OTHERS = new Set(["slice", "at", "includes", "entries"]);

/** Whether it may be something else than a list, such as a string or a map. */
function mayBeOther(path: AccessPath): boolean {
  return isComputed(path) && (path.isUntyped || isComputedObject(path));
}

/** The result of a method that must be computed. */
function computed(list: ListLike, name: string, args: readonly unknown[], site: SourceRange | undefined): unknown {
  const of =
    list.kind === "path"
      ? valueOfPath(list)
      : list.kind === "repeat"
        ? repeatValue(list)
        : slicedValue(list.of, list.slice);
  const problem = `calls .${name}() on a variable`;
  return compute({ problem, about: list, shape: shapeOfMethod(of, name, args), site }, () =>
    methodCallExpression(of, name, args),
  );
}

function callComputed(value: unknown, name: string, args: readonly unknown[]): unknown {
  const list = symbolicOf(value);
  return list?.kind === "path" ? callListMethod(list, name, args) : value;
}

function itemAtPlace(list: ListLike, index: number): unknown {
  if (list.kind === "repeat") return undefined;
  return list.kind === "path" ? itemValue(list, index) : itemOfSlice(list, index);
}

/** `[...list]`, `Array.from(list)`: a copy supports the same operations as the list. */
export function copyOfIterable(value: unknown): unknown {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "repeat" && symbolic.isFlat && symbolic.computed) return copyOfIterable(symbolic.computed());
  const isText = symbolic?.kind === "text" || (symbolic?.kind === "path" && symbolic.isOnly("string"));
  if (isText) {
    const problem = "takes the characters of a string";
    return compute({ problem, about: symbolic, shape: STRINGS }, () =>
      callExpression({ kind: "name", name: "Array.from" }, [value]),
    );
  }
  if (symbolic?.kind === "path" && isComputedObject(symbolic)) {
    const problem = "creates a list from a computed value";
    return compute({ problem, about: symbolic, shape: symbolic.isOnly("list") ? symbolic.shape : LIST }, () =>
      callExpression({ kind: "name", name: "Array.from" }, [value]),
    );
  }
  if (symbolic?.kind === "path" && symbolic.isUntyped && isComputed(symbolic)) return spreadList(symbolic, value);
  if (symbolic?.kind === "path") return mayBeList(symbolic) ? copyOfList(symbolic) : undefined;
  if (symbolic?.kind === "sliced") return slicedValue(symbolic.of, symbolic.slice);
  if (symbolic?.kind === "repeat" && !symbolic.isFlat) return repeatValue(symbolic);
  return symbolic?.kind === "rows" ? copyOfRows(symbolic) : undefined;
}

/** A string, or a value that may be a set or a map, as a list. */
export function asList(value: unknown): unknown {
  const symbolic = symbolicOf(value);
  const isOther =
    symbolic?.kind === "path" ? symbolic.isOnly("string") || mayBeOther(symbolic) : symbolic?.kind === "text";
  return isOther ? copyOfIterable(value) : value;
}

/** `[...value.entries()]` of a value that may be a set or a map; undefined for other values. */
export function entriesOf(value: unknown): unknown {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind !== "path" || !mayBeOther(symbolic)) return undefined;
  const computing = { problem: "iterates a list item by item", about: symbolic };
  return copyOfIterable(compute(computing, () => methodCallExpression(value, "entries", [])));
}

function copyOfRows({ list, added }: CollectedRows): object {
  const copy = [...list];
  registerSymbolic(copy, { kind: "rows", list: copy, added: new Set(added) });
  rendering().recordCreation(copy);
  return copy;
}

/** `[...value]` of a value that may be a list, a string or something else, computed as a list. */
function spreadList(about: Symbolic, value: unknown): unknown {
  return compute({ problem: "iterates a list item by item", about, shape: LIST }, () => {
    const of = expressionOf(value);
    return of && { kind: "list", items: [{ kind: "spread", of }] };
  });
}

/** `new Set(list)`, `text.matchAll(pattern)`, `text.split("").entries()` */
function isComputedObject({ names }: AccessPath): boolean {
  const [key = "", ...members] = names;
  const expression = members.length > 0 ? undefined : rendering().computed.all.get(key)?.expression;
  if (expression?.kind === "change" || expression?.kind === "if") return classOfResult(expression) !== "Array";
  if (expression?.kind !== "call") return false;
  const { callee, isNew } = expression;
  return isNew === true || (callee.kind === "member" && returnsIterator(callee.name));
}

/** Whether it is a list whose items are only known when an email is filled. */
export function isSymbolicList(value: unknown): boolean {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "path") return symbolic.isOnly("list");
  return symbolic?.kind === "sliced" || symbolic?.kind === "repeat" || symbolic?.kind === "rows";
}

/** What a value is spread as among other items; undefined if it is not symbolic, or may not be iterable. */
export function itemsOf(value: unknown): object | undefined {
  const symbolic = symbolicOf(value);
  if (!symbolic || symbolic.kind === "rows") return undefined;
  if (symbolic.kind === "repeat") return repeatValue(symbolic);
  const isList = symbolic.kind === "path" && symbolic.isOnly("list") && !isComputedObject(symbolic);
  if (isList || symbolic.kind === "sliced") return mapOver(symbolic, (item) => item);
  const copy = symbolic.kind === "choice" ? spreadList(symbolic, value) : copyOfIterable(value);
  return isSymbolicList(copy) ? itemsOf(copy) : undefined;
}

function mayBeList(path: AccessPath): boolean {
  return path.isOnly("list") || path.isUntyped;
}

function mapOver(list: ListLike, work: MapCallback): object {
  if (list.kind === "repeat") {
    const other = rendering().mapped.includes(list.loop) ? symbolicOf(anotherList(list)) : list;
    return other?.kind === "path" ? repeatOver(other, work) : mapRepeat(list, work);
  }
  return list.kind === "sliced" ? repeatOver(list.of, work, list.slice) : repeatOver(list, work);
}

/** The same list with items of its own, for use within a function of an item. */
function anotherList(repeat: MappedList): unknown {
  const list = repeatValue(repeat);
  return compute({ problem: "is mapped within itself", about: repeat, shape: certainShape(list) }, () =>
    expressionOf(list),
  );
}

/** `list.map(…).slice(first, end)` */
function partOf(repeat: MappedList, ...args: readonly unknown[]): object | undefined {
  const slice = repeat.slice === WHOLE_LIST ? sliceOf(repeat.loop.list, ...args) : undefined;
  const sliced = represented(slice);
  return sliced?.kind === "sliced" ? repeatValue({ ...repeat, slice: sliced.slice }) : undefined;
}

/** For React, nested lists are equivalent to their items. */
function flat(mapped: object, computedList: () => unknown): object {
  const repeat = represented(mapped);
  return repeat?.kind === "repeat" ? repeatValue({ ...repeat, isFlat: true, computed: computedList }) : mapped;
}

/** `list.filter(Boolean)`: prints nothing for removed items; their number is unknown. */
function filtered(list: ListLike): object {
  return mapOver(list, (item) =>
    branch(
      item,
      () => item,
      () => null,
    ),
  );
}

/** One string: the separator is before each item except the first. */
function joined(list: ListLike, separator: unknown): unknown {
  const repeat = represented(mapOver(list, (item) => item));
  if (repeat?.kind !== "repeat") return undefined;
  const { loop, body, slice } = repeat;
  const isFirst = { path: itemOf(loop), question: { kind: "among-first", count: slice.skipped + 1 } } as const;
  const item = inlineString(pick(isFirst, "", separator)) + inlineString(stringOfItem(body));
  const now = rendering();
  const each = now.token({ kind: "each", loop });
  return each + inlineString(withinSlice(loop, slice, item, "")) + now.token({ kind: "close" });
}

/** `list.includes(value)` */
export function includes(list: AccessPath, value: unknown): unknown {
  return lift(value, (each) => {
    if (symbolicOf(each)) {
      const of = valueOfPath(list);
      return compute({ problem: "searches a list for a variable", about: list, shape: BOOLEAN }, () =>
        methodCallExpression(of, "includes", [each]),
      );
    }
    if (!isLiteral(each)) return false;
    const question = { kind: "some", path: ".", test: { kind: "equals", value: each } } as const;
    return pick({ path: list, question }, true, false);
  });
}

function isLiteral(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** `list.some(is)`, `list.every(is)`: the condition for a symbolic item, tested for all items. */
export function quantify(name: "some" | "every", list: AccessPath, is: MapCallback): unknown {
  const { site } = rendering();
  const loop = rendering().loop(located(list));
  const answer = truthiness(forItem(list, () => is(valueOfPath(itemOf(loop)), positionValue(loop), valueOfPath(list))));
  let needsTwo = false;
  const two = (): boolean => (needsTwo = true);
  const result = name === "some" ? some(answer, loop, two) : not(some(not(answer), loop, two));
  if (!needsTwo) return result;
  return compute({ problem: TWO, about: list, shape: BOOLEAN, site }, () =>
    methodCallExpression(valueOfPath(list), name, [is]),
  );
}

const TWO = "tests two conditions at once on the items of a list";

/** Whether the condition is true of some item; `two` handles one that needs two tests. */
function some(answer: unknown, loop: Loop, two: () => unknown): unknown {
  const symbolic = represented(answer);
  if (symbolic?.kind === "refused") return answer;
  if (symbolic?.kind !== "choice") {
    return answer === true && pick({ path: loop.list, question: { kind: "has-items" } }, true, false);
  }
  const { test, yes, no } = symbolic;
  if (!dependsOn(testedPath(test), loop))
    return select(
      test,
      () => some(yes, loop, two),
      () => some(no, loop, two),
    );
  if (yes === true) return either(testAll("some", test, loop, two), () => some(no, loop, two));
  if (no === true) return either(not(testAll("every", test, loop, two)), () => some(yes, loop, two));
  return two();
}

function dependsOn({ names: [key = ""], loop }: AccessPath, { id }: Loop): boolean {
  const computation = rendering().computed.all.get(key);
  return computation ? loopsIn(computation.expression).some((each) => each.id === id) : loop?.id === id;
}

function either(one: unknown, other: () => unknown): unknown {
  return lift(one, (truth) => (truth === true ? true : other()));
}

function testAll(kind: "some" | "every", { path, question }: Test, { list }: Loop, two: () => unknown): unknown {
  if (question.kind === "null" || question.kind === "type" || isComputedKey(path.names[0])) return two();
  if (isPositionTest(question) || path.names.some((name) => name.startsWith("["))) {
    return refuse(list, "tests the positions of a list's items");
  }
  const test = question.kind === "itself" ? ({ kind: "truthy" } as const) : question;
  return pick({ path: list, question: { kind, path: path.names.join(".") || ".", test } }, true, false);
}

provide({ isComputedObject });
