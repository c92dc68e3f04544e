import { isObject } from "./symbolic.js";

/*
 * The functions of the language itself. They compare, convert and compute without our runtime, so symbolic values must not
 * reach them unnoticed.
 */

const NAMES =
  "Object Function Array String Number Boolean Symbol BigInt Date RegExp Promise URL URLSearchParams Map Set WeakMap " +
  "WeakSet Math JSON Reflect Buffer Intl parseInt parseFloat isNaN isFinite encodeURIComponent encodeURI " +
  "decodeURIComponent decodeURI structuredClone atob btoa";

const globals = NAMES.split(" ").map((name): unknown => Reflect.get(globalThis, name));
const holders = [...globals, ...membersOf(Intl)].filter(isObject);
const builtins = new Set<unknown>([
  ...holders,
  ...holders.flatMap((holder) => [...membersOf(holder), ...membersOf(prototypeOf(holder))]),
]);

const namesOf = new Map<unknown, string>(
  NAMES.split(" ").flatMap((name) => {
    const holder: unknown = Reflect.get(globalThis, name);
    const statics = isObject(holder) ? Object.getOwnPropertyNames(holder) : [];
    const members = statics.map((each) => [Reflect.get(Object(holder), each), `${name}.${each}`] as const);
    return [...members.filter(([value]) => typeof value === "function"), [holder, name] as const];
  }),
);

/** The name of a built-in function: `Math.round`, `Intl.NumberFormat`; undefined for methods and other functions. */
export function builtinName(value: unknown): string | undefined {
  return typeof value === "function" ? namesOf.get(value) : undefined;
}

/** Whether a method changes its object or its first argument, so that its result is not its only effect. */
export function changesObject(name: string): boolean {
  return /^(?:set(?:\p{Lu}.*)?|append|delete|add|clear|push|unshift|splice|fill|copyWithin|assign|defineProperty)$/u.test(
    name,
  );
}

/** Whether a function is built in rather than user code. */
export function isBuiltin(value: unknown): value is (...parameters: unknown[]) => unknown {
  return typeof value === "function" && builtins.has(value);
}

/** Whether a method is built in. A formatter's `.format` is a separate function for each formatter. */
export function isBuiltinMethod(object: unknown, value: unknown): value is (...parameters: unknown[]) => unknown {
  const isFormatter = object instanceof Intl.NumberFormat || object instanceof Intl.DateTimeFormat;
  return isBuiltin(value) || (isFormatter && typeof value === "function");
}

function membersOf(holder: unknown): unknown[] {
  if (!isObject(holder)) return [];
  return Object.values(Object.getOwnPropertyDescriptors(holder)).map((descriptor): unknown => descriptor.value);
}

function prototypeOf(holder: object): unknown {
  return Reflect.get(holder, "prototype");
}
