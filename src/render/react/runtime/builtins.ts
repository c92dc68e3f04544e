import { Shape } from "../../../mustache/shape.js";
import {
  BIGINT,
  BOOLEAN,
  eitherShape,
  LIST,
  NUMBER,
  shapeOfBinary,
  shapeOfCall,
  STRING,
} from "../../../mustache/expression/results.js";
import { casesOf, everyCase } from "./choices.js";
import { isComputedKey } from "./expression.js";
import { later } from "./later.js";
import { isCount } from "./loops.js";
import { symbolicOf } from "./strings.js";
import { isReference, represented } from "./symbolic.js";

/*
 * The functions of the language itself. They compare, convert and compute without our runtime, so symbolic values must not
 * reach them unnoticed.
 */

const NAMES =
  "Object Function Array String Number Boolean Symbol BigInt Date RegExp Promise URL URLSearchParams Map Set WeakMap " +
  "WeakSet Math JSON Reflect Buffer Intl parseInt parseFloat isNaN isFinite encodeURIComponent encodeURI " +
  "decodeURIComponent decodeURI structuredClone atob btoa";

const globals = NAMES.split(" ").map((name): unknown => Reflect.get(globalThis, name));
const holders = [...globals, ...membersOf(Intl)].filter(isReference);
const namesOf = new Map<unknown, string>(
  NAMES.split(" ").flatMap((name) => {
    const holder: unknown = Reflect.get(globalThis, name);
    const statics = isReference(holder) ? Object.getOwnPropertyNames(holder) : [];
    const members = statics.map((each) => [Reflect.get(Object(holder), each), `${name}.${each}`] as const);
    return [...members.filter(([value]) => typeof value === "function"), [holder, name] as const];
  }),
);

const builtins = new Set<unknown>([
  ...holders,
  ...holders.flatMap((holder) => [...membersOf(holder), ...membersOf(prototypeOf(holder))]),
  ...namesOf.keys(), // `Date.now` is another function than the descriptor's where reads of the clock are watched.
]);

/** The name of a built-in function: `Math.round`, `Intl.NumberFormat`; undefined for methods and other functions. */
export function builtinName(value: unknown): string | undefined {
  return typeof value === "function" ? namesOf.get(value) : undefined;
}

export function isBuiltin(value: unknown): value is (...parameters: unknown[]) => unknown {
  return typeof value === "function" && builtins.has(value);
}

/** Whether a method is built in. A formatter's `.format` is a separate function for each formatter. */
export function isBuiltinMethod(object: unknown, value: unknown): value is (...parameters: unknown[]) => unknown {
  const isFormatter = object instanceof Intl.NumberFormat || object instanceof Intl.DateTimeFormat;
  return isBuiltin(value) || (isFormatter && typeof value === "function");
}

function membersOf(holder: unknown): unknown[] {
  if (!isReference(holder)) return [];
  return Object.values(Object.getOwnPropertyDescriptors(holder)).map((descriptor): unknown => descriptor.value);
}

function prototypeOf(holder: object): unknown {
  return Reflect.get(holder, "prototype");
}

export function shapeOfValue(value: unknown): Shape {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "path") return symbolic.shape;
  if (symbolic?.kind === "text" || typeof value === "string") return STRING;
  if (isCount(symbolic) || typeof value === "number") return NUMBER;
  if (typeof value === "bigint") return BIGINT;
  if (typeof value === "boolean") return BOOLEAN;
  if (symbolic?.kind === "sliced") return symbolic.of.shape;
  if (symbolic?.kind === "repeat") return LIST;
  if (!symbolic && Array.isArray(value)) return value.every(isThere) ? Shape.listing(commonShape(value)) : LIST;
  if (symbolic?.kind !== "choice") return Shape.UNKNOWN;
  if (isBoolean(value)) return BOOLEAN;
  const texts = casesOf(value).flatMap((each) => (typeof each === "string" && !symbolicOf(each) ? [each] : []));
  const others = casesOf(value).filter((each) => each !== undefined && each !== null).length - texts.length;
  return texts.length > 0 && others === 0
    ? Shape.of({ type: "string", enum: [...new Set(texts)] })
    : commonShape([symbolic.yes, symbolic.no]);
}

function isThere(value: unknown): boolean {
  return everyCase(value, (each) => {
    const symbolic = symbolicOf(each);
    return symbolic?.kind === "path" ? !symbolic.mayBeMissing : each !== undefined && each !== null;
  });
}

/** The type of those values that are present. */
function commonShape(values: readonly unknown[]): Shape {
  const [first = Shape.UNKNOWN, ...others] = values
    .filter((each) => each !== undefined && each !== null)
    .map(shapeOfValue);
  return others.reduce(eitherShape, first);
}

export function shapeOfMethod(of: unknown, name: string, args: readonly unknown[]): Shape {
  return REDUCES.test(name) ? later("shapeOfReduction")(of, args) : shapeOfCall(shapeOfValue(of), name);
}

export const REDUCES = /^reduce(?:Right)?$/;

export function shapeOfOperator(operator: string, left: unknown, right: unknown): Shape {
  return shapeOfBinary(operator, shapeOfValue(left), shapeOfValue(right));
}

/** A boolean variable is a choice between its own values. */
export function isBoolean(value: unknown): boolean {
  const symbolic = represented(value);
  return (
    symbolic?.kind === "choice" &&
    symbolic.yes === true &&
    symbolic.no === false &&
    symbolic.test.question.kind === "itself" &&
    isComputedKey(symbolic.test.path.names[0])
  );
}
