import { ExpressionError } from "./expression-error.js";
import { formatter, FORMATTERS, type FormatterName } from "./formatters.js";
import { checkCallbacks } from "./methods.js";
import { newPattern } from "./pattern.js";
import { checkSize, MOST_BITS, type Run } from "./run.js";

/*
 * The built-in functions, classes and constants that expressions may use, by name.
 */

type Builtin = (run: Run, ...args: never[]) => unknown;
type Locales = Intl.LocalesArgument;
type Options = Intl.DateTimeFormatOptions;

export const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["undefined", undefined],
  ["NaN", NaN],
  ["Infinity", Infinity],
  ...constantsOf("Math", Math, "E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2"),
  ...constantsOf(
    "Number",
    Number,
    "EPSILON MAX_SAFE_INTEGER MAX_VALUE MIN_SAFE_INTEGER MIN_VALUE NaN NEGATIVE_INFINITY POSITIVE_INFINITY",
  ),
]);

const MATH =
  "abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 floor fround hypot imul log log10 log1p " +
  "log2 max min pow round sign sin sinh sqrt tan tanh trunc";

export const FUNCTIONS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...natives("", globalThis, "Boolean Number String decodeURI decodeURIComponent encodeURI encodeURIComponent"),
  ...natives("", globalThis, "isFinite isNaN parseFloat parseInt"),
  ...natives("Math.", Math, MATH),
  ...natives("Number.", Number, "isFinite isInteger isNaN isSafeInteger parseFloat parseInt"),
  ...natives("String.", String, "fromCharCode fromCodePoint"),
  ...natives("Array.", Array, "isArray of"),
  ...natives("Object.", Object, "entries fromEntries hasOwn is keys values"),
  ...natives("Date.", Date, "UTC"),
  ...natives("JSON.", JSON, "parse"),
  ...natives("URL.", URL, "canParse"),
  ["BigInt", (_run, value: string) => toBigInt(value)],
  ["Array", newArray],
  ["Array.from", arrayFrom],
  ["Object.assign", (_run, target: object, ...sources: readonly object[]) => Object.assign({ ...target }, ...sources)],
  ["JSON.stringify", (_run, ...args: readonly [unknown]) => Reflect.apply(JSON.stringify, JSON, args)],
  ["Date", refuseClock],
  ["Date.parse", (run, text: string) => run.Date.parse(text)],
  ["RegExp", newPattern],
  ...classes("NumberFormat", "DateTimeFormat", "Collator"),
]);

export const CLASSES: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...classes(...FORMATTERS),
  ["Array", newArray],
  ["Date", newDate],
  ["Map", (_run, entries?: Iterable<[unknown, unknown]>) => new Map(entries)],
  ["RegExp", newPattern],
  ["Set", (_run, items?: Iterable<unknown>) => new Set(items)],
  ["URL", (_run, ...args: readonly unknown[]) => Reflect.construct(URL, args)],
  ["URLSearchParams", (_run, ...args: readonly unknown[]) => Reflect.construct(URLSearchParams, args)],
]);

/** For `instanceof`. */
export const NATIVES: ReadonlyMap<string, object> = new Map(
  [Array, Date, Map, Object, RegExp, Set, URL, URLSearchParams].map((native) => [native.name, native]),
);

/** `name`, as a value */
export function builtin(run: Run, name: string): unknown {
  if (CONSTANTS.has(name)) return CONSTANTS.get(name);
  if (!FUNCTIONS.has(name) && !CLASSES.has(name)) throw unknownName(name);
  const known = run.builtins.get(name);
  // A function that `new` can be used with.
  const called =
    known ??
    run.allow(function builtinFunction(...args) {
      return run.admit(callBuiltin(run, name, args, new.target !== undefined));
    });
  run.builtins.set(name, called);
  return called;
}

/** `name(…args)` and `new name(…args)` */
export function callBuiltin(run: Run, name: string, args: readonly unknown[], isNew: boolean): unknown {
  const called = (isNew ? CLASSES : FUNCTIONS).get(name);
  if (!called && CONSTANTS.has(name)) throw new TypeError(`${name} is not a function`);
  if (!called && isNew && FUNCTIONS.has(name))
    throw new ExpressionError("unknown", `An expression can't use \`new ${name}\`.`);
  if (!called && CLASSES.has(name)) throw new TypeError(`Class constructor ${name} cannot be invoked without 'new'`);
  if (!called) throw unknownName(name);
  checkCallbacks(run, args);
  run.spendOn(args);
  return Reflect.apply(called, undefined, [run, ...args]);
}

/** `value instanceof name` */
export function isInstance(value: unknown, name: string): boolean {
  const native = NATIVES.get(name);
  if (typeof native !== "function") throw unknownName(name);
  return value instanceof native;
}

function unknownName(name: string): ExpressionError {
  return new ExpressionError("unknown", `An expression can't use \`${name}\`.`);
}

function constantsOf(prefix: string, holder: object, names: string): [string, unknown][] {
  return names.split(" ").map((name) => [`${prefix}.${name}`, Reflect.get(holder, name)]);
}

function natives(prefix: string, holder: object, names: string): [string, Builtin][] {
  return names.split(" ").flatMap((name): [string, Builtin][] => {
    const native: unknown = Reflect.get(holder, name);
    return typeof native === "function"
      ? [[prefix + name, (_run, ...args) => Reflect.apply(native, holder, args)]]
      : [];
  });
}

function classes(...names: readonly FormatterName[]): [string, Builtin][] {
  return names.map((name) => [
    `Intl.${name}`,
    (run, locales?: Locales, options?: Options) => formatter(run, name, locales, options),
  ]);
}

function refuseClock(): never {
  throw new ExpressionError("unknown", "An expression can't read the clock. Pass the time as a variable.");
}

function toBigInt(value: string): bigint {
  if (typeof value === "string" && value.length > MOST_BITS) checkSize(Infinity);
  return BigInt(value);
}

function newArray(_run: Run, ...args: readonly number[]): unknown {
  const [length] = args;
  if (args.length === 1 && typeof length === "number") checkSize(length);
  return Reflect.construct(Array, args);
}

function arrayFrom(_run: Run, ...args: readonly [ArrayLike<unknown>]): unknown {
  checkSize(Number(Object(args[0]).length));
  return Reflect.apply(Array.from, Array, args);
}

function newDate(run: Run, ...args: readonly unknown[]): unknown {
  return args.length === 0 ? refuseClock() : Reflect.construct(run.Date, args);
}
