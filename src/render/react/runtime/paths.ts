import { Shape } from "../../../mustache/shape.js";
import { isProperty } from "../../../mustache/expression/types.js";
import type { VariablesSchema } from "../../../mustache/variables.js";
import { byValue, ifMissing, pick, select } from "./choices.js";
import { isComputed, isComputedKey } from "./expression.js";
import { later } from "./later.js";
import {
  forItem,
  itemAt,
  itemOf,
  lengthValue,
  type MapCallback,
  positionValue,
  repeatValue,
  WHOLE_LIST,
  withinLimits,
} from "./loops.js";
import { located, refuse, REFUSED, refusedString, refuseKeys, rendering } from "./rendering.js";
import {
  AccessPath,
  isFromExamples,
  type Loop,
  represent,
  represented,
  successorOf,
  type Scalar,
  type Slice,
  type SlicedList,
  type SourceRange,
} from "./symbolic.js";

/** The value that represents a variable in user code. A boolean is also the choice between its two values. */
export function valueOfPath(path: AccessPath): unknown {
  const { sorted, facts } = rendering();
  const change = sorted.size > 0 ? sorted.get(path.variableKey) : undefined;
  if (change) {
    const isSorted = change.key === path.key && facts.isWithin(change.place);
    return isSorted ? change.list : refuse(path, "may have been sorted in place before", { hint: SORT_A_COPY });
  }
  return path.isOnly("boolean")
    ? pick({ path, question: { kind: "itself" } }, true, falseOrMissing(path))
    : proxyOf(path);
}

export const SORT_A_COPY = "Use the method's result, const sorted = [...list].sort(…), and leave the list unchanged.";

/** What is known about all the variables. */
export interface SymbolicVariables {
  readonly shape: Shape;
  /** Whether the shape, except derived variables, comes from a schema and not only from examples. */
  readonly sure: boolean;
  /** The names of variables that are only known from examples. */
  readonly derived: readonly string[];
}

export function rootValue({ shape, sure, derived }: SymbolicVariables): object {
  return proxyOf(new AccessPath({ names: [], shape, optional: false, sure, stated: sure, derived }));
}

export function usedAt(path: AccessPath, site: SourceRange | undefined): object {
  return proxyOf(site ? path.with({ site }) : path);
}

export function copyOfList(path: AccessPath): object {
  const copy = proxyOf(path);
  rendering().recordCreation(copy);
  return copy;
}

export function memberValue(path: AccessPath, name: string): unknown {
  const { shape, names, loop } = path;
  if (isNested(names.filter((each) => each === name).length)) {
    refuseRecursion(path, path.site);
    return undefined; // ends loops that run as long as it exists
  }
  const isNamed = shape.names.includes(name);
  const kinds = kindsLeft(path);
  if (isNamed && kinds.length < shape.kinds.length && !kinds.some(({ properties }) => properties?.[name]))
    return undefined;
  const required = kinds.every(({ properties, required: all }) => !properties || all?.includes(name));
  const known = shape.member(name) ?? Shape.UNKNOWN;
  const stated = path.stated && isNamed && !isFromExamples(known) && path.derived?.includes(name) !== true;
  const member = new AccessPath({
    names: [...names, name],
    shape: known,
    optional: !required || (!isNamed && (shape.isKnown || isComputed(path))),
    sure: stated && path.sure && required && !path.mayBeMissing,
    stated,
    loop,
    // Of what a function is called with, `?.` decides if the type doesn't.
    mayEndAfter: path.isUntyped && isComputedKey(names[0]) ? path.mayEndAfter : path.endsOfMembers,
    strictFrom: path.strictFrom ?? (rendering().attempts > 0 ? names.length : undefined),
  });
  const isInDoubt = !member.optional && !member.sure && rendering().presence.absentable.has(member.variableKey);
  if (member.optional || isInDoubt || !mayBeAbsent(path))
    return valueOfPath(isInDoubt ? member.with({ optional: true }) : member);
  const isPresentWithHolder = isNamed && shape.requires(name) && !member.isUntyped && !member.mayBeMissing;
  return valueOfPath(member.with({ optional: true, holder: isPresentWithHolder ? path : undefined }));
}

/** The names of an object's members that may exist. */
export function possibleMembers(path: AccessPath): string[] {
  const kinds = kindsLeft(path);
  return path.shape.names.filter(
    (name) => path.shape.kinds.length === kinds.length || kinds.some(({ properties }) => properties?.[name]),
  );
}

