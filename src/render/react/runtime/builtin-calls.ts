import { refuseAbsentDate } from "./absent-dates.js";
import { callArrayMethod, concatLists, isArrayMethod } from "./arrays.js";
import { BOOLEAN, DATE, NUMBERS, shapeOfBuiltin } from "../../../mustache/expression/results.js";
import { isChangingMethod, typeOf } from "../../../mustache/expression/types.js";
import { builtinName, shapeOfMethod, shapeOfValue } from "./builtins.js";
import { callChanging, noteChange, refuseHeld, searchParamsOf } from "./changes.js";
import { isMissingCase, lift, liftAll, unlessThrown } from "./choices.js";
import { compute, computeWhole, symbolicIn } from "./computed.js";
import type { Expression } from "./expression.js";
import {
  callExpression,
  expressionOf,
  forgetConstruction,
  methodCallExpression,
  recordConstruction,
  SpreadArgument,
} from "./expressions.js";
import { returnsNew } from "./result-variables.js";
import { isList } from "./kinds.js";
import { callListMethod, copyOfIterable } from "./list-methods.js";
import { provide } from "./later.js";
import { isCallback, type MapCallback } from "./loops.js";
import { keyedCall, truthiness } from "./operators.js";
import { dependsOnPlace, isLocalObject, isNow } from "./place.js";
import { refuse, REFUSED, rendering } from "./rendering.js";
import { concatenate, inlineString, isNumber, stringOf, symbolicOf, valuesInString } from "./strings.js";
import { type AnyFunction, isPlain, isReference, represented, type Symbolic } from "./symbolic.js";

/** Calls a built-in function. With choices, it is called for each case. */
export function callBuiltin(called: AnyFunction, self: unknown, args: readonly unknown[]): unknown {
  if (isReference(self) && isChangingMethod(typeOf(self), called.name)) return callChangingBuiltin(called, self, args);
  const result = computeWhole(
    () => callCases(called, self, args),
    () => operationOf(called, self, args),
  );
  if (returnsNew(builtinName(called) ?? called.name)) rendering().recordCreation(result);
  return result;
}

/** Changes an ordinary object, which stays ordinary if everything that decides about the change is known. */
function callChangingBuiltin(called: AnyFunction, self: object, args: readonly unknown[]): unknown {
  if (decisive(called.name, self, args).some(symbolicOf) || dependsOnPlace(called, self, args))
    return callChanging(self, called.name, args);
  if (refuseHeld(self)) return REFUSED;
  noteChange(self);
  // What was read from the clock stays that.
  if (!(self instanceof Date && isNow(self))) forgetConstruction(self);
  return Reflect.apply(called, self, args);
}

/** The values that must be known for a change, rather than only passed on. */
function decisive(name: string, self: object, args: readonly unknown[]): readonly unknown[] {
  if (self instanceof Map) return args.slice(0, 1);
  if (!Array.isArray(self)) return args;
  const spread = args.map((each) => (each instanceof SpreadArgument ? each.value : undefined));
  const [compare] = args;
  if (name === "sort" && self.length > 1) return [...self, isCallback(compare) && compare(self[0], self[1], undefined)];
  if (name === "splice") return [...spread, ...args.slice(0, 2)];
  return name === "fill" || name === "copyWithin" ? args.slice(name === "fill" ? 1 : 0) : spread;
}

/** The call as an expression. Only formatters' functions have no name. */
function operationOf(called: AnyFunction, self: unknown, args: readonly unknown[]): Expression | undefined {
  const name = builtinName(called);
  return name === undefined
    ? methodCallExpression(self, called.name || "format", args)
    : callExpression({ kind: "name", name }, args);
}

function callCases(called: AnyFunction, self: unknown, args: readonly unknown[]): unknown {
  if (PASSES.has(called)) return Reflect.apply(called, self, args);
  if (called === assign && args.some(isChoice)) return assignChoices(args);
  if (Array.isArray(self) && called === Array.prototype.concat) return concatLists(self, args);
  if (Array.isArray(self) && isArrayMethod(called)) return callArrayMethod(called, self, args);
  const refused = refuseAbsentDate(self, called.name, args);
  if (refused) return refused;
  return liftAll(args, (each) => {
    const keyed = keyedCall(called, self, each);
    if (keyed) return keyed();
    const call = (): unknown => SPECIAL.get(called)?.(self, each) ?? guard(called, self, each);
    return each.some((value, index) => isMissingCase(value, args[index])) ? unlessThrown(call, args) : call();
  });
}

