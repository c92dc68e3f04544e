import type { PassedNull, Question as ValueQuestion, PositionTest } from "../../../mustache/variables.js";
import type { Shape } from "../../../mustache/shape.js";

/*
 * A template's component is rendered once for all emails. What it prints of its variables is not yet known. Instead it
 * receives symbolic values: proxies that represent whatever `order.total` will be. This file defines their kinds; to user code
 * all of them look like objects.
 */

/** A range in a file's source, in UTF-16 code units. */
export interface Site {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** One `.map` over a symbolic list: a section. The symbolic paths of its items start in it. */
export interface Loop {
  readonly id: number;
  readonly list: Path;
  /** Where it is iterated. */
  readonly site: Site | undefined;
}

/** A variable: `order.total` is `["order", "total"]`, all variables together are `[]`; in a loop, relative to its item. */
export interface Path {
  readonly kind: "path";
  readonly loop?: Loop;
  /** A name in brackets selects an item of a list, `[0]` or `[-1]`, or its `[length]`. */
  readonly names: readonly string[];
  /** What its type may be according to the schema or the fixtures. */
  readonly shape: Shape;
  /** Whether it may be absent, as far as is known. */
  readonly optional: boolean;
  /** Whether the object that contains it may be absent, regardless of the facts known where it is read. */
  readonly isOfOptional?: boolean;
  /** The object that contains it, if it is present whenever that object is. */
  readonly holder?: Path;
  /** Whether a schema declares it as required. */
  readonly sure: boolean;
  /** Whether a schema declares its type, so that it never has another type. */
  readonly stated: boolean;
  /** Whether it is a copy that may be changed: `[...list]`. */
  readonly isCopy?: boolean;
  /** For all variables together: the names of those known only from examples. */
  readonly derived?: readonly string[];
  /** Where it was last used in the source. */
  readonly site?: Site;
}

export type Scalar = string | number | boolean;

/** What can be tested of a variable. `itself` tests a boolean, which Mustache can do without a condition. */
export type Question = ValueQuestion | PassedNull | PositionTest | { readonly kind: "itself" };

/** A condition whose result is known when an email is filled. */
export interface Test {
  readonly path: Path;
  readonly question: Question;
}

/** One value or another. */
export interface Choice {
  readonly kind: "choice";
  readonly test: Test;
  readonly yes: unknown;
  readonly no: unknown;
  /** The number of different values that it may have. */
  readonly cases: number;
}

/** The result of `.map`: the body once for each item. */
export interface Repeat {
  readonly kind: "repeat";
  readonly loop: Loop;
  /** Which of the list's items the body applies to. */
  readonly slice: Slice;
  /** Whether the body is a list whose items count individually, as for `.flatMap`. */
  readonly isFlat?: boolean;
  /** For a flat repeat: the list as a computation, for code that needs its items individually. */
  readonly computed?: () => unknown;
  readonly body: unknown;
}

/** An item's index in a list, from 0. */
export interface Position {
  readonly kind: "position";
  readonly loop: Loop;
  /** The number added to it. */
  readonly offset: number;
  /** Where it was last used in the source. */
  readonly site?: Site | undefined;
}

/** The length of a list or string. */
export interface Length {
  readonly kind: "length";
  readonly of: Path;
  /** The part of a list that is counted. */
  readonly slice: Slice;
  /** The number added to it. */
  readonly offset: number;
  /** Where it was last used in the source. */
  readonly site?: Site | undefined;
}

/** The number of rows of a list whose items each add none, one or more rows, if there is at least one row. */
export interface Several {
  readonly kind: "several";
  readonly of: Path;
  /** The number added to it. */
  readonly offset: number;
  /** Where it was last used in the source. */
  readonly site?: Site | undefined;
}

/** A selection of a list's items by their positions. */
export interface Slice {
  /** How many items are skipped at the beginning. */
  readonly skipped: number;
  /** Which positions the items must have or must not have. */
  readonly limits: readonly { readonly standing: PositionTest; readonly answer: boolean }[];
}

/** The result of `.slice`. */
export interface Sliced {
  readonly kind: "sliced";
  readonly of: Path;
  readonly slice: Slice;
}

/** A list of the component to which a loop over a list has added something for each item. */
export interface Rows {
  readonly kind: "rows";
  readonly list: unknown[];
  /** What loops have added: repeats, or choices between repeats; every other item counts as one. */
  readonly added: Set<unknown>;
}

/** A string with tokens in it. To user code it is an ordinary string. */
export interface TokenString {
  readonly kind: "text";
  readonly text: string;
}

/** The result of a refused operation, and of every operation on that result, so that each cause is reported once. */
export interface Refused {
  readonly kind: "refused";
}

export type Symbolic = Path | Choice | Repeat | Sliced | Rows | Position | Length | Several | TokenString | Refused;

const proxies = new WeakMap<object, Symbolic>();

/** Creates the proxy that represents a symbolic value in user code. */
export function represent(symbolic: Symbolic, handler: ProxyHandler<object>, target: object = {}): object {
  const proxy = new Proxy(target, handler);
  proxies.set(proxy, symbolic);
  return proxy;
}

/** Makes an existing object represent a symbolic value. */
export function standFor(object: object, symbolic: Rows): void {
  proxies.set(object, symbolic);
}

/** What a proxy represents. */
export function represented(value: unknown): Symbolic | undefined {
  return isObject(value) ? proxies.get(value) : undefined;
}

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
