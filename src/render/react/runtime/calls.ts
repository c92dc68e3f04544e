import { isKey } from "./computations.js";
import { callOwn, callPackage, compute, computeWhole } from "./computed.js";
import { methodCallOf } from "./expressions.js";
import { shapeOfMethod } from "./result-shapes.js";
import { callBuiltin, constructBuiltin } from "./builtin-calls.js";
import { changesObject, isBuiltin, isBuiltinMethod } from "./builtins.js";
import { and } from "./operators.js";
import { isPlain } from "./react-values.js";
import { choose, lift } from "./choices.js";
import { isOnly, maybeMissing } from "./kinds.js";
import { callListMethod, isSymbolicList } from "./list-calls.js";
import { isCallback } from "./loops.js";
import { lookUp } from "./objects.js";
import { refuse } from "./refusal.js";
import { rendering } from "./rendering.js";
import { concatLists } from "./parts.js";
import { LOOPS } from "./ordinary.js";
import { addForEach, callRows } from "./rows.js";
import { watchedFunction } from "./react-functions.js";
import { isObject, represented, type Site, type Symbolic } from "./symbolic.js";
import { concatenate, symbolicOf, textOf } from "./texts.js";

type Callable = (...parameters: unknown[]) => unknown;

/**
 * For `object.name(…)`: what to call the method on. That is the object itself, unless the call has to be watched: of a
 * symbolic value every call, of an ordinary one those of the language's own methods.
 *
 * @param mayEnd Whether it is written with `?.`, so that it is undefined of what is absent; otherwise that would throw.
 */
export function receiver(object: unknown, name: string, mayEnd = false): unknown {
  if (object === null || object === undefined) return object;
  const symbolic = symbolicOf(object);
  if (symbolic?.kind === "refused") return object;
  const { site } = rendering(); // which the arguments leave
  if (symbolic) return { [name]: (...given: unknown[]) => standingAt(site, () => callOn(object, name, given, mayEnd)) };
  const method: unknown = Reflect.get(Object(object), name, object);
  if (isBuiltinMethod(object, method)) {
    return { [name]: (...given: unknown[]) => standingAt(site, () => callBuiltin(method, object, given)) };
  }
  const watched = watchedFunction(method);
  if (watched) return { [name]: watched };
  if (!isCallback(method) || represented(object)) return object;
  return { [name]: (...given: unknown[]) => callOwnAt(site, () => Reflect.apply(method, object, given)) };
}

/** Does something in the name of a place that was come to before. */
function standingAt(site: Site | undefined, work: () => unknown): unknown {
  rendering().site = site;
  return work();
}

/** For `object[key](…)`: what to call; with a variable for a key, one function for each of its values. */
export function methodAt(object: unknown, key: unknown): unknown {
  const isChosen = symbolicOf(key) !== undefined || represented(object)?.kind === "choice";
  if (isChosen) {
    const found = lookUp(object, key, (of, by) => Reflect.get(Object(of), asKey(by), of));
    return (...given: unknown[]) =>
      lift(found, (each) => (isCallback(each) ? Reflect.apply(each, object, given) : undefined));
  }
  const name = asKey(key);
  const holder: unknown = typeof name === "symbol" ? object : receiver(object, name);
  const called: unknown = Reflect.get(Object(holder), name, holder);
  return isCallback(called) ? (...given: unknown[]) => Reflect.apply(called, holder, given) : called;
}

function asKey(value: unknown): string | symbol {
  return typeof value === "symbol" ? value : String(value);
}

/** For `name(…)`: what to call. */
export function callee(called: unknown): unknown {
  if (isBuiltin(called)) {
    const { site } = rendering();
    return (...given: unknown[]) => standingAt(site, () => callBuiltin(called, undefined, given));
  }
  if (represented(called)?.kind !== "choice") {
    const watched = watchedFunction(called);
    if (watched || !isCallback(called)) return watched ?? called;
    const { site } = rendering();
    return (...given: unknown[]) => callOwnAt(site, () => Reflect.apply(called, undefined, given));
  }
  return (...given: unknown[]) =>
    lift(called, (each) => (isCallback(each) ? Reflect.apply(each, undefined, given) : undefined));
}

/** For `name(…)` where a package brought it: its code can't do with choices, so it is called for each case. */
export function packageCallee(called: unknown): unknown {
  if (typeof called !== "function") return called;
  const { site } = rendering();
  return (...given: unknown[]) =>
    standingAt(site, () => callPackage(() => liftInto(given, (each) => Reflect.apply(called, undefined, each)), given));
}

/** What it computes, it gives to where it is called. */
function callOwnAt(site: Site | undefined, called: () => unknown): unknown {
  return standingAt(site, () => callOwn(called));
}

