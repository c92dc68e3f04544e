import type { Shape } from "../../../mustache/shape.js";
import type {
  PassedNull,
  Question as ValueQuestion,
  VariablesSchema,
  PositionTest,
} from "../../../mustache/variables.js";
import { later } from "./later.js";

/*
 * A template's component is rendered once for all emails. What it prints of its variables is not yet known. Instead it
 * receives symbolic values: proxies that represent whatever `order.total` will be. This file defines their kinds; to user code
 * all of them look like objects.
 */

/** A range in a file's source, in UTF-16 code units. */
export interface SourceRange {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** One `.map` over a symbolic list: a section. The symbolic paths of its items start in it. */
export interface Loop {
  readonly id: number;
  readonly list: AccessPath;
  readonly site: SourceRange | undefined;
}

/** What was assumed when something was made. */
export interface AssumedPlace {
  /** The path through a function's body. */
  readonly path: object | undefined;
  /** The other assumptions. */
  readonly facts: readonly { readonly test: Test; readonly answer: boolean }[];
}

/** A variable: `order.total` is `["order", "total"]`, all variables together are `[]`; in a loop, relative to its item. */
class PathData {
  declare readonly loop?: Loop | undefined;
  /** A name in brackets selects an item of a list, `[0]` or `[-1]`, or its `[length]`. */
  declare readonly names: readonly string[];
  /** What its type may be according to the schema or the fixtures. */
  declare readonly shape: Shape;
  /** Whether it may be absent, as far as is known. */
  declare readonly optional: boolean;
  /** After how many of its names there may be nothing to read the next from, regardless of the facts known where it is read. */
  declare readonly mayEndAfter?: readonly number[];
  /** The first of its names that was read where the component catches the error if there is nothing to read it from. */
  declare readonly strictFrom?: number | undefined;
  /** The object that contains it, if it is present whenever that object is. */
  declare readonly holder?: AccessPath | undefined;
  /** The types that it has elsewhere, but not where it is used. */
  declare readonly excluded?: readonly TypeKind[];
  /** Whether a schema declares it as required. */
  declare readonly sure: boolean;
  /** Whether a schema declares its type, so that it never has another type. */
  declare readonly stated: boolean;
  /** For all variables together: the names of those known only from examples. */
  declare readonly derived?: readonly string[];
  /** Where it was last used in the source. */
  declare readonly site?: SourceRange | undefined;
}

type PathFields = Pick<PathData, keyof PathData>;

/** A variable, and what follows from its type. */
export class AccessPath extends PathData {
  readonly kind = "path";
  readonly #fields: PathFields;

  constructor(fields: PathFields) {
    super();
    this.#fields = fields;
    Object.assign(this, fields);
  }

