import { Shape } from "../../../mustache/shape.js";
import { isComputedKey, type ResultKind } from "./expression.js";
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
const builtins = new Set<unknown>([
  ...holders,
  ...holders.flatMap((holder) => [...membersOf(holder), ...membersOf(prototypeOf(holder))]),
]);

const namesOf = new Map<unknown, string>(
  NAMES.split(" ").flatMap((name) => {
    const holder: unknown = Reflect.get(globalThis, name);
    const statics = isReference(holder) ? Object.getOwnPropertyNames(holder) : [];
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

export const STRING = Shape.of({ type: "string" });
export const NUMBER = Shape.of({ type: "number" });
export const BOOLEAN = Shape.of({ type: "boolean" });
export const NUMBERS = Shape.of({ type: "array", items: { type: "number" } });
const STRINGS = Shape.of({ type: "array", items: { type: "string" } });
const LIST = Shape.of({ type: "array", items: {} });

export function shapeOfValue(value: unknown): Shape {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "path") return symbolic.shape;
  if (symbolic?.kind === "text" || typeof value === "string") return STRING;
  if (isCount(symbolic) || typeof value === "number") return NUMBER;
  if (typeof value === "boolean") return BOOLEAN;
  if (symbolic?.kind === "sliced") return symbolic.of.shape;
  if (symbolic?.kind === "repeat") return LIST;
  if (symbolic?.kind !== "choice") return Shape.UNKNOWN;
  if (isBoolean(value)) return BOOLEAN;
  const shapes = [symbolic.yes, symbolic.no].filter((each) => each !== undefined && each !== null).map(shapeOfValue);
  const [first = Shape.UNKNOWN, second = first] = shapes;
  return resultKindOf(first) === resultKindOf(second) ? first : Shape.UNKNOWN;
}

const SHAPES_OF_RESULTS: readonly (readonly [names: string, shape: Shape])[] = [
  [
    "toFixed toPrecision toUpperCase toLowerCase toLocaleUpperCase toLocaleLowerCase toLocaleString toLocaleDateString " +
      "toLocaleTimeString toISOString toString toDateString toUTCString trim trimStart trimEnd substring substr replace " +
      "replaceAll padStart padEnd repeat charAt format join normalize String encodeURIComponent encodeURI " +
      "decodeURIComponent JSON.stringify",
    STRING,
  ],
  [
    "indexOf lastIndexOf findIndex charCodeAt codePointAt search localeCompare getTime getFullYear getMonth getDate " +
      "getDay getHours getMinutes getSeconds getUTCFullYear getUTCMonth getUTCDate getUTCDay Number parseInt parseFloat " +
      "Date.parse Date.UTC",
    NUMBER,
  ],
  ["includes startsWith endsWith some every test Boolean isNaN isFinite Number.isInteger Array.isArray", BOOLEAN],
  ["split Object.keys", STRINGS],
  ["map flatMap flat match matchAll Object.entries Object.values Array.from formatToParts", LIST],
];

const RESULTS: ReadonlyMap<string, Shape> = new Map(
  SHAPES_OF_RESULTS.flatMap(([names, shape]) => names.split(" ").map((name) => [name, shape] as const)),
);

export function shapeOfMethod(of: unknown, name: string, args: readonly unknown[]): Shape {
  const own = shapeOfValue(of);
  const isString = resultKindOf(own) === "text";
  if (/^(?:filter|sort|toSorted|reverse|toReversed|slice|concat|with|toSpliced)$/.test(name)) {
    return isString || resultKindOf(own) === "list" ? own : Shape.UNKNOWN;
  }
  if (/^(?:find|findLast|at|pop|shift)$/.test(name)) return isString ? STRING : own.items();
  if (/^reduce(?:Right)?$/.test(name)) return args.length > 1 ? shapeOfValue(args[1]) : own.items();
  return RESULTS.get(name) ?? Shape.UNKNOWN;
}

export function shapeOfBuiltin(name: string): Shape {
  return name.startsWith("Math.") ? NUMBER : (RESULTS.get(name) ?? Shape.UNKNOWN);
}

export function shapeOfOperator(operator: string, left: unknown, right: unknown): Shape {
  if (/^(?:[!=]==?|[<>]=?|in|instanceof)$/.test(operator)) return BOOLEAN;
  if (operator !== "+") return NUMBER;
  const kinds = [resultKindOf(shapeOfValue(left)), resultKindOf(shapeOfValue(right))];
  if (kinds.includes("text")) return STRING;
  return kinds.every((kind) => kind === "number") ? NUMBER : Shape.UNKNOWN;
}

/** The kind of a shape that is printed. */
export function resultKindOf(shape: Shape): ResultKind {
  const kinds = new Set(shape.kinds.flatMap(({ type }) => (type === undefined || type === "null" ? [] : [type])));
  if (kinds.size !== 1) return "unknown";
  const [kind] = kinds;
  const all = { string: "text", number: "number", integer: "number", boolean: "flag", array: "list" } as const;
  return kind === undefined || kind === "object" ? "unknown" : all[kind];
}

/** A boolean variable is a choice between its own values. */
export function isBoolean(value: unknown): boolean {
  const symbolic = represented(value);
  return (
    symbolic?.kind === "choice" &&
    symbolic.test.question.kind === "itself" &&
    isComputedKey(symbolic.test.path.names[0])
  );
}