const assign: unknown = Reflect.get(Object, "assign");

function isChoice(value: unknown): boolean {
  return represented(value)?.kind === "choice";
}

/** `Object.assign(object, a && b)`: each case would change the same object. */
function assignChoices(sources: readonly unknown[]): unknown {
  return refuse(sources.map(symbolicOf).find(Boolean), "assigns members to an object depending on a variable", {
    hint: "Create a new object from both: `{ ...a, ...b }`.",
  });
}

/** Functions that only pass their arguments on. */
const PASSES = methods([
  [Function.prototype, "call apply bind"],
  [Object, "freeze"],
  [Promise, "resolve"],
]);

/** Functions that pass the members of their arguments on. */
const PASSES_MEMBERS = methods([
  [Object, "entries values keys hasOwn assign fromEntries"],
  [Array, "of from"],
]);

function methods(holders: readonly (readonly [holder: object, names: string])[]): ReadonlySet<unknown> {
  return new Set(
    holders.flatMap(([holder, names]) => names.split(" ").map((name): unknown => Reflect.get(holder, name))),
  );
}

/** How some functions handle symbolic values; undefined if there is none among the arguments. */
const SPECIAL = new Map<unknown, (self: unknown, args: readonly unknown[]) => unknown>([
  [String, (_self, [value]) => (symbolicOf(value) ? stringOf(value) : undefined)],
  [Number, (_self, [value]) => (isNumber(value) ? value : undefined)],
  [Boolean, (_self, [value]) => (symbolicOf(value) ? truthiness(value) : undefined)],
  [Reflect.get(Array, "isArray"), (_self, [value]) => isList(symbolicOf(value))],
  [Reflect.get(Array, "from"), (_self, [value, work]) => listFrom(value, work)],
  [textMethod("concat"), (self, args) => (args.some(symbolicOf) ? concatenate([self, ...args]) : undefined)],
  [textMethod("replace"), replacing("replace")],
  [textMethod("replaceAll"), replacing("replaceAll")],
]);

function textMethod(name: string): unknown {
  return Reflect.get(String.prototype, name);
}

/** `Array.from(list)`, `Array.from(list, (item) => …)` */
function listFrom(value: unknown, work: unknown): unknown {
  const length = isPlain(value) ? symbolicOf(value["length"]) : undefined;
  if (length) {
    const list = compute({ problem: "creates a list whose length is a variable", about: length, shape: NUMBERS }, () =>
      countingUpTo(isPlain(value) ? value["length"] : undefined),
    );
    return isCallback(work) ? callOn(list, work) : list;
  }
  const copy = copyOfIterable(value);
  const list = represented(copy);
  if (work === undefined || !list) return copy;
  return list.kind === "path" || list.kind === "repeat" || list.kind === "sliced"
    ? callListMethod(list, "map", [work])
    : undefined;
}

/** `"Dear NAME".replace("NAME", () => name)` */
function replacing(name: string): (self: unknown, args: readonly unknown[]) => unknown {
  return (self, [pattern, replacement]) => {
    if (symbolicOf(pattern)) return undefined;
    const method: unknown = Reflect.get(String.prototype, name);
    if (typeof method !== "function") return undefined;
    if (typeof replacement === "function") {
      return Reflect.apply(method, self, [
        pattern,
        (...matched: unknown[]) => inlineString(Reflect.apply(replacement, undefined, matched)),
      ]);
    }
    const symbolic = symbolicOf(replacement);
    if (!symbolic) return undefined;
    if (mayHaveDollar(symbolic)) return undefined;
    return lift(stringOf(replacement), (text) => Reflect.apply(method, self, [pattern, () => text]));
  };
}

/** Whether a replacement may contain a pattern of JavaScript. */
function mayHaveDollar(symbolic: Symbolic): boolean {
  if (symbolic.kind === "path") {
    const literals = symbolic.literals;
    return literals ? literals.some((each) => String(each).includes("$")) : !symbolic.isOnly("number", "boolean");
  }
  if (symbolic.kind !== "text") return false;
  return symbolic.text.includes("$") || valuesInString(symbolic.text).some(({ path }) => mayHaveDollar(path));
}

