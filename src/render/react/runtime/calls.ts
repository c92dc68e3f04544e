import { callArrayMethod, isArrayMethod } from "./arrays.js";
import { isBuiltin } from "./builtins.js";
import { lift } from "./choices.js";
import { isOnly, kindsOf } from "./kinds.js";
import { mapRepeat, type MapCallback } from "./loops.js";
import { repeatOver } from "./paths.js";
import { truthiness } from "./questions.js";
import { REFUSED, refuse } from "./refusal.js";
import { watchedFunction } from "./react-functions.js";
import { isObject, represented, type Path, type Symbolic } from "./symbolic.js";
import { concatenate, symbolicOf, textOf } from "./texts.js";

type Callable = (...parameters: unknown[]) => unknown;

/**
 * For `object.name(…)`: what to call the method on. That is the object itself, unless the call has to be watched: of a
 * symbolic value every call, of an ordinary one those of the language's own methods.
 */
export function receiver(object: unknown, name: string): unknown {
  if (object === null || object === undefined) return object;
  const symbolic = symbolicOf(object);
  if (symbolic?.kind === "refused") return object;
  if (symbolic) return { [name]: (...given: unknown[]) => callOn(object, name, given) };
  const method: unknown = Reflect.get(Object(object), name, object);
  if (isBuiltin(method)) return { [name]: (...given: unknown[]) => callBuiltin(method, object, given) };
  const watched = watchedFunction(method);
  return watched ? { [name]: watched } : object;
}

/** For `name(…)`: what to call. */
export function callee(called: unknown): unknown {
  if (isBuiltin(called)) return (...given: unknown[]) => callBuiltin(called, undefined, given);
  if (represented(called)?.kind !== "choice") return watchedFunction(called) ?? called;
  return (...given: unknown[]) =>
    lift(called, (each) => (isCallback(each) ? Reflect.apply(each, undefined, given) : undefined));
}

/** For `name(…)` where a package brought it: its code can't do with choices, so it is called for each case. */
export function packageCallee(called: unknown): unknown {
  return typeof called === "function"
    ? (...given: unknown[]) => liftAll(given, (each) => Reflect.apply(called, undefined, each))
    : called;
}

/** For `new Name(…)`: what to construct. */
export function constructed(called: unknown): unknown {
  if (!isBuiltin(called)) return called;
  return new Proxy(called, {
    construct: (_target, given: unknown[]) =>
      asObject(liftAll(given, (each) => guard(called, each, () => Reflect.construct(called, each)))),
  });
}

function callOn(object: unknown, name: string, given: readonly unknown[]): unknown {
  return lift(object, (each) => {
    const symbolic = symbolicOf(each);
    if (symbolic) return callSymbolic(symbolic, each, name, given);
    const target = receiver(each, name);
    return isObject(target) ? Reflect.apply(functionOf(target, name), target, given) : undefined;
  });
}

function callSymbolic(symbolic: Symbolic, value: unknown, name: string, given: readonly unknown[]): unknown {
  const [first] = given;
  if (name === "toString" && given.length === 0) return textOf(value);
  if (name === "map" && isCallback(first)) {
    if (symbolic.kind === "repeat") return mapRepeat(symbolic, first);
    if (symbolic.kind === "path" && mayBeList(symbolic)) return repeatOver(symbolic, first);
  }
  if (name === "concat" && (symbolic.kind === "text" || (symbolic.kind === "path" && isOnly(symbolic, "string")))) {
    return concatenate([value, ...given]);
  }
  return refuse(
    symbolic,
    `calls .${name}() of a variable`,
    name === "forEach" ? { hint: "Use .map, and print what it gives." } : {},
  );
}

function mayBeList(path: Path): boolean {
  return isOnly(path, "list") || kindsOf(path).size === 0;
}

function isCallback(value: unknown): value is MapCallback {
  return typeof value === "function";
}

