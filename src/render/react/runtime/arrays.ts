import { lift, liftAll } from "./choices.js";
import { isSymbolicList } from "./list-calls.js";
import { branch } from "./questions.js";
import { binary, not } from "./operators.js";
import { refuse } from "./refusal.js";
import { represented } from "./symbolic.js";
import { concatenate, symbolicOf, textOfItem } from "./texts.js";

type Callable = (...parameters: unknown[]) => unknown;
type Items = readonly unknown[];
type Method = (items: Items, given: readonly unknown[]) => unknown;

/** Those that only hand on, or leave the deciding to a function that they are given. */
const PASSES = new Set(
  (
    "map forEach reduce reduceRight push unshift pop shift splice fill reverse toReversed toSpliced with keys " +
    "values entries"
  ).split(" "),
);

/** Those that are given places in the list. */
const PLACES = new Set(["slice", "at"]);

/** Those that decide by their items, or by what a function says of them. */
const DECIDES: Readonly<Record<string, Method>> = {
  filter: (items, [keeps]) => filter(items, 0, asTest(keeps, items)),
  some: (items, [is]) => some(items, asTest(is, items)),
  every: (items, [is]) => first(items, opposite(asTest(is, items)), () => false, true),
  find: (items, [is]) => first(items, asTest(is, items), (item) => item, undefined),
  findIndex: (items, [is]) => first(items, asTest(is, items), (_item, index) => index, -1),
  findLast: (items, [is]) => last(items, asTest(is, items), (item) => item, undefined),
  findLastIndex: (items, [is]) => last(items, asTest(is, items), (_item, index) => index, -1),
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

export function isArrayMethod(called: Callable): boolean {
  return Reflect.get(Array.prototype, called.name) === called;
}

/** Calls a method of an ordinary array, among whose items, or among what it is given, symbolic values may be. */
export function callArrayMethod(called: Callable, items: Items, given: readonly unknown[]): unknown {
  if (PLACES.has(called.name)) return liftAll(given, (each) => Reflect.apply(called, items, each));
  if (PASSES.has(called.name)) return Reflect.apply(called, items, given);
  if (called.name === "flatMap") return flatMap(items, given);
  if (called.name === "flat") return liftLists(items, (each) => Reflect.apply(called, each, given));
  const method = DECIDES[called.name];
  const symbolic = [...items, ...given].map(symbolicOf).find(Boolean);
  if (method && (symbolic || typeof given[0] === "function")) return method(items, given);
  return symbolic
    ? refuse(symbolic, `calls .${called.name}() of a list with a variable in it`)
    : Reflect.apply(called, items, given);
}

function flatMap(items: Items, [work]: readonly unknown[]): unknown {
  if (typeof work !== "function") return [];
  const results = items.map((item, index): unknown => work(item, index, items));
  return liftLists(results, (each) => each.flat());
}

/** Does something with values that may be lists; with a choice of which one is a list, with each of the cases. */
export function liftLists(values: Items, work: (values: Items) => unknown): unknown {
  const index = values.findIndex(isChosenList);
  return index < 0 ? work(values) : lift(values[index], (each) => liftLists(values.with(index, each), work));
}

/** Whether it is a choice, and a list in one case at least. */
export function isChosenList(value: unknown): boolean {
  const symbolic = represented(value);
  return (
    symbolic?.kind === "choice" &&
    [symbolic.yes, symbolic.no].some((each) => Array.isArray(each) || isSymbolicList(each) || isChosenList(each))
  );
}

type Test = (item: unknown, index: number) => unknown;

function asTest(given: unknown, items: Items): Test {
  if (given === Boolean) return (item) => item;
  return (item, index) => (typeof given === "function" ? given(item, index, items) : undefined);
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

type Found = (item: unknown, index: number) => unknown;

function first(items: Items, is: Test, found: Found, otherwise: unknown, from = 0): unknown {
  if (from >= items.length) return otherwise;
  const next = (): unknown => first(items, is, found, otherwise, from + 1);
  return branch(is(items[from], from), () => found(items[from], from), next);
}

function last(items: Items, is: Test, found: Found, otherwise: unknown): unknown {
  const indexOf = (index: number): number => items.length - 1 - index;
  return first(
    items.toReversed(),
    (item, index) => is(item, indexOf(index)),
    (item, index) => found(item, indexOf(index)),
    otherwise,
  );
}

function join(items: Items, separator: unknown): unknown {
  const texts = items.map(textOfItem);
  return concatenate(texts.flatMap((text, index) => (index === 0 ? [text] : [separator, text])));
}

function asItems(value: unknown): Items {
  return Array.isArray(value) ? value : [];
}