/** `Array.from({ length }, (_, index) => index + 1)`: a list to iterate whose items don't matter. */
function countingUpTo(length: unknown): Expression | undefined {
  const count = expressionOf(length);
  if (!count) return undefined;
  const index: Expression = { kind: "parameter", name: "index" };
  const body: Expression = { kind: "binary", operator: "+", left: index, right: { kind: "value", value: 1 } };
  const args: Expression[] = [
    { kind: "object", members: [["length", count]] },
    { kind: "function", parameters: ["_", "index"], body },
  ];
  return { kind: "call", callee: { kind: "name", name: "Array.from" }, args };
}

function callOn(list: unknown, work: MapCallback): unknown {
  const path = represented(list);
  return path?.kind === "path" ? callListMethod(path, "map", [work]) : list;
}

function guard(called: AnyFunction, self: unknown, args: readonly unknown[]): unknown {
  const name = builtinName(called);
  const about = symbolicAmong(called, neededBy(name, args));
  if (!about && !dependsOnPlace(called, self, args)) {
    const result: unknown = Reflect.apply(called, self, args);
    // Formatters may be created without `new`.
    if (name?.startsWith("Intl.") && isReference(result)) recordConstruction(result, called, args);
    return result;
  }
  const problem = about
    ? `passes a variable to ${called.name || "format"}(), which computes with it`
    : "formats with the mailer's locale and time zone";
  if (about && CHANGES_ARGUMENT.has(name ?? "")) return refuse(about, problem);
  const shape =
    name === undefined
      ? shapeOfMethod(self, called.name || "format", args)
      : shapeOfBuiltin(name, shapeOfValue(args[0]));
  if (called === Array && args.length === 1)
    return compute({ problem, about, shape: NUMBERS }, () => countingUpTo(args[0]));
  return compute({ problem, about, shape: called === RegExp.prototype.test ? BOOLEAN : shape }, () =>
    operationOf(called, self, args),
  );
}

const CHANGES_ARGUMENT: ReadonlySet<string> = new Set(["Object.assign", "Object.defineProperty", "Reflect.set"]);

function symbolicAmong(called: AnyFunction, args: readonly unknown[]): Symbolic | undefined {
  const values = args.map((value) => (value instanceof SpreadArgument ? value.value : value));
  if (called === JSON.stringify) return symbolicIn(values);
  const watched = PASSES_MEMBERS.has(called) ? values : values.flatMap((value) => [value, ...membersOf(value)]);
  return watched.map(symbolicOf).find(Boolean);
}

/** The members of options and lists of values. */
function membersOf(value: unknown): unknown[] {
  return isReference(value) && !symbolicOf(value) && typeof value !== "function" ? Object.values(value) : [];
}

export function constructBuiltin(called: AnyFunction, args: readonly unknown[]): object {
  const name = builtinName(called);
  const operation = (of: readonly unknown[]): Expression | undefined =>
    name === undefined ? undefined : callExpression({ kind: "name", name }, of, true);
  const made = computeWhole(
    () =>
      liftAll(args, (each) => {
        const about = symbolicAmong(called, neededBy(name, each));
        const problem = `passes a variable to ${called.name}(), which computes with it`;
        if (about && called === Array) return compute({ problem, about, shape: NUMBERS }, () => countingUpTo(each[0]));
        const shape = name === "Set" ? shapeOfValue(each[0]) : name === "Date" ? DATE : undefined;
        if (about || isLocalObject(called, each)) return compute({ problem, about, shape }, () => operation(each));
        const object: object = Reflect.construct(called, each);
        rendering().recordCreation(object);
        recordConstruction(object, called, each);
        if (object instanceof URL) searchParamsOf(object);
        return object;
      }),
    () => operation(args),
  );
  return isReference(made) ? made : REFUSED;
}

/** The values that a function or a class must know, rather than only pass on. */
function neededBy(name: string | undefined, args: readonly unknown[]): readonly unknown[] {
  if (name === "Map" || name === "Object.fromEntries") return keysOf(args[0]);
  return name === "URLSearchParams" ? pairsIn(args[0]) : args;
}

/** The keys of entries, or what these are if they are unknown. */
function keysOf(entries: unknown): readonly unknown[] {
  return Array.isArray(entries) && !symbolicOf(entries)
    ? entries.map((entry: unknown) => (Array.isArray(entry) && !symbolicOf(entry) ? entry[0] : entry))
    : [entries];
}

/** The pairs of a list or a map. */
function pairsIn(of: unknown): readonly unknown[] {
  return (Array.isArray(of) && !symbolicOf(of)) || of instanceof Map ? [...of] : [of];
}

provide({ callBuiltin });