  with(changes: Partial<PathFields>): AccessPath {
    return new AccessPath({ ...this.#fields, ...changes });
  }

  /** The same for two paths to the same variable of the same item. */
  get key(): string {
    return `${this.loop?.id ?? ""}/${this.names.join(".")}`;
  }

  get variable(): VariableName {
    const { loop, names } = this;
    return { lists: loop ? [...loop.list.variable.lists, loop.list.names] : [], names };
  }

  /** The same for a variable in every rendering. */
  get variableKey(): string {
    return JSON.stringify(this.variable);
  }

  /** Whether it is neither null nor absent. */
  get presence(): Test {
    return { path: this, question: { kind: "present" } };
  }

  /** The possible kinds of a variable, `null` included; empty if unknown. */
  get kinds(): ReadonlySet<TypeKind> {
    return typesOf(this.shape).kinds;
  }

  /** The possible kinds of a variable if it is present; empty if unknown. */
  get types(): readonly TypeKind[] {
    return typesOf(this.shape).types;
  }

  /** Whether a variable, if present, is known to have one of these kinds. */
  isOnly(...allowed: readonly TypeKind[]): boolean {
    return this.types.length > 0 && this.types.every((kind) => allowed.includes(kind));
  }

  get isUntyped(): boolean {
    return this.types.length === 0;
  }

  /** A variable that is known to have one of these kinds if it is present. */
  narrowedTo(types: readonly TypeKind[], isPresent: boolean): AccessPath {
    const left = isPresent ? types : [...types, "null"];
    const shape = this.shape.only((schema) => kindsIn(schema).some((kind) => left.includes(kind)));
    const excluded = [...(this.excluded ?? []), ...this.types.filter((type) => !types.includes(type))];
    return this.with({ shape, optional: this.optional && !isPresent, excluded });
  }

  /** Whether it may have this kind, as far as known. */
  mayBe(kind: Exclude<TypeKind, "null">): boolean {
    return this.isUntyped || this.kinds.has(kind);
  }

  get mayBeMissing(): boolean {
    return this.optional || this.kinds.has("null");
  }

  /** `mayEndAfter` of its members and items. */
  get endsOfMembers(): readonly number[] {
    const { mayEndAfter = [], names } = this;
    return this.mayBeMissing ? [...mayEndAfter, names.length] : mayEndAfter;
  }

  /** The values that a schema allows, if it lists them. */
  get literals(): readonly unknown[] | undefined {
    return this.shape.isKnown ? literalsIn(this.shape.kinds) : undefined;
  }

  /** The values of one kind that a schema allows, if it lists them. */
  literalsOf(type: TypeKind): readonly unknown[] | undefined {
    return this.shape.isKnown ? literalsIn(this.shape.kinds.filter((kind) => kindsIn(kind).includes(type))) : undefined;
  }
}

function literalsIn(kinds: readonly VariablesSchema[]): readonly unknown[] | undefined {
  const values = kinds.flatMap((kind): readonly unknown[] => {
    if (kind.const !== undefined) return [kind.const];
    return kind.enum ?? (kind.type === "null" ? [null] : [undefined]);
  });
  return values.every((value) => value === null) || values.includes(undefined) ? undefined : values;
}

/** The name of a variable, for messages. */
export interface VariableName {
  /** The names of the lists that contain it, outermost first. */
  readonly lists: readonly (readonly string[])[];
  readonly names: readonly string[];
}

export type Scalar = string | number | boolean;

/**
 * What can be tested of a variable. `itself` tests a boolean, which Mustache can do without a condition; `type` tests whether
 * its value has one of these types.
 */
export type Predicate =
  | ValueQuestion
  | PassedNull
  | PositionTest
  | { readonly kind: "itself" }
  | { readonly kind: "type"; readonly types: readonly TypeKind[] };

/** A condition whose result is known when an email is filled. */
export interface Test {
  readonly path: AccessPath;
  readonly question: Predicate;
  /** For a question that no condition can ask: the computed boolean that answers it. */
  readonly computed?: AccessPath;
}

/** The variable that a document tests. */
export function testedPath({ path, computed = path }: Test): AccessPath {
  return computed;
}

/** One value or another. */
export interface Conditional {
  readonly kind: "choice";
  readonly test: Test;
  readonly yes: unknown;
  readonly no: unknown;
  /** The number of different values that it may have. */
  readonly cases: number;
}

/** The result of `.map`: the body once for each item. */
export interface MappedList {
  readonly kind: "repeat";
  readonly loop: Loop;
  readonly slice: Slice;
  /** Whether the body is a list whose items count individually, as for `.flatMap`. */
  readonly isFlat?: boolean;
  /** For a flat repeat: the list as a computation, for code that needs its items individually. */
  readonly computed?: () => unknown;
  readonly body: unknown;
}

/** A number that is only known when an email is filled. */
interface CountBase {
  /** The number added to it. */
  readonly offset: number;
  /** Where it was last used in the source. */
  readonly site?: SourceRange | undefined;
}

/** An item's index in a list, from 0. */
export interface ItemIndex extends CountBase {
  readonly kind: "position";
  readonly loop: Loop;
}

/** The length of a list or string. */
export interface ListLength extends CountBase {
  readonly kind: "length";
  readonly of: AccessPath;
  /** The part of a list that is counted. */
  readonly slice: Slice;
}

/** A selection of a list's items by their positions. */
export interface Slice {
  /** How many items are skipped at the beginning. */
  readonly skipped: number;
  /** Which positions the items must have or must not have. */
  readonly limits: readonly { readonly standing: PositionTest; readonly answer: boolean }[];
}

/** The result of `.slice`. */
export interface SlicedList {
  readonly kind: "sliced";
  readonly of: AccessPath;
  readonly slice: Slice;
}

/** A list of the component to which a loop over a list has added something for each item. */
export interface CollectedRows {
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

export type Symbolic =
  | AccessPath
  | Conditional
  | MappedList
  | SlicedList
  | CollectedRows
  | ItemIndex
  | ListLength
  | TokenString
  | Refused;

const proxies = new WeakMap<object, Symbolic>();

/** Creates the proxy that represents a symbolic value in user code. */
export function represent(symbolic: Symbolic, handler: ProxyHandler<object>, target: object = {}): object {
  const proxy = new Proxy(target, handler);
  proxies.set(proxy, symbolic);
  symbols.add(proxy);
  return proxy;
}

/** The proxies, unlike ordinary objects that represent something. */
const symbols = new WeakSet<object>();

const successors = new WeakMap<object, object>();

/** Makes an object that user code has changed represent what another one does. It may be an ordinary list or `Date`. */
export function become(object: object, other: object): void {
  const symbolic = proxies.get(other);
  if (!symbolic) return;
  const items = symbolic.kind === "rows" ? symbolic.list : [other];
  if (Array.isArray(object)) object.splice(0, object.length, ...items);
  else if (!symbols.has(object)) {
    for (const name of Object.keys(object)) Reflect.deleteProperty(object, name);
    Object.setPrototypeOf(object, other);
  }
  proxies.set(object, symbolic.kind === "rows" && Array.isArray(object) ? { ...symbolic, list: object } : symbolic);
  successors.set(object, other);
  for (const follower of followers.get(object) ?? []) become(follower, other);
}

/** Returns a function that makes an object again what it is now. */
export function restorer(object: object): () => void {
  const successor = successors.get(object);
  const symbolic = proxies.get(object);
  const before = symbolic?.kind === "rows" ? { ...symbolic, added: new Set(symbolic.added) } : symbolic;
  const refill = symbols.has(object) ? undefined : refiller(object);
  return () => {
    if (before) proxies.set(object, before);
    else proxies.delete(object);
    if (successor) successors.set(object, successor);
    else successors.delete(object);
    refill?.();
  };
}

/** The same for the content of an ordinary object. */
function refiller(object: object): () => void {
  const prototype: unknown = Object.getPrototypeOf(object);
  const refill = contentOf(object);
  return () => {
    Reflect.setPrototypeOf(object, isReference(prototype) ? prototype : null);
    refill();
  };
}

function contentOf(object: object): () => void {
  if (Array.isArray(object)) {
    const items = [...object];
    return () => object.splice(0, object.length, ...items);
  }
  if (object instanceof Map) {
    const entries = [...object];
    return () => {
      object.clear();
      for (const [key, value] of entries) object.set(key, value);
    };
  }
  if (object instanceof Set) {
    const items = [...object];
    return () => {
      object.clear();
      for (const item of items) object.add(item);
    };
  }
  if (object instanceof Date) {
    const time = object.getTime();
    return () => object.setTime(time);
  }
  if (object instanceof URL) {
    const { href } = object;
    return () => (object.href = href);
  }
  const members = { ...object };
  return () => {
    for (const name of Object.keys(object)) Reflect.deleteProperty(object, name);
    Object.assign(object, members);
  };
}

const followers = new WeakMap<object, object[]>();

/** Makes an object become what another one will become. */
export function follow(object: object, follower: object): object {
  followers.set(object, [...(followers.get(object) ?? []), follower]);
  return follower;
}

/** What an object has become. */
export function successorOf(object: object): object | undefined {
  return successors.get(object);
}

/** Makes an existing object represent a symbolic value. */
export function registerSymbolic(object: object, symbolic: CollectedRows): void {
  proxies.set(object, symbolic);
}

/** What a proxy represents; a variable with the types that it may have here. */
export function represented(value: unknown): Symbolic | undefined {
  const symbolic = isReference(value) ? proxies.get(value) : undefined;
  return symbolic?.kind === "path" && symbolic.types.length > 1 ? later("narrowed")(symbolic) : symbolic;
}

/** Whether the types that a variable may have here are not all its types. */
export function isNarrowedHere(value: unknown): boolean {
  return isReference(value) && represented(value) !== proxies.get(value);
}

export type AnyFunction = (...args: unknown[]) => unknown;

export function isReference(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** What React's `createElement` returns; its other properties are copied unchanged. */
export interface ReactElement {
  readonly type: unknown;
  readonly props: Readonly<Record<string, unknown>>;
}

export function isElement(value: unknown): value is ReactElement {
  if (typeof value !== "object" || value === null || represented(value)) return false;
  return "$$typeof" in value && "type" in value && "props" in value && isReference(value.props);
}

/** An ordinary object, such as options or a style. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || represented(value) || isElement(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export type TypeKind = "string" | "number" | "boolean" | "date" | "bigint" | "list" | "object" | "null";

const KINDS: Readonly<Record<string, TypeKind>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  array: "list",
  object: "object",
  null: "null",
};

/** Whether its type is only known from examples. */
export function isFromExamples({ kinds }: Shape): boolean {
  return kinds.length === 0 || kinds.some((kind) => "isExample" in kind);
}

interface Types {
  readonly kinds: ReadonlySet<TypeKind>;
  readonly types: readonly TypeKind[];
}

const typesOfShapes = new WeakMap<Shape, Types>();

function typesOf(shape: Shape): Types {
  let known = typesOfShapes.get(shape);
  if (!known) {
    const kinds = new Set(shape.kinds.flatMap(kindsIn));
    known = { kinds, types: [...kinds].filter((kind) => kind !== "null") };
    typesOfShapes.set(shape, known);
  }
  return known;
}

function kindsIn(schema: VariablesSchema): TypeKind[] {
  const javaScript = schema["x-javascript"];
  if (javaScript) return [javaScript === "Date" ? "date" : "bigint"];
  const kind = schema.type === undefined ? undefined : KINDS[schema.type];
  if (kind !== undefined) return [kind];
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  if (values.length > 0) return values.map((value) => (value === null ? "null" : (KINDS[typeof value] ?? "object")));
  return schema.properties ? ["object"] : [];
}