function callBuiltin(called: Callable, self: unknown, given: readonly unknown[]): unknown {
  if (PASSES.has(called)) return Reflect.apply(called, self, given);
  if (Array.isArray(self) && isArrayMethod(called)) return callArrayMethod(called, self, given);
  return liftAll(
    given,
    (each) => SPECIAL.get(called)?.(self, each) ?? guard(called, each, () => Reflect.apply(called, self, each)),
  );
}

/** Those that only hand on what they are given. */
const PASSES = methods([
  [Function.prototype, "call apply bind"],
  [Object, "freeze fromEntries"],
  [Promise, "resolve"],
  [Map.prototype, "set"],
  [Set.prototype, "add"],
]);

/** Those that hand on the members of what they are given. */
const HANDS_ON_MEMBERS = methods([
  [Object, "entries values keys hasOwn assign"],
  [Array, "of from"],
]);

function methods(holders: readonly (readonly [holder: object, names: string])[]): ReadonlySet<unknown> {
  return new Set(
    holders.flatMap(([holder, names]) => names.split(" ").map((name): unknown => Reflect.get(holder, name))),
  );
}

/** What some can do with symbolic values after all; undefined where there is none among what they are given. */
const SPECIAL = new Map<unknown, (self: unknown, given: readonly unknown[]) => unknown>([
  [String, (_self, [value]) => (symbolicOf(value) ? textOf(value) : undefined)],
  [Boolean, (_self, [value]) => (symbolicOf(value) ? truthiness(value) : undefined)],
  [Reflect.get(Array, "isArray"), (_self, [value]) => isList(symbolicOf(value))],
  [textMethod("concat"), (self, given) => (given.some(symbolicOf) ? concatenate([self, ...given]) : undefined)],
  [textMethod("replace"), replacing("replace")],
  [textMethod("replaceAll"), replacing("replaceAll")],
]);

function textMethod(name: string): unknown {
  return Reflect.get(String.prototype, name);
}

function isList(symbolic: Symbolic | undefined): boolean | undefined {
  if (symbolic?.kind === "repeat") return true;
  if (symbolic?.kind !== "path" || kindsOf(symbolic).size === 0) return undefined;
  if (isOnly(symbolic, "list")) return true;
  return kindsOf(symbolic).has("list") ? undefined : false;
}

/** `"Dear NAME".replace("NAME", name)` */
function replacing(name: string): (self: unknown, given: readonly unknown[]) => unknown {
  return (self, [pattern, replacement]) => {
    if (symbolicOf(pattern) || !symbolicOf(replacement)) return undefined;
    return lift(textOf(replacement), (text) => functionOf(Object(self), name)(pattern, () => text));
  };
}

function guard(called: Callable, given: readonly unknown[], native: () => unknown): unknown {
  const watched = HANDS_ON_MEMBERS.has(called) ? given : given.flatMap((value) => [value, ...membersOf(value)]);
  const found = watched.map(symbolicOf).find(Boolean);
  if (!found) return native();
  return found.kind === "refused"
    ? REFUSED
    : refuse(found, `gives a variable to ${called.name || "a function"}(), which computes with it`);
}

/** Options, and lists of values, are looked into. */
function membersOf(value: unknown): unknown[] {
  return isObject(value) && !symbolicOf(value) && typeof value !== "function" ? Object.values(value) : [];
}

function liftAll(given: readonly unknown[], work: (given: readonly unknown[]) => unknown): unknown {
  const [first, ...rest] = given;
  if (given.length === 0) return work([]);
  return lift(first, (value) => liftAll(rest, (others) => work([value, ...others])));
}

function functionOf(object: object, name: string): Callable {
  const method: unknown = Reflect.get(object, name, object);
  if (typeof method !== "function") throw new TypeError(`${name} is not a function`);
  return (...given) => Reflect.apply(method, object, given);
}

function asObject(value: unknown): object {
  return isObject(value) ? value : REFUSED;
}
