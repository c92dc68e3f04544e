import { Part, isChosenList, joinParts } from "./arrays.js";
import { callee, constructed, methodAt, packageCallee, packageReceiver, receiver } from "./calls.js";
import { settle, sighted, spread } from "./elements.js";
import { fork, lift } from "./choices.js";
import { copyOf, isSymbolicList } from "./list-methods.js";
import { SpreadArgument } from "./expressions.js";
import { printable } from "./computed.js";
import { addForEach, addingTo, lengthOf } from "./rows.js";
import { holder } from "./paths.js";
import { destructure, lookUp, merge } from "./member-access.js";
import { and, binary, branch, decide, fallback, not, nullish, or, unary } from "./operators.js";
import { deciding, goingOn, iteratedByLoop, iterated, type LOOPS, ordinary } from "./ordinary.js";
import { placed, registerOwn } from "./components.js";
import { rendering } from "./rendering.js";
import { represented } from "./symbolic.js";
import { compact, concatenate, rawHtml, symbolicOf } from "./strings.js";

type Thunk = () => unknown;
type Native1 = (value: unknown) => unknown;
type Native2 = (left: unknown, right: unknown) => unknown;

/**
 * The functions that a rewritten module calls instead of JavaScript's operators: the vocabulary of `rewrite/`. Each behaves
 * exactly like the operator unless an operand is symbolic. The last two parameters are the range of the source that it
 * represents.
 */
export class ModuleRuntime {
  readonly #file: string | undefined;

  /** @param file The module's file; without it, calls have no source position. */
  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** `left && right` */
  and(left: unknown, right: Thunk, start: number, end: number): unknown {
    this.#at(start, end);
    return and(left, right);
  }

  /** `left || right` */
  or(left: unknown, right: Thunk, start: number, end: number): unknown {
    this.#at(start, end);
    return or(left, right);
  }

  /** `left ?? right` */
  nullish(left: unknown, right: Thunk, start: number, end: number): unknown {
    this.#at(start, end);
    return nullish(left, right);
  }

  /** The default of a parameter or of a destructured name. */
  fallback(value: unknown, defaultValue: Thunk, start: number, end: number): unknown {
    this.#at(start, end);
    return fallback(value, defaultValue);
  }

  /** `condition ? yes : no` */
  when(condition: unknown, yes: Thunk, no: Thunk, start: number, end: number): unknown {
    this.#at(start, end);
    return branch(condition, yes, no);
  }

  /** `!value` */
  not(value: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return not(value);
  }

  binary(operator: string, left: unknown, right: unknown, native: Native2, start: number, end: number): unknown {
    this.#at(start, end);
    return binary(operator, left, right, native);
  }

  unary(operator: string, value: unknown, native: Native1, start: number, end: number): unknown {
    this.#at(start, end);
    return unary(operator, value, native);
  }

  /** `typeof name`, where the name may not be defined. */
  typeOf(name: string, value: Thunk, native: Native1, start: number, end: number): unknown {
    return name === "undefined" ? name : this.unary("typeof", value(), native, start, end);
  }

  /** `` `…${value}…` ``, as a tag. */
  text(start: number, end: number): (strings: TemplateStringsArray, ...values: unknown[]) => unknown {
    return (strings, ...values) => {
      this.#at(start, end);
      const printed = values.map((value) => printable(value));
      return concatenate(strings.flatMap((part, index) => (index === 0 ? [part] : [printed[index - 1], part])));
    };
  }

  /** The condition of an `if`, within a body that `fork` runs. */
  test(condition: unknown, start: number, end: number): boolean {
    this.#at(start, end);
    return decide(condition);
  }

  /** An `if` that only assigns these variables; returns their values after it. */
  assign(
    condition: unknown,
    before: readonly unknown[],
    yes: (before: readonly unknown[]) => unknown,
    no: (before: readonly unknown[]) => unknown,
    start: number,
    end: number,
  ): readonly unknown[] {
    this.#at(start, end);
    const after = branch(
      condition,
      () => yes(before),
      () => no(before),
    );
    return before.map((_, index) =>
      compact(lift(after, (values) => (Array.isArray(values) ? values[index] : undefined))),
    );
  }

  /** The index of the `switch` case that the value matches; -1 if there is none. */
  match(value: unknown, cases: readonly Thunk[], forks: boolean, start: number, end: number): number {
    return cases.findIndex((each) => {
      const is = binary("===", value, each(), (a, b) => a === b);
      this.#at(start, end);
      return forks ? decide(is) : Boolean(this.unforked(is, start, end));
    });
  }

  /** The body of a function with branching statements. */
  fork(body: Thunk): unknown {
    return fork(body);
  }

  /** A value that must not be symbolic here; `problem` says why. */
  concrete(value: unknown, problem: string, start: number, end: number): unknown {
    this.#at(start, end);
    if (problem === "is arithmetic" && symbolicOf(value)) return [new SpreadArgument(value)];
    return ordinary(value, problem);
  }

  /** The path of a computed `import(path)`. */
  importPath(path: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return ordinary(path, "is the path of an import", "Import each module by its path, and choose between them.");
  }

