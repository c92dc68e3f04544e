import { refuseAbsentDate } from "./absent-dates.js";
import { concatLists } from "./arrays.js";
import { isChangingName } from "../../../mustache/expression/types.js";
import { callBuiltin, constructBuiltin } from "./builtin-calls.js";
import { isBuiltin, isBuiltinMethod, shapeOfMethod } from "./builtins.js";
import { forEach } from "./carried.js";
import { callChanging } from "./changes.js";
import { lift, pick, select, someCase } from "./choices.js";
import { isRewritten } from "./components.js";
import {
  callOwn,
  callPackageMethod,
  compute,
  computeInPackage,
  computeWhole,
  isOfPackage,
  recorded,
} from "./computed.js";
import { resolveElement } from "./elements.js";
import { isComputedKey } from "./expression.js";
import { expressionOf, methodCallExpression, optionalCallExpression } from "./expressions.js";
import { callListMethod, isSymbolicList } from "./list-methods.js";
import { isCallback, mapRepeat } from "./loops.js";
import { lookUpMember } from "./member-access.js";
import { isPackageObject } from "./package-samples.js";
import { callPackage } from "./packages.js";
import { usedAt } from "./paths.js";
import { isOwn, refuse, rendering } from "./rendering.js";
import { callRows, LOOP_HINTS } from "./rows.js";
import { concatenate, stringOf, symbolicOf } from "./strings.js";
import { type AccessPath, type AnyFunction, isReference, represented, type Symbolic } from "./symbolic.js";

/**
 * The object on which to call the method in `object.name(…)`: the object itself, unless the call must be watched, as for
 * every call on a symbolic value, and for built-in methods of an ordinary one.
 *
 * @param mayEnd Whether it is written with `?.`, so that it is undefined if the object is absent; otherwise it would throw.
 */
export function receiver(object: unknown, name: string, mayEnd = false): unknown {
  if (object === null || object === undefined) return object;
  const symbolic = symbolicOf(object);
  if (symbolic?.kind === "refused") return object;
  if (symbolic) return { [name]: calledHere((args) => callOn(object, name, args, mayEnd)) };
  const method: unknown = Reflect.get(Object(object), name, object);
  if (isBuiltinMethod(object, method)) return { [name]: calledHere((args) => callBuiltin(method, object, args)) };
  const watched = wrappedReactFunction(method);
  if (watched) return { [name]: watched };
  if (!isCallback(method) || represented(object)) return object;
  if (isOfPackage(method)) return { [name]: fromPackage(method, object, name) };
  return { [name]: calledHere((args) => callOwn(() => Reflect.apply(method, object, args))) };
}

/** A function that is called at the current position, which evaluating its arguments changes. */
function calledHere(call: (args: unknown[]) => unknown): AnyFunction {
  const { site } = rendering();
  return (...args) => {
    rendering().site = site;
    return call(args);
  };
}

/** The function to call in `object[key](…)`; if the key is a variable, one for each of its values. */
export function methodAt(object: unknown, key: unknown): unknown {
  const isChosen = symbolicOf(key) !== undefined || represented(object)?.kind === "choice";
  if (isChosen) {
    const method = lookUpMember(object, key, (of, by) => Reflect.get(Object(of), asKey(by), of));
    return (...args: unknown[]) =>
      lift(method, (each) => (isCallback(each) ? Reflect.apply(each, object, args) : undefined));
  }
  const name = asKey(key);
  const holder: unknown = typeof name === "symbol" ? object : receiver(object, name);
  const called: unknown = Reflect.get(Object(holder), name, holder);
  return isCallback(called) ? (...args: unknown[]) => Reflect.apply(called, holder, args) : called;
}

function asKey(value: unknown): string | symbol {
  return typeof value === "symbol" ? value : String(value);
}

/** The function to call in `name(…)`. */
export function callee(called: unknown): unknown {
  if (isBuiltin(called)) return calledHere((args) => callBuiltin(called, undefined, args));
  if (represented(called)?.kind !== "choice") {
    const watched = wrappedReactFunction(called);
    if (watched || !isCallback(called)) return watched ?? called;
    if (isOfPackage(called)) return fromPackage(called);
    return calledHere((args) => callOwn(() => Reflect.apply(called, undefined, args)));
  }
  return (...args: unknown[]) =>
    lift(called, (each) => (isCallback(each) ? Reflect.apply(each, undefined, args) : undefined));
}

/** The function to call in `name(…)` if it is an import from a package. */
export function packageCallee(called: unknown): unknown {
  return isCallback(called) ? fromPackage(called) : called;
}

/** The object for `library.name(…)` if the library is an import from a package. */
export function packageReceiver(object: unknown, name: string, mayEnd: boolean): unknown {
  const method: unknown = isReference(object) && !symbolicOf(object) ? Reflect.get(object, name) : undefined;
  return isCallback(method) && !isRewritten(method) && !isBuiltinMethod(object, method)
    ? { [name]: fromPackage(method, object, name) }
    : receiver(object, name, mayEnd);
}