/** For `new Name(…)`: what to construct. */
export function constructed(called: unknown): unknown {
  if (!isBuiltin(called)) return called;
  return new Proxy(called, { construct: (_target, given: unknown[]) => constructBuiltin(called, given) });
}

/** Does something with values; with choices among them, or in lists and objects among them, with each of the cases. */
function liftInto(given: readonly unknown[], work: (given: readonly unknown[]) => unknown, from = 0): unknown {
  const index = given.findIndex(
    (value, at) => at >= from && (represented(value)?.kind === "choice" || isHolder(value)),
  );
  if (index < 0) return work(given);
  const value = given[index];
  const next = (one: unknown): unknown => liftInto(given.with(index, one), work, index + 1);
  if (Array.isArray(value)) return liftInto(value, next);
  if (!isPlain(value)) return lift(value, (each) => liftInto(given.with(index, each), work, index));
  const names = Object.keys(value);
  const members = names.map((name) => split(value[name]));
  return liftInto(members, (each) => next(Object.fromEntries(names.map((name, at) => [name, each[at]]))));
}

function isHolder(value: unknown): boolean {
  return Array.isArray(value) || isPlain(value);
}

/** A variable among options mostly decides something: what is true of it and what is not are tried apart. */
function split(value: unknown): unknown {
  return symbolicOf(value)?.kind === "path" ? and(value, () => value) : value;
}

function callOn(object: unknown, name: string, given: readonly unknown[], mayEnd: boolean): unknown {
  if (name === "forEach" && addForEach(object, given[0])) return undefined;
  return computeWhole(
    () => callCases(object, name, given, mayEnd),
    () => methodCallOf(object, name, given),
  );
}

function callCases(object: unknown, name: string, given: readonly unknown[], mayEnd: boolean): unknown {
  return lift(object, (each) => {
    const symbolic = symbolicOf(each);
    if (symbolic?.kind === "path" && mayEnd && maybeMissing(symbolic)) {
      const isThere = { path: symbolic, question: { kind: "present" } } as const;
      return choose(
        isThere,
        () => callSymbolic(symbolic, each, name, given),
        () => undefined,
      );
    }
    if (symbolic) return callSymbolic(symbolic, each, name, given);
    const target = receiver(each, name);
    return isObject(target) ? Reflect.apply(functionOf(target, name), target, given) : undefined;
  });
}

function callSymbolic(symbolic: Symbolic, value: unknown, name: string, given: readonly unknown[]): unknown {
  if (name === "concat" && isSymbolicList(value)) return concatLists(value, given);
  if (symbolic.kind === "rows") return callRows(symbolic, name, given);
  if (name === "toString" && given.length === 0) return textWhereThere(symbolic, value);
  if (symbolic.kind === "path" || symbolic.kind === "repeat" || symbolic.kind === "sliced") {
    const result = callListMethod(symbolic, name, given);
    if (result !== undefined) return result;
  }
  if (name === "concat" && (symbolic.kind === "text" || (symbolic.kind === "path" && isOnly(symbolic, "string")))) {
    return concatenate([value, ...given]);
  }
  const hint = HINTS.get(name);
  const problem = `calls .${name}() of a variable`;
  if (hint !== undefined) return refuse(symbolic, problem, { hint });
  const [key = ""] = symbolic.kind === "path" ? symbolic.names : [];
  if (changesObject(name)) {
    rendering().computed.change(key);
    return refuse(symbolic, problem);
  }
  const isSorting = name === "sort" || name === "reverse";
  const changesVariable = isSorting && symbolic.kind === "path" && !symbolic.isCopy && !isKey(key);
  const computing = { problem, about: symbolic, shape: shapeOfMethod(value, name, given), changesVariable };
  const result = compute(computing, () => methodCallOf(value, name, given));
  if (isSorting) rendering().computed.change(key);
  return result;
}

/** What does the same without a change to the list. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ["forEach", LOOPS["does more"]],
  ["pop", "Use .at(-1) for the last item, and .slice(0, -1) for the others."],
  ["shift", "Use [0] for the first item, and .slice(1) for the others."],
]);

/** Of what is absent, the call would throw. */
function textWhereThere(symbolic: Symbolic, value: unknown): unknown {
  if (symbolic.kind !== "path") return textOf(value);
  const isThere = { path: symbolic, question: { kind: "present" } } as const;
  return rendering().facts.assuming(isThere, true, () => textOf(value));
}

function functionOf(object: object, name: string): Callable {
  const method: unknown = Reflect.get(object, name, object);
  if (typeof method !== "function") throw new TypeError(`${name} is not a function`);
  return (...given) => Reflect.apply(method, object, given);
}
