import type { Shape } from "../../../mustache/shape.js";
import { shapeOfMethod } from "./builtins.js";
import { lift, liftAll, someCase } from "./choices.js";
import { compute, recorded } from "./computed.js";
import type { Expression } from "./expression.js";
import { methodCallExpression } from "./expressions.js";
import { later } from "./later.js";
import { isSymbolicList, itemsOf } from "./list-methods.js";
import { binary, branch, not } from "./operators.js";
import { mayBeAbsent } from "./paths.js";
import { refuse, rendering } from "./rendering.js";
import { resultVariable } from "./result-variables.js";
import { concatenate, stringOfItem, symbolicOf } from "./strings.js";
import { type AnyFunction, registerSymbolic, represented, type Symbolic } from "./symbolic.js";

type Items = readonly unknown[];
type Method = (items: Items, args: readonly unknown[]) => unknown;

/** Methods that only pass items on, or leave decisions to a callback. */
const PASSES = new Set("map forEach reduce reduceRight toReversed toSpliced with keys values entries".split(" "));

/** Methods that decide by their items, or by a callback's result. */
const DECIDES: Readonly<Record<string, Method>> = {
  filter: (items, [keeps]) => filter(items, 0, toTest(keeps, items)),
  some: (items, [is]) => some(items, toTest(is, items)),
  every: (items, [is]) => first(items, opposite(toTest(is, items)), () => false, true),
  find: (items, [is]) => first(items, toTest(is, items), (item) => item, undefined),
  findIndex: (items, [is]) => first(items, toTest(is, items), (_item, index) => index, -1),
  findLast: (items, [is]) => last(items, toTest(is, items), (item) => item, undefined),
  findLastIndex: (items, [is]) => last(items, toTest(is, items), (_item, index) => index, -1),
  indexOf: (items, [value]) =>
    first(
      items,
      (item) => isSame(item, value),
      (_item, index) => index,
      -1,
    ),
  includes: (items, [value]) => some(items, (item) => isSame(item, value)),
  join: (items, [separator = ","]) => join(items, separator),
};

export function isArrayMethod(called: AnyFunction): boolean {
  return Reflect.get(Array.prototype, called.name) === called;
}

/** Calls a method of an ordinary array with symbolic values among its items or the arguments. */
export function callArrayMethod(called: AnyFunction, items: Items, args: readonly unknown[]): unknown {
  if (called.name === "slice" || called.name === "at") return liftAll(args, (each) => partOf(called, items, each));
  if (PASSES.has(called.name)) return Reflect.apply(called, items, args);
  if (called.name === "flatMap") return flatMap(items, args);
  if (called.name === "flat" && (args[0] ?? 1) === 1) return joinLists(items);
  if (called.name === "flat" && !items.some(isSymbolicList)) return Reflect.apply(called, items, args);
  const method = DECIDES[called.name];
  const symbolic = [...items, ...args].map(symbolicOf).find(Boolean);
  if (method && (symbolic || typeof args[0] === "function"))
    return decided(
      () => method(items, args),
      () => methodCallExpression(items, called.name, args),
      shapeOfMethod(items, called.name, args),
    );
  const isOrdered = called.name === "toSorted" && ordersByVariable(items, args);
  if (!symbolic && !isOrdered) return Reflect.apply(called, items, args);
  const problem = `calls .${called.name}() on a list that contains a variable`;
  const shape = shapeOfMethod(items, called.name, args);
  return compute({ problem, about: symbolic, shape }, () => methodCallExpression(items, called.name, args));
}

/** Whether the order of items depends on variables in them: `.toSorted((a, b) => a.price - b.price)`. */
function ordersByVariable(items: Items, [compare]: readonly unknown[]): boolean {
  return items.length > 1 && typeof compare === "function" && symbolicOf(compare(items[0], items[1])) !== undefined;
}

/** What a method decides in each case, or if there are too many cases, as a computed value. */
function decided(decide: () => unknown, operation: () => Expression | undefined, shape: Shape): unknown {
  const { findings, site } = rendering();
  const before = findings.length;
  const result = decide();
  const refused = findings.splice(before);
  if (refused.length === 0) return result;
  const expression = recorded(operation, shape);
  if (expression) return resultVariable(expression, { problem: "has too many possible values", shape, site });
  findings.push(...refused);
  return result;
}

function partOf(called: AnyFunction, items: Items, places: readonly unknown[]): unknown {
  const about = places.map(symbolicOf).find(Boolean);
  if (!about) return Reflect.apply(called, items, places);
  const problem = "takes a part of a list";
  const shape = shapeOfMethod(items, called.name, places);
  return compute({ problem, about, shape }, () => methodCallExpression(items, called.name, places));
}

function flatMap(items: Items, [work]: readonly unknown[]): unknown {
  if (typeof work !== "function") return [];
  const results = items.map((item, index): unknown => work(item, index, items));
  return joinLists(results);
}