function fromPackage(called: AnyFunction, self?: unknown, name = ""): AnyFunction {
  const work = (args: unknown[], isRecordable: () => boolean): unknown => callPackage(called, self, args, isRecordable);
  return calledHere((args) => computeInPackage(work, { called, self, name, args }));
}

/** The class to construct in `new Name(…)`. */
export function constructed(called: unknown): unknown {
  if (!isBuiltin(called)) return called;
  return new Proxy(called, { construct: (_target, args: unknown[]) => constructBuiltin(called, args) });
}

function callOn(object: unknown, name: string, args: readonly unknown[], mayEnd: boolean): unknown {
  if (name === "forEach" && forEach(object, args[0], mayEnd)) return undefined;
  if (name === "sort" && isOwnChoice(object)) return callChanging(object, name, args);
  if (isChangingName(name) && someCase(object, isOwn)) return callCases(object, name, args, mayEnd);
  const expression = mayEnd && someCase(object, mayBeMissing) ? optionalCallExpression : methodCallExpression;
  return computeWhole(
    () => callCases(object, name, args, mayEnd),
    () => expression(object, name, args),
  );
}

/** Whether a call such as `.filter(…)` has made it, a list of values in each case: then all cases are sorted by one operation. */
function isOwnChoice(value: unknown): value is object {
  if (!isOwn(value) || represented(value)?.kind !== "choice" || someCase(value, (each) => !Array.isArray(each)))
    return false;
  return recorded(() => expressionOf(value)) !== undefined;
}

function mayBeMissing(value: unknown): boolean {
  const symbolic = symbolicOf(value);
  return symbolic?.kind === "path" ? symbolic.mayBeMissing : value === undefined || value === null;
}

function callCases(object: unknown, name: string, args: readonly unknown[], mayEnd: boolean): unknown {
  return lift(object, (each) => {
    const symbolic = symbolicOf(each);
    if (symbolic?.kind === "path" && mayEnd && symbolic.mayBeMissing) {
      return select(
        symbolic.presence,
        () => callSymbolic(symbolic, each, name, args),
        () => undefined,
      );
    }
    if (symbolic) return callSymbolic(symbolic, each, name, args);
    const target = receiver(each, name);
    return isReference(target) ? Reflect.apply(functionOf(target, name), target, args) : undefined;
  });
}

function callSymbolic(symbolic: Symbolic, value: unknown, name: string, args: readonly unknown[]): unknown {
  if (name === "concat" && isSymbolicList(value)) return concatLists(value, args);
  if (symbolic.kind === "path" && isPackageObject(symbolic)) return callPackageMethod(symbolic, value, name, args);
  if (isChangingName(name) && isReference(value) && !sortsVariable(value, name)) return callChanging(value, name, args);
  if (symbolic.kind === "rows") return callRows(symbolic, name, args);
  if (name === "toString" && args.length === 0) return textWhereThere(symbolic, value);
  if (symbolic.kind === "path" || symbolic.kind === "repeat" || symbolic.kind === "sliced") {
    const result = callListMethod(symbolic, name, args.map(packageCallback));
    if (result !== undefined) return result;
  }
  if (name === "concat" && (symbolic.kind === "text" || (symbolic.kind === "path" && symbolic.isOnly("string")))) {
    return concatenate([value, ...args]);
  }
  const problem = `calls .${name}() on a variable`;
  if (name === "forEach") return refuse(symbolic, problem, { hint: LOOP_HINTS["does more"] });
  const refused = refuseAbsentDate(value, name, args);
  if (refused) return refused;
  const [key = ""] = symbolic.kind === "path" ? symbolic.names : [];
  const isSorting = isReference(value) && sortsVariable(value, name);
  const changesVariable = isSorting && !isComputedKey(key);
  const computing = { problem, about: symbolic, shape: shapeOfMethod(value, name, args), changesVariable };
  const result = compute(computing, () => methodCallExpression(value, name, args));
  if (!isSorting || !isReference(result)) return result;
  if (isComputedKey(key)) rendering().computed.change(key);
  else if (symbolic.kind === "path") sortVariable(symbolic, result);
  return result;
}

/** Whether a method sorts a list that the component hasn't made. */
function sortsVariable(list: object, name: string): boolean {
  return (name === "sort" || name === "reverse") && !isOwn(list) && represented(list)?.kind === "path";
}

/** `.map(capitalize)` with a function of a package */
function packageCallback(called: unknown): unknown {
  return isCallback(called) && isOfPackage(called) ? fromPackage(called) : called;
}

/** Sorts the application's list: whatever reads it later finds it sorted. */
function sortVariable(path: AccessPath, sorted: object): void {
  const { facts, sorted: all } = rendering();
  all.set(path.variableKey, { key: path.key, list: sorted, place: facts.place });
}

/** If the value is absent, the call would throw. */
function textWhereThere(symbolic: Symbolic, value: unknown): unknown {
  if (symbolic.kind !== "path") return stringOf(value);
  const { facts, site } = rendering();
  return facts.assuming(symbolic.presence, true, () => stringOf(usedAt(symbolic, site)));
}

function functionOf(object: object, name: string): AnyFunction {
  const method: unknown = Reflect.get(object, name, object);
  if (typeof method !== "function") throw new TypeError(`${name} is not a function`);
  return (...args) => Reflect.apply(method, object, args);
}

