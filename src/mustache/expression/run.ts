import { isPlainObject } from "../../values.js";
import type { ComputeContext } from "./expression.js";
import { ExpressionError } from "./expression-error.js";
import { typeOf } from "./types.js";
import { zonedDate } from "./zoned-date.js";

export type AnyFunction = (...args: readonly unknown[]) => unknown;

/** Each expression that is evaluated is a step; what built-in functions work on counts, too. */
const MOST_STEPS = 1_000_000;
/** Expressions within expressions, and lists within lists. */
const MOST_DEPTH = 200;
/** Of a string in UTF-16 units; of a list, all values in it and the units of their strings. */
export const MOST_SIZE = 1_000_000;
/** Of a bigint. */
export const MOST_BITS = 100_000;
/** How many units or values a built-in function works through as one step. */
const UNITS_PER_STEP = 32;

/** What expressions may use, which functions they may call, and what the one being evaluated has used of its limits. */
export class Run {
  readonly context: ComputeContext;
  readonly Date: DateConstructor;
  /** The built-in functions that were used as values. */
  readonly builtins = new Map<string, AnyFunction>();
  /** How many expressions are around the one being evaluated. */
  depth = 0;
  #steps = 0;
  readonly #sizes = new Map<object, number>();
  readonly #zoned = new Map<object, object>();
  readonly #functions = new Set<object>();
  readonly #foreign = new Set<object>();

  constructor(context: ComputeContext) {
    this.context = context;
    this.Date = dateClass(context);
  }

  /** Begins with another expression. */
  begin(): void {
    this.#steps = 0;
    this.depth = 0;
  }

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MOST_STEPS) throw limit(`needs more than ${MOST_STEPS.toLocaleString("en")} steps`);
  }

  /** Counts the work of a built-in function on these values. */
  spendOn(values: readonly unknown[]): void {
    let size = 0;
    values.forEach((value) => {
      if (typeof value === "string" || typeof value === "object") size += this.#sizeOf(value);
    });
    if (size > 2 * MOST_SIZE) throw tooLarge("What a function works on");
    this.spend(1 + Math.floor(size / UNITS_PER_STEP));
  }

  /** Begins to evaluate an expression within others. What catches an error restores the depth. */
  enter(): void {
    this.spend(1);
    this.depth += 1;
    if (this.depth > MOST_DEPTH) throw limit(`is nested more than ${MOST_DEPTH} levels deep`);
  }

  leave(): void {
    this.depth -= 1;
  }

  /** A value that was passed or that an operation returned: within the limits, and with dates in the context's time zone. */
  admit(value: unknown): unknown {
    if (typeof value === "string") checkSize(value.length);
    if (typeof value === "bigint" && value !== BigInt.asIntN(MOST_BITS, value)) throw tooLarge("A bigint");
    if (typeof value !== "object" || value === null) return value;
    checkSize(this.#sizeOf(value));
    return Array.isArray(value) || typeOf(value) === "Date" ? this.#inZone(value) : value;
  }

  /** Lets an expression call a function. */
  allow(called: AnyFunction): AnyFunction {
    if (!this.#functions.has(called)) {
      // The text of our own code means nothing to an expression.
      Object.defineProperty(called, "toString", { value: refuseText });
      this.#functions.add(called);
    }
    return called;
  }

  isAllowed(value: unknown): value is AnyFunction {
    return typeof value === "function" && this.#functions.has(value);
  }

  /** A value that a package's function returned. */
  adopt(value: unknown, nesting = 0): unknown {
    if (typeof value === "function") this.#functions.add(value);
    if (!isReference(value) || this.#foreign.has(value) || nesting > MOST_DEPTH) return this.admit(value);
    const isOwnClass = Array.isArray(value) || isPlainObject(value);
    if (isOwnClass) for (const each of Object.values(value)) this.adopt(each, nesting + 1);
    else if (typeof value === "function" || typeOf(value) === "Object") this.#foreign.add(value);
    return nesting === 0 ? this.admit(value) : value;
  }

  isForeign(value: unknown): value is object {
    return isReference(value) && this.#foreign.has(value);
  }

  /** Dates that are not in the context's time zone are copied, and lists that contain such. */
  #inZone(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const known = this.#zoned.get(value);
    if (known) return known;
    let zoned: object = value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#inZone(item));
      if (items.some((item, index) => item !== value[index])) zoned = items;
    } else if (typeOf(value) === "Date" && Object.getPrototypeOf(value) !== this.Date.prototype) {
      zoned = new this.Date(Number(value));
    }
    this.#zoned.set(value, zoned);
    this.#zoned.set(zoned, zoned);
    return zoned;
  }

  #sizeOf(value: unknown, nesting = 0): number {
    if (typeof value === "string") return value.length;
    if (typeof value !== "object" || value === null) return 1;
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    if (nesting > MOST_DEPTH) throw limit(`has a value that is nested more than ${MOST_DEPTH} levels deep`);
    this.#sizes.set(value, 1); // For a value that contains itself.
    let size = 1;
    for (const part of this.#partsOf(value)) {
      size += 1 + this.#sizeOf(part, nesting + 1);
      checkSize(size);
    }
    this.#sizes.set(value, size);
    return size;
  }

  #partsOf(value: object): readonly unknown[] {
    if (Array.isArray(value)) return value;
    if (value instanceof Map) return [...value.keys(), ...value.values()];
    if (value instanceof Set) return [...value];
    if (value instanceof URL || value instanceof URLSearchParams) return [String(value)];
    if (!isPlainObject(value)) return [];
    for (const name of CONVERSIONS) {
      if (Object.hasOwn(value, name) && this.isAllowed(value[name]))
        throw new ExpressionError("unknown", `An object can't have its own \`${name}\`.`);
    }
    return Object.values(value);
  }
}

/** Methods that JavaScript calls by itself. */
const CONVERSIONS = ["toString", "valueOf", "toJSON"];

function isReference(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

export function checkSize(size: number): void {
  if (size > MOST_SIZE) throw tooLarge("A value");
}

function tooLarge(what: string): ExpressionError {
  return new ExpressionError("limit", `${what} is larger than an expression may use.`);
}

function limit(what: string): ExpressionError {
  return new ExpressionError("limit", `The expression ${what}.`);
}

function refuseText(): never {
  throw new ExpressionError("unknown", "A function can't be converted to a string.");
}

const dateClasses = new Map<string, DateConstructor>();

function dateClass({ locale, timeZone }: ComputeContext): DateConstructor {
  const key = `${locale} ${timeZone}`;
  const known = dateClasses.get(key) ?? zonedDate(timeZone, locale);
  dateClasses.set(key, known);
  return known;
}