  /** A condition in a function that can't run once for each case. */
  unforked(value: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return deciding(value);
  }

  /** The condition of a loop. */
  loop(condition: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return goingOn(condition);
  }

  /** A value that is destructured as a list of `count` names; with `rest`, the last one takes the rest. */
  destructure(value: unknown, count: number, rest: boolean, start: number, end: number): unknown {
    this.#at(start, end);
    return destructure(value, count, rest);
  }

  /** `[...value]` */
  copied(value: unknown, native: Native1, start: number, end: number): unknown {
    this.#at(start, end);
    return lift(value, (each) => copyOf(each) ?? native(this.iterate(each, start, end)));
  }

  /** The value of `...` next to other items in a list; symbolic lists, and choices of lists, are left to `joined`. */
  part(value: unknown, start: number, end: number): unknown {
    return isChosenList(value) || isSymbolicList(value) ? [new Part(value)] : this.iterate(value, start, end);
  }

  /** `[a, ...part(b)]` */
  joined(items: readonly unknown[], start: number, end: number): unknown {
    if (!items.some((item) => item instanceof Part)) return items;
    this.#at(start, end);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JavaScript throws for what is not iterable
    return joinParts(items, (value) => this.iterate(value, start, end) as Iterable<unknown>);
  }

  /** The value of `...` in a call. */
  iterate(value: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return iterated(value);
  }

  /** The list of a `for … of` loop that does more than add to one list. */
  goThrough(value: unknown, why: keyof typeof LOOPS, start: number, end: number): unknown {
    this.#at(start, end);
    return iteratedByLoop(value, why);
  }

  /** A function that pushes a row for each item to a list, possibly depending on its statements. */
  adding(rows: unknown, collector: Parameters<typeof addingTo>[1]): unknown {
    return addingTo(rows, collector);
  }

  /** `for (const item of list) callback(item)`, if it only adds to a list. */
  each(list: Iterable<unknown>, callback: (item: unknown) => unknown, start: number, end: number): void {
    this.#at(start, end);
    if (!symbolicOf(list)) for (const item of list) callback(item);
    else if (!addForEach(list, callback)) this.goThrough(list, "does more", start, end);
  }

  /** `object[key]` */
  lookUp(object: unknown, key: unknown, native: Native2, start: number, end: number): unknown {
    this.#at(start, end);
    return lookUp(object, key, native);
  }

  /** The object in `object.name`. */
  holder(object: unknown, name: string, start: number, end: number): unknown {
    if (represented(object)?.kind !== "path") return object;
    return holder(object, name, this.#file === undefined ? undefined : { file: this.#file, start, end });
  }

  /** `value.length`, `value?.length` */
  length(value: unknown, native: Native1, mayEnd: boolean, start: number, end: number): unknown {
    this.#at(start, end);
    return lengthOf(value, native, mayEnd);
  }

  /** `{ ...a, ...b }`, as a list of parts. */
  merge(parts: readonly unknown[], start: number, end: number): unknown {
    this.#at(start, end);
    return merge(parts);
  }

  /** The value in `<a {...value}>`. */
  spread(value: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return spread(value);
  }

  /** The object in `object.name(…)`. */
  receiver(object: unknown, name: string, mayEnd: boolean, start: number, end: number): unknown {
    this.#at(start, end);
    return receiver(object, name, mayEnd);
  }

  /** The same if the object is an import from a package. */
  packageReceiver(object: unknown, name: string, mayEnd: boolean, start: number, end: number): unknown {
    this.#at(start, end);
    return packageReceiver(object, name, mayEnd);
  }

  /** The method in `object[key](…)`. */
  method(object: unknown, key: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return methodAt(object, key);
  }

  /** The function in `name(…)`. */
  callee(called: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return callee(called);
  }

  /** The same if it is an import from a package. */
  imported(called: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return packageCallee(called);
  }

  /** The class in `new Name(…)`. */
  constructed(called: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return constructed(called);
  }

  /** A value among an element's children or properties. */
  sighted(value: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return sighted(value);
  }

  element(value: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return settle(value);
  }

  /** An element that gets its source position. */
  placed(value: unknown, start: number, end: number): unknown {
    return this.#file === undefined ? value : placed(value, { file: this.#file, start, end });
  }

  /** In a function that assigns variables of these enclosing functions; 0 is the module. */
  changes(scopes: readonly number[], start: number, end: number): void {
    this.#at(start, end);
    for (const scope of scopes) rendering().changed(`${this.#file} ${scope}`);
  }

  /** In a function whose variables are assigned by nested functions. */
  begins(scope: number): void {
    rendering().creates(`${this.#file} ${scope}`);
  }

  /** The object in `object.name = …`. */
  target(object: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    rendering().changed(object);
    return sighted(object);
  }

  /** The value of `__html`. */
  html(value: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return rawHtml(value);
  }

  /** The functions and components of this module. */
  own(...values: unknown[]): unknown {
    registerOwn(values);
    return values[0];
  }

  #at(start: number, end: number): void {
    if (this.#file !== undefined) rendering().site = { file: this.#file, start, end };
  }
}