/*
 * React's functions that the project's modules call by name. Elements they create must be settled like those from JSX, and a
 * symbolic value among children that they iterate would mislead them.
 */

const watched = new Map<unknown, (native: AnyFunction) => AnyFunction>();

/** @param react The project's React. */
export function registerReact(react: object): void {
  watched.set(Reflect.get(react, "createElement"), creating);
  watched.set(Reflect.get(react, "cloneElement"), cloning);
  watched.set(Reflect.get(react, "isValidElement"), perCase(nullIfMissing));
  const children: unknown = Reflect.get(react, "Children");
  if (typeof children !== "object" || children === null) return;
  for (const [name, method] of Object.entries(children)) {
    watched.set(
      method,
      name === "map" ? mappingChildren : perCase(name === "toArray" ? withoutMissing : nullIfMissing),
    );
  }
}

/** What to call instead of a React function; undefined for any other function. */
export function wrappedReactFunction(called: unknown): AnyFunction | undefined {
  if (typeof called !== "function") return undefined;
  return watched.get(called)?.((...args) => Reflect.apply(called, undefined, args));
}

function creating(native: AnyFunction): AnyFunction {
  return (type, props, ...children) => resolveElement(native(type, withoutKey(props), ...children), true);
}

function cloning(native: AnyFunction): AnyFunction {
  return (element, props, ...children) =>
    lift(element, (each) => {
      const symbolic = symbolicOf(each);
      if (symbolic) return refuse(symbolic, "is cloned as if it were an element");
      return resolveElement(native(each, withoutKey(props), ...children));
    });
}

/** A key identifies an element between renderings; here there is only one rendering, and the key is often an index. */
function withoutKey(props: unknown): unknown {
  if (typeof props !== "object" || props === null || !("key" in props) || !symbolicOf(props.key)) return props;
  const { key: _key, ...others } = props;
  return others;
}

/** The result for each case of the choices among children. */
function perCase(prepare: (children: unknown) => unknown): (native: AnyFunction) => AnyFunction {
  return (native) =>
    (children, ...rest) =>
      liftWithin(prepare(children), (each) => {
        const list = listIn(each);
        return list ? refuse(list, PROBLEM, { hint: HINT }) : native(each, ...rest);
      });
}

/** A variable that is the only child is not a child if it is missing. */
function nullIfMissing(child: unknown): unknown {
  const path = symbolicOf(child);
  if (path?.kind !== "path" || listIn(child) || !path.mayBeMissing) return child;
  return pick(path.presence, child, null);
}

/** When children are converted to a list, missing ones are dropped. */
function withoutMissing(children: unknown): unknown {
  return Array.isArray(children) ? children.map(withoutMissing) : nullIfMissing(children);
}

/** A callback for each child is also applied to a symbolic item of a list. */
function mappingChildren(native: AnyFunction): AnyFunction {
  const mapEach = (children: unknown, work: unknown, rest: readonly unknown[], isAlone: boolean): unknown => {
    const repeat = represented(children);
    if (repeat?.kind === "repeat" && !repeat.isFlat && !mayBeArray(repeat.body) && isCallback(work)) {
      return mapRepeat(repeat, (item, index) =>
        isAlone ? work(item, index, undefined) : work(item, undefined, undefined),
      );
    }
    const list = listIn(children);
    if (!list) return native(children, work, ...rest);
    // Next to other children, the items' indexes are unknown; often they are unused.
    const ignoresIndex = isCallback(work) && work.length < 2;
    if (!Array.isArray(children) || !ignoresIndex) return refuse(list, PROBLEM, { hint: HINT });
    return children.map((child) => mapEach(listIn(child) ? child : [child], work, rest, false));
  };
  return (children, work, ...rest) => liftWithin(nullIfMissing(children), (each) => mapEach(each, work, rest, true));
}

function mayBeArray(child: unknown): boolean {
  return someCase(child, (each) => Array.isArray(each) || listIn(each) !== undefined);
}

const PROBLEM = "iterates children whose number depends on a variable";
const HINT = "Pass the component a list and a function instead, or wrap the children where they are written.";

function listIn(children: unknown): Symbolic | undefined {
  if (Array.isArray(children)) return children.map(listIn).find(Boolean);
  const symbolic = represented(children);
  const isList = symbolic?.kind === "repeat" || symbolic?.kind === "sliced" || symbolic?.kind === "refused";
  return isList || (symbolic?.kind === "path" && !symbolic.isOnly("string", "number", "bigint")) ? symbolic : undefined;
}

/** Applies a function to children; if there are choices among them, to each case. */
function liftWithin(children: unknown, work: (children: unknown) => unknown): unknown {
  if (!Array.isArray(children)) return lift(children, work);
  const index = children.findIndex(hasChoice);
  if (index < 0) return work(children);
  return liftWithin(children[index], (child) => liftWithin(children.with(index, child), work));
}

function hasChoice(child: unknown): boolean {
  return Array.isArray(child) ? child.some(hasChoice) : represented(child)?.kind === "choice";
}