/** The kinds of a union that are possible given the known facts about its discriminating members. */
function kindsLeft(path: AccessPath): readonly VariablesSchema[] {
  const { shape } = path;
  if (shape.kinds.length < 2) return shape.kinds;
  const { facts } = rendering();
  return shape.kinds.filter(({ properties = {} }) =>
    Object.entries(properties).every(([name, { const: value, enum: values = value === undefined ? [] : [value] }]) => {
      const member = path.with({ names: [...path.names, name], shape: shape.member(name) ?? Shape.UNKNOWN });
      const isRuledOut = (each: unknown): boolean =>
        isScalar(each) && facts.known({ path: member, question: { kind: "equals", value: each } }) === false;
      return values.length === 0 || !values.every(isRuledOut);
    }),
  );
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** `.map` over a variable: one call of the callback, with a symbolic item. */
export function repeatOver(list: AccessPath, work: MapCallback, slice: Slice = WHOLE_LIST): object {
  const { facts } = rendering();
  const loop = rendering().loop(located(list));
  if (isNested(nestingOf(loop))) return refuseRecursion(list);
  const whole = slice === WHOLE_LIST ? proxyOf(list) : slicedValue(list, slice);
  const some = { path: list, question: { kind: "has-items" } } as const;
  const forEach = (): unknown =>
    forItem(list, () => work(valueOfPath(itemOf(loop)), positionValue(loop, -slice.skipped), whole));
  const body = facts.assuming(some, true, () => withinLimits(loop, slice, forEach));
  return repeatValue({ kind: "repeat", loop, slice, body });
}

/** How many surrounding loops iterate a list of the same name at the same place in the source. */
function nestingOf({ list, site }: Loop): number {
  const name = list.names.join(".");
  let nesting = 0;
  for (let outer = list.loop; outer; outer = outer.list.loop) {
    const isSame = outer.site?.start === site?.start && outer.site?.file === site?.file;
    if (isSame && outer.list.names.join(".") === name) nesting += 1;
  }
  return nesting;
}

/** The most nested loops of that kind: a component may render itself down to a depth that it counts. */
const MOST_NESTED = 10;

function isNested(nesting: number): boolean {
  return nesting >= (rendering().isEndless ? 1 : MOST_NESTED);
}

/** A component that renders itself for nested data never ends here, because any item may contain another. */
function refuseRecursion(path: AccessPath, site = rendering().site): object {
  refuse(path, RECURSION.problem, { site, hint: RECURSION.hint });
  rendering().isEndless = true;
  return REFUSED;
}

export const RECURSION = {
  problem: "repeats inside itself endlessly, but Mustache has no recursion",
  hint: "In derive (variables.ts), turn the tree into one list, each item with its depth, and iterate that; or write a component for each level that is shown.",
};

/** The result of `.slice`, which can be iterated and printed. */
export function slicedValue(of: AccessPath, slice: Slice): object {
  const sliced: SlicedList = { kind: "sliced", of, slice };
  const proxy = represent(sliced, {
    get(_target, name, receiver) {
      const changed = successorOf(proxy);
      if (changed) return Reflect.get(changed, name, receiver);
      if (name === Symbol.iterator) return () => [repeatOver(of, (item) => item, slice)][Symbol.iterator]();
      if (name === Symbol.toPrimitive) return () => refusedSliceAsString(sliced);
      if (name === "map") return (work: MapCallback) => repeatOver(of, work, slice);
      return name === "length" ? lengthValue(of, slice) : undefined;
    },
    ownKeys: () => refuseKeys(sliced),
  });
  rendering().recordCreation(proxy);
  return proxy;
}

function refusedSliceAsString(sliced: SlicedList): string {
  if (!sliced.of.isUntyped) return refusedString(sliced, "converts a list to a string");
  const problem = "takes a part of a variable, but no fixture shows whether it is a string or a list";
  return refusedString(sliced, problem, { hint: "Add a fixture in which it has a value." });
}

/** Whether it may be missing, given the known facts. */
export function mayBeAbsent(path: AccessPath): boolean {
  return path.mayBeMissing && rendering().facts.known(path.presence) !== true;
}

/** `list[index]`, `list.at(index)` */
export function itemValue(list: AccessPath, index: number): unknown {
  if (!list.isOnly("list")) return later("computeItem")(list, index);
  const item = itemAt(list, index);
  return item ? valueOfPath(item) : REFUSED;
}

/** A variable is printed as its token. */
export function tokenOf(path: AccessPath, raw = false): string {
  return rendering().token({ kind: "value", path, raw });
}

function falseOrMissing(path: AccessPath): unknown {
  if (!path.mayBeMissing) return false;
  return select(
    { path, question: { kind: "equals", value: false } },
    () => false,
    () => ifMissing(path, null, () => undefined),
  );
}

function proxyOf(whole: AccessPath): object {
  const proxy = represent(whole, {
    get(_target, name, receiver: object) {
      const changed = successorOf(proxy);
      if (changed) return Reflect.get(changed, name, receiver);
      const path = pathOf(proxy) ?? whole;
      if (name === Symbol.iterator) return () => [child(path)][Symbol.iterator]();
      if (name === Symbol.toPrimitive) return (hint: string) => primitive(path, hint);
      if (typeof name === "symbol" || isReactProperty(name, path)) return undefined;
      if (path.isOnly("date", "bigint")) return undefined; // They have only methods.
      if (name === "length" && !path.isOnly("object")) return lengthValue(path);
      if (name === "map" && path.isOnly("list")) return (work: MapCallback) => repeatOver(path, work);
      if (/^\d+$/.test(name) && !path.isOnly("object")) return itemValue(path, Number(name));
      if (path.isOnly("string", "number")) {
        // Strings and numbers have only their methods: React reads `key` of each child.
        if (!(name in String.prototype || name in Number.prototype)) return undefined;
        return refuse(path, `reads ".${name}" of a ${[...path.kinds].join(" or ")}`);
      }
      if (!isOfBuiltin(name, path)) return memberValue(path, name);
      return name === "searchParams" ? later("searchParamsOf")(receiver) : later("computeItem")(path, name);
    },
    set(_target, name) {
      refuse(whole, `gets a member "${String(name)}"`);
      return true;
    },
    deleteProperty(_target, name) {
      refuse(whole, `loses its member "${String(name)}"`);
      return true;
    },
    has: (_target, name) => typeof name === "string" && whole.shape.names.includes(name),
    ownKeys() {
      const path = pathOf(proxy) ?? whole;
      if (!path.isOnly("object")) return refuseKeys(path);
      if (path.shape.hasOtherNames) refuse(path, "is enumerated, but may have members that its type doesn't name");
      return possibleMembers(path);
    },
    getOwnPropertyDescriptor(_target, name) {
      const path = pathOf(proxy) ?? whole;
      if (typeof name !== "string" || !path.shape.names.includes(name)) return undefined;
      return { value: memberValue(path, name), enumerable: true, configurable: true, writable: true };
    },
  });
  return proxy;
}

/** Whether a member is one that a URL or its parameters have, or a match of a pattern besides its items, so that JSON loses it. */
function isOfBuiltin(name: string, { names, loop, shape }: AccessPath): boolean {
  const isOfComputed = isComputedKey(names[0]) || (names.length === 0 && isComputedKey(loop?.list.names[0]));
  return (
    isOfComputed &&
    !shape.names.includes(name) &&
    (["groups", "index", "input", "size"].includes(name) || isProperty("URL", name))
  );
}

/** The properties that React reads of every object to determine its type. */
function isReactProperty(name: string, { shape }: AccessPath): boolean {
  return name === "$$typeof" || ((name === "then" || name === "key") && !shape.names.includes(name));
}

/** What React receives for a variable among children. */
function child(path: AccessPath): unknown {
  const site = path.site ?? path.loop?.list.site;
  if (path.types.length > 1 && path.mayBe("list")) return later("byBeingList")(valueOfPath(path));
  if (path.kinds.has("date")) return refuse(path, "prints a Date, which React can't print", { site, hint: FORMAT });
  const isPrintable = path.isOnly("string", "number", "bigint", "list", "object", "boolean");
  if (isComputed(path) && (!isPrintable || later("isComputedObject")(path))) {
    const computed = pathOf(later("computeChild")(path));
    return computed && tokenOf(computed);
  }
  if (path.isOnly("list")) return repeatOver(path, (item) => item);
  if (path.isOnly("object")) return refuse(path, "prints an object", { site, hint: "Print one of its members." });
  const booleans = path.kinds.has("boolean") ? [true, false] : [];
  return byValue(path, booleans, (value) => value, tokenOf(path));
}

const FORMAT = 'Format it: date.toLocaleDateString("en", { dateStyle: "long" }), or date.toISOString().';

/** What React's attributes and package code receive for a variable. */
function primitive(path: AccessPath, hint: string): string | number {
  const site = path.site ?? rendering().site;
  if (hint === "number") {
    refuse(path, "is used as a number by package code", { site });
    return Number.NaN;
  }
  if (path.kinds.has("date")) refuse(path, "converts a Date to a string", { site, hint: FORMAT });
  else if (!path.mayBe("string") && !path.mayBe("number") && !path.mayBe("bigint")) {
    refuse(path, `converts ${path.isOnly("list") ? "a list" : "an object"} to a string`, { site });
  }
  return tokenOf(path);
}

export function pathOf(value: unknown): AccessPath | undefined {
  const symbolic = represented(value);
  return symbolic?.kind === "path" ? symbolic : undefined;
}

/** Properties that components read to distinguish elements from strings. */
const ELEMENT_PROPERTIES: ReadonlySet<string> = new Set(["key", "props", "ref", "type"]);

/**
 * The object for `object.name`. A string or number has no members to print: in JavaScript they would be undefined, and
 * every email would lack the value.
 */
export function memberHolder(object: unknown, name: string, site: SourceRange | undefined): unknown {
  const path = pathOf(object);
  if (!path || !path.isOnly("string", "number") || ELEMENT_PROPERTIES.has(name)) return object;
  const kinds = path.kinds;
  const kind = [kinds.has("string") && "string", kinds.has("number") && "number"].filter(Boolean).join(" or ");
  refuse(path, `reads ".${name}" of a ${kind}`, {
    site,
    hint: `According to variables.ts or the fixtures, it is a ${kind}, which has no members to print. Print it as a whole, or make it an object there.`,
  });
  return REFUSED;
}
