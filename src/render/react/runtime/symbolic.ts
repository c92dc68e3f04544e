import type { PassedNull, Question as ValueQuestion, Standing } from "../../../mustache/variables.js";
import type { Shape } from "../../../mustache/shape.js";

/*
 * A template's component is rendered once for all emails. What it prints of its variables is not known then: in their
 * place it is given symbolic values, proxies that stand for "whatever `order.total` will be". This file says what kinds
 * there are; to user code all of them look like objects.
 */

/** A stretch of a file's source, in UTF-16 units. */
export interface Site {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** One `.map` over a symbolic list: a section. Its items are symbolic paths that begin in it. */
export interface Loop {
  readonly id: number;
  readonly list: Path;
  /** Where it is gone through. */
  readonly site: Site | undefined;
}

/** A variable: `order.total` is `["order", "total"]`, the whole of the variables `[]`; in a loop, from its item on. */
export interface Path {
  readonly kind: "path";
  readonly loop?: Loop;
  /** A step in brackets takes an item of a list, `[0]` or `[-1]`, or is its `[length]`. */
  readonly names: readonly string[];
  /** What the schema or the fixtures say that it may be. */
  readonly shape: Shape;
  /** Whether it may be absent, as far as is known. */
  readonly optional: boolean;
  /** Whether what it is a member of may be absent, whatever is known of that where it is read. */
  readonly isOfOptional?: boolean;
  /** What it is a member of, where it is there whenever that is. */
  readonly holder?: Path;
  /** Whether a schema says that it is there. */
  readonly sure: boolean;
  /** Whether a schema says what it may be, so that it is never anything else. */
  readonly stated: boolean;
  /** Whether it is a copy, that may be changed: `[...list]`. */
  readonly isCopy?: boolean;
  /** Of the variables as a whole: the names of those that only examples show, whatever the others are. */
  readonly derived?: readonly string[];
  /** Where it was last seen in the source. */
  readonly site?: Site;
}

export type Scalar = string | number | boolean;

/** What can be asked of a variable. `itself` asks a boolean, which Mustache can do without a condition. */
export type Question = ValueQuestion | PassedNull | Standing | { readonly kind: "itself" };

/** A yes-or-no question whose answer is known when an email is filled. */
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
  /** How many different values it may come to. */
  readonly cases: number;
}

/** What `.map` gives: the body once for each item. */
export interface Repeat {
  readonly kind: "repeat";
  readonly loop: Loop;
  /** Of the list's items, those that the body is for. */
  readonly slice: Slice;
  /** Whether the body is a list of items that count one by one, as with `.flatMap`. */
  readonly isFlat?: boolean;
  /** Of a flat one: the list itself, computed, for what needs its items one by one. */
  readonly computed?: () => unknown;
  readonly body: unknown;
}

/** Which item of a list it is, counted from 0. */
export interface Position {
  readonly kind: "position";
  readonly loop: Loop;
  /** What was added to it. */
  readonly offset: number;
  /** Where it was last seen in the source. */
  readonly site?: Site | undefined;
}

/** How long a list or a text is. */
export interface Length {
  readonly kind: "length";
  readonly of: Path;
  /** Of which part of a list. */
  readonly slice: Slice;
  /** What was added to it. */
  readonly offset: number;
  /** Where it was last seen in the source. */
  readonly site?: Site | undefined;
}

/** How many rows a list comes to of which each item may give none, one or more, where there is one at least. */
export interface Several {
  readonly kind: "several";
  readonly of: Path;
  /** What was added to it. */
  readonly offset: number;
  /** Where it was last seen in the source. */
  readonly site?: Site | undefined;
}

/** Some of a list's items, by where they stand. */
export interface Slice {
  /** How many are left out at the beginning. */
  readonly skipped: number;
  /** What each of them must be, or must not be. */
  readonly limits: readonly { readonly standing: Standing; readonly answer: boolean }[];
}

/** What `.slice` gives. */
export interface Sliced {
  readonly kind: "sliced";
  readonly of: Path;
  readonly slice: Slice;
}

/** A list of the component's own to which a loop over a list has added something for each item. */
export interface Rows {
  readonly kind: "rows";
  readonly list: unknown[];
  /** What loops have added: a repetition, or a choice of such; all other items count as one. */
  readonly added: Set<unknown>;
}

/** A text with tokens in it. To user code it is an ordinary string. */
export interface TokenText {
  readonly kind: "text";
  readonly text: string;
}

/** What comes of an operation that was refused, and of all that is done with it: each cause is reported once. */
export interface Refused {
  readonly kind: "refused";
}

export type Symbolic = Path | Choice | Repeat | Sliced | Rows | Position | Length | Several | TokenText | Refused;

const proxies = new WeakMap<object, Symbolic>();

/** Makes the proxy that stands for a symbolic value in user code. */
export function represent(symbolic: Symbolic, handler: ProxyHandler<object>, target: object = {}): object {
  const proxy = new Proxy(target, handler);
  proxies.set(proxy, symbolic);
  return proxy;
}

/** Lets an object that is there already stand for a symbolic value. */
export function standFor(object: object, symbolic: Rows): void {
  proxies.set(object, symbolic);
}

/** What a proxy stands for. */
export function represented(value: unknown): Symbolic | undefined {
  return isObject(value) ? proxies.get(value) : undefined;
}

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
