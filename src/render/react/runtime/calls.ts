import { callBuiltin, constructBuiltin, liftAll } from "./builtin-calls.js";
import { isBuiltin } from "./builtins.js";
import { lift } from "./choices.js";
import { isOnly, kindsOf } from "./kinds.js";
import { mapRepeat, type MapCallback } from "./loops.js";
import { repeatOver } from "./paths.js";
import { refuse } from "./refusal.js";
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
  return new Proxy(called, { construct: (_target, given: unknown[]) => constructBuiltin(called, given) });
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

function functionOf(object: object, name: string): Callable {
  const method: unknown = Reflect.get(object, name, object);
  if (typeof method !== "function") throw new TypeError(`${name} is not a function`);
  return (...given) => Reflect.apply(method, object, given);
}
