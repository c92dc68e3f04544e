import { isChosenList } from "./arrays.js";
import { callee, constructed, methodAt, packageCallee, packageReceiver, receiver } from "./calls.js";
import { registerOwn, settle, sighted, spread } from "./elements.js";
import { lift } from "./choices.js";
import { fork } from "./fork.js";
import { copyOf, isSymbolicList } from "./list-calls.js";
import { SpreadArgument } from "./expressions.js";
import { printable } from "./printable.js";
import { lengthOf } from "./lengths.js";
import { holder } from "./members.js";
import { destructure, lookUp, merge } from "./objects.js";
import { and, binary, fallback, not, nullish, or, unary } from "./operators.js";
import { deciding, goingOn, goneThrough, iterated, type LOOPS, ordinary } from "./ordinary.js";
import { branch, decide } from "./questions.js";
import { joinParts, Part } from "./parts.js";
import { placed } from "./places.js";
import { rendering } from "./rendering.js";
import { addForEach, addingTo } from "./rows.js";
import { represented } from "./symbolic.js";
import { compact, concatenate, rawHtml, symbolicOf } from "./texts.js";

type Thunk = () => unknown;
type Native1 = (value: unknown) => unknown;
type Native2 = (left: unknown, right: unknown) => unknown;

/**
 * What a rewritten module calls in the place of JavaScript's own operators: the vocabulary of `rewrite/`. Each behaves
 * exactly as the operator does while no operand is symbolic. The last two parameters say which stretch of the source it
 * stands for.
 */
export class ModuleRuntime {
  readonly #file: string | undefined;

  /** @param file The module's file; without it, what is called stands for nothing in a user's source. */
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
  fallback(value: unknown, otherwise: Thunk, start: number, end: number): unknown {
    this.#at(start, end);
    return fallback(value, otherwise);
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

  /** `typeof name`, where nothing of that name may be there. */
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

  /** The test of an `if`, within a body that `fork` runs. */
  test(condition: unknown, start: number, end: number): boolean {
    this.#at(start, end);
    return decide(condition);
  }

  /** An `if` that only gives values to these variables: what they are after it. */
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

  /** The number of the case of a `switch` that the value is; -1 if it is none. */
  match(value: unknown, cases: readonly Thunk[], forks: boolean, start: number, end: number): number {
    return cases.findIndex((each) => {
      const is = binary("===", value, each(), (a, b) => a === b);
      this.#at(start, end);
      return forks ? decide(is) : Boolean(this.unforked(is, start, end));
    });
  }

  /** The body of a function that has statements which decide what runs. */
  fork(body: Thunk): unknown {
    return fork(body);
  }

  /** What must be an ordinary value here; `problem` says why. */
  concrete(value: unknown, problem: string, start: number, end: number): unknown {
    this.#at(start, end);
    if (problem === "is arithmetic" && symbolicOf(value)) return [new SpreadArgument(value)];
    return ordinary(value, problem);
  }

  /** The path of `import(path)`, where it is computed. */
  importPath(path: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return ordinary(
      path,
      "is the path of an import",
      "Import each of the modules by its path, and choose between them.",
    );
  }

  /** What decides in a function that cannot be run once for each answer. */
  unforked(value: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return deciding(value);
  }

  /** The condition of a loop. */
  loop(condition: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return goingOn(condition);
  }

  /** What is destructured as a list, into so many names; with `rest`, and one for all others. */
  destructure(value: unknown, count: number, rest: boolean, start: number, end: number): unknown {
    this.#at(start, end);
    return destructure(value, count, rest);
  }

  /** `[...value]` */
  copied(value: unknown, native: Native1, start: number, end: number): unknown {
    this.#at(start, end);
    return lift(value, (each) => copyOf(each) ?? native(this.iterate(each, start, end)));
  }

  /** What `...` beside other items in a list goes through; a list of variables, or a choice of lists, is left to `joined`. */
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

  /** What `...` in a call goes through. */
  iterate(value: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return iterated(value);
  }

  /** What `for … of` goes through, where the loop does something else than to add to one list. */
  goThrough(value: unknown, why: keyof typeof LOOPS, start: number, end: number): unknown {
    this.#at(start, end);
    return goneThrough(value, why);
  }

  /** A function that pushes to a list what comes of an item, and whose statements may decide that. */
  adding(rows: unknown, collector: Parameters<typeof addingTo>[1]): unknown {
    return addingTo(rows, collector);
  }

  /** `for (const item of list) callback(item)`, where that only adds to a list. */
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

  /** The object of `object.name`. */
  holder(object: unknown, name: string, start: number, end: number): unknown {
    if (represented(object)?.kind !== "path") return object;
    return holder(object, name, this.#file === undefined ? undefined : { file: this.#file, start, end });
  }

  /** `value.length`, `value?.length` */
  length(value: unknown, native: Native1, mayEnd: boolean, start: number, end: number): unknown {
    this.#at(start, end);
    return lengthOf(value, native, mayEnd);
  }

  /** `{ ...a, ...b }`, part by part. */
  merge(parts: readonly unknown[], start: number, end: number): unknown {
    this.#at(start, end);
    return merge(parts);
  }

  /** What `<a {...value}>` spreads. */
  spread(value: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return spread(value);
  }

  /** The object of `object.name(…)`. */
  receiver(object: unknown, name: string, mayEnd: boolean, start: number, end: number): unknown {
    this.#at(start, end);
    return receiver(object, name, mayEnd);
  }

  /** The same where an import from a package brought the object. */
  packageReceiver(object: unknown, name: string, mayEnd: boolean, start: number, end: number): unknown {
    this.#at(start, end);
    return packageReceiver(object, name, mayEnd);
  }

  /** The method of `object[key](…)`. */
  method(object: unknown, key: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return methodAt(object, key);
  }

  /** The function of `name(…)`. */
  callee(called: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return callee(called);
  }

  /** The same where an import from a package brought it. */
  imported(called: unknown, start: number, end: number): unknown {
    this.#at(start, end);
    return packageCallee(called);
  }

  /** The class of `new Name(…)`. */
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

  /** An element that is to tell where it was written. */
  placed(value: unknown, start: number, end: number): unknown {
    return this.#file === undefined ? value : placed(value, { file: this.#file, start, end });
  }

  /** In a function that gives values to variables of these functions around it, or of the module, 0. */
  changes(scopes: readonly number[], start: number, end: number): void {
    this.#at(start, end);
    for (const scope of scopes) rendering().changed(`${this.#file} ${scope}`);
  }

  /** In a function to whose variables functions within it give values. */
  begins(scope: number): void {
    rendering().begins(`${this.#file} ${scope}`);
  }

  /** The object of `object.name = …`. */
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