/** Does something with values that may be lists; if one is a choice between lists, for each case. */
export function liftLists(values: Items, work: (values: Items) => unknown): unknown {
  const index = values.findIndex(isChosenList);
  return index < 0 ? work(values) : lift(values[index], (each) => liftLists(values.with(index, each), work));
}

/** Whether it is a choice with a list in at least one case. */
export function isChosenList(value: unknown): boolean {
  return (
    represented(value)?.kind === "choice" && someCase(value, (each) => Array.isArray(each) || isSymbolicList(each))
  );
}

type Test = (item: unknown, index: number) => unknown;

function toTest(callback: unknown, items: Items): Test {
  if (callback === Boolean) return (item) => item;
  return (item, index) => (typeof callback === "function" ? callback(item, index, items) : undefined);
}

function opposite(test: Test): Test {
  return (item, index) => not(test(item, index));
}

function isSame(item: unknown, value: unknown): unknown {
  return binary("===", item, value, (a, b) => a === b || (a !== a && b !== b)); // oxlint-disable-line no-self-compare
}

function some(items: Items, is: Test): unknown {
  return first(items, is, () => true, false);
}

function filter(items: Items, from: number, keeps: Test): unknown {
  if (from >= items.length) return [];
  const kept = keeps(items[from], from);
  const rest = filter(items, from + 1, keeps);
  return branch(
    kept,
    () => lift(rest, (others) => [items[from], ...asItems(others)]),
    () => rest,
  );
}

type OnMatch = (item: unknown, index: number) => unknown;

function first(items: Items, is: Test, onMatch: OnMatch, fallbackValue: unknown, from = 0): unknown {
  if (from >= items.length) return fallbackValue;
  const next = (): unknown => first(items, is, onMatch, fallbackValue, from + 1);
  return branch(is(items[from], from), () => onMatch(items[from], from), next);
}

function last(items: Items, is: Test, onMatch: OnMatch, fallbackValue: unknown): unknown {
  const indexOf = (index: number): number => items.length - 1 - index;
  return first(
    items.toReversed(),
    (item, index) => is(item, indexOf(index)),
    (item, index) => onMatch(item, indexOf(index)),
    fallbackValue,
  );
}

function join(items: Items, separator: unknown): unknown {
  const texts = items.map(stringOfItem);
  return concatenate(texts.flatMap((text, index) => (index === 0 ? [text] : [separator, text])));
}

function asItems(value: unknown): Items {
  return Array.isArray(value) ? value : [];
}

/** Marks what is spread into a list that is assembled: a list variable, or a choice that may be a list. */
export class SpreadPart {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** `list.concat(items, another)` */
export function concatLists(list: unknown, args: readonly unknown[]): unknown {
  return liftLists([list, ...args], (each) => {
    const unsure = each.slice(1).find((value) => isUnsure(symbolicOf(value)));
    return unsure === undefined
      ? joinLists(each)
      : refuse(symbolicOf(unsure), "appends a value that may be a list or missing to a list", { hint: USE_EMPTY });
  });
}

/** `.concat` appends a missing value as an item. */
function isUnsure(symbolic: Symbolic | undefined): boolean {
  if (symbolic?.kind !== "path" || !symbolic.mayBe("list")) return false;
  return symbolic.isUntyped || (symbolic.isOnly("list") && mayBeAbsent(symbolic));
}

/** Items, and those of the lists among them. */
function joinLists(items: Items): unknown {
  return liftLists(items.map(later("byBeingList")), (each) => {
    const parts = each.map((value) => (Array.isArray(value) || isSymbolicList(value) ? new SpreadPart(value) : value));
    return joinParts(parts, () => []);
  });
}

const USE_EMPTY = "Write [...list, ...(others ?? [])], and add a fixture in which it is a list.";

/**
 * `[a, ...(b ? [c] : []), ...items]`: the choice between lists, each of which contains a symbolic list in place of its items,
 * like a list that a loop adds to. `iterate` returns what any other value is spread as.
 */
export function joinParts(items: readonly unknown[], iterate: (value: unknown) => Iterable<unknown>): unknown {
  const values = items.map((item) => (item instanceof SpreadPart ? item.value : [item]));
  return liftLists(values, (each) => {
    const list: unknown[] = [];
    const added = new Set<unknown>();
    for (const value of each) {
      const symbolic = represented(value);
      const rows = symbolic?.kind === "rows" ? symbolic : undefined;
      for (const part of rows?.added ?? []) added.add(part);
      const own = symbolic && !rows ? itemsOf(value) : undefined;
      if (own) {
        added.add(own);
        list.push(own);
      } else list.push(...(rows?.list ?? (Array.isArray(value) ? value : iterate(value))));
    }
    if (added.size > 0) registerSymbolic(list, { kind: "rows", list, added });
    rendering().recordCreation(list);
    return list;
  });
}
