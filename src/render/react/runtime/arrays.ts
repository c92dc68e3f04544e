import { lift } from "./choices.js";
import { branch } from "./questions.js";
import { binary, not } from "./operators.js";
import { refuse } from "./refusal.js";
import { concatenate, symbolicOf, textOfItem } from "./texts.js";

type Callable = (...parameters: unknown[]) => unknown;
type Items = readonly unknown[];
type Method = (items: Items, given: readonly unknown[]) => unknown;

/** Those that only hand on, or leave the deciding to a function that they are given. */
const PASSES = new Set(
  (
    "map forEach flatMap reduce reduceRight concat push unshift pop shift splice fill slice at flat reverse toReversed " +
    "toSpliced with keys values entries"
  ).split(" "),
);

/** Those that decide by their items, or by what a function says of them. */
const DECIDES: Readonly<Record<string, Method>> = {
  filter: (items, [keeps]) => filter(items, 0, asTest(keeps, items)),
  some: (items, [is]) => some(items, asTest(is, items)),
  every: (items, [is]) => first(items, opposite(asTest(is, items)), () => false, true),
  find: (items, [is]) => first(items, asTest(is, items), (item) => item, undefined),
  includes: (items, [value]) => some(items, (item) => isSame(item, value)),
  join: (items, [separator = ","]) => join(items, separator),
};

export function isArrayMethod(called: Callable): boolean {
  return Reflect.get(Array.prototype, called.name) === called;
}

/** Calls a method of an ordinary array, among whose items, or among what it is given, symbolic values may be. */
export function callArrayMethod(called: Callable, items: Items, given: readonly unknown[]): unknown {
  if (PASSES.has(called.name)) return Reflect.apply(called, items, given);
  const method = DECIDES[called.name];
  const symbolic = [...items, ...given].map(symbolicOf).find(Boolean);
  if (method && (symbolic || typeof given[0] === "function")) return method(items, given);
  return symbolic
    ? refuse(symbolic, `calls .${called.name}() of a list with a variable in it`)
    : Reflect.apply(called, items, given);
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

function first(items: Items, is: Test, found: (item: unknown) => unknown, otherwise: unknown, from = 0): unknown {
  if (from >= items.length) return otherwise;
  const next = (): unknown => first(items, is, found, otherwise, from + 1);
  return branch(is(items[from], from), () => found(items[from]), next);
}

function join(items: Items, separator: unknown): unknown {
  const texts = items.map(textOfItem);
  return concatenate(texts.flatMap((text, index) => (index === 0 ? [text] : [separator, text])));
}

function asItems(value: unknown): Items {
  return Array.isArray(value) ? value : [];
}
