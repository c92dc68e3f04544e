import { ExpressionError } from "./expression-error.js";
import { checkSize, type Run } from "./run.js";
import { specialMethod } from "./special-methods.js";
import { isAssignable, isBoundMethod, isChangingMethod, isMethod, isProperty, typeOf } from "./types.js";

/** `value[key]`: own members, and of built-in classes those in a table. */
export function readMember(run: Run, value: unknown, key: string | number): unknown {
  const name = String(key);
  if (value === undefined || value === null)
    throw new TypeError(`Cannot read properties of ${value} (reading '${name}')`);
  if (run.isForeign(value)) return run.adopt(readForeign(value, name));
  if (hasOwn(value, name)) return run.admit(readOwn(value, name));
  const type = typeOf(value);
  if (isProperty(type, name)) return run.admit(Reflect.get(Object(value), name));
  if (!isMethod(type, name)) return undefined;
  if (isBoundMethod(type, name)) return run.allow((...args) => callMethod(run, value, name, args.slice(0, 2)));
  return run.allow(() => {
    throw new TypeError(`${type}.prototype.${name} called without its object`);
  });
}

/** An own member; undefined if there is none, also of null and undefined. */
export function readOwn(value: unknown, name: string): unknown {
  return hasOwn(value, name) ? Reflect.get(Object(value), name) : undefined;
}

/** The own members of functions lead to their prototypes. */
function hasOwn(value: unknown, name: string): boolean {
  if (typeof value === "string") return name === "length" || Object.hasOwn(Object(value), name);
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}

/** `receiver.name(…args)` */
export function callMethod(run: Run, receiver: unknown, name: string, args: readonly unknown[]): unknown {
  if (receiver === undefined || receiver === null)
    throw new TypeError(`Cannot read properties of ${receiver} (reading '${name}')`);
  checkCallbacks(run, args);
  run.spendOn([receiver, ...args]);
  if (run.isForeign(receiver)) return run.adopt(applied(readForeign(receiver, name), receiver, args, name));
  if (hasOwn(receiver, name)) {
    const own = readOwn(receiver, name);
    return run.admit(applied(run.isAllowed(own) ? own : undefined, receiver, args, name));
  }
  const type = typeOf(receiver);
  if (!isMethod(type, name)) throw new TypeError(`${name} is not a function`);
  const special = specialMethod(type, name);
  if (special) return run.admit(Reflect.apply(special, undefined, [run, receiver, ...args]));
  const object = isChangingMethod(type, name) ? copyOf(run, receiver) : receiver;
  return run.admit(applied(Reflect.get(Object(receiver), name), object, args, name));
}

/** A copy of an object after `copy.name(…args)` or `copy.name = value`, where a URL's `searchParams` may be before the name. */
export function changedCopy(run: Run, object: unknown, names: readonly string[], args: readonly unknown[]): unknown {
  checkCallbacks(run, args);
  run.spendOn([object, ...args]);
  const copy = copyOf(run, object);
  const [name = "", ...around] = names.toReversed();
  const isOfUrl = copy instanceof URL && around.join() === "searchParams";
  const changed = isOfUrl ? copy.searchParams : around.length === 0 ? copy : undefined;
  const type = typeOf(changed);
  if (isChangingMethod(type, name)) applied(Reflect.get(Object(changed), name), changed, args, name);
  else if (isAssignable(type, name)) assign(changed, name, args[0]);
  else throw new TypeError(`${type}.${name} does not change it`);
  return run.admit(copy);
}

function assign(object: unknown, name: string, value: unknown): void {
  if (Array.isArray(object)) checkSize(Number(name === "length" ? value : name));
  Reflect.set(Object(object), name, value);
}

/** Values are never changed, only copies of them. Undefined if it is of no type that can be changed. */
function copyOf(run: Run, value: unknown): object | undefined {
  if (Array.isArray(value)) return value.slice();
  if (value instanceof Map) return new Map(value);
  if (value instanceof Set) return new Set(value);
  if (value instanceof URL) return new URL(value.href);
  if (value instanceof URLSearchParams) return new URLSearchParams(value);
  return typeOf(value) === "Date" ? new run.Date(Number(value)) : undefined;
}

/** `called(…args)` and `new Called(…args)` */
export function callFunction(
  run: Run,
  called: unknown,
  args: readonly unknown[],
  isNew: boolean,
  name = "value",
): unknown {
  if (!run.isAllowed(called)) throw new TypeError(`${name} is not a function`);
  checkCallbacks(run, args);
  run.spendOn(args);
  return isNew ? Reflect.construct(called, args) : Reflect.apply(called, undefined, args);
}

/** Functions that did not come from an expression must not be called by a built-in one either. */
export function checkCallbacks(run: Run, args: readonly unknown[]): void {
  if (args.some((each) => typeof each === "function" && !run.isAllowed(each)))
    throw new ExpressionError("unknown", "A function among the variables can't be called.");
}

function applied(called: unknown, receiver: unknown, args: readonly unknown[], name: string): unknown {
  if (typeof called !== "function") throw new TypeError(`${name} is not a function`);
  return Reflect.apply(called, receiver, args);
}

/** What leads from an object to everything else. */
const FORBIDDEN = /^(?:constructor|prototype|caller|callee|arguments|call|apply|bind|__\w+__)$/;

/** A member of an object that a package's function returned. */
function readForeign(object: object, name: string): unknown {
  if (FORBIDDEN.test(name)) throw new ExpressionError("unknown", `An expression can't use \`${name}\`.`);
  return Reflect.get(object, name);
}
