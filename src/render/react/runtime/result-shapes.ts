import { Shape } from "../../../mustache/shape.js";
import { isKey } from "./computations.js";
import { isCount } from "./counts.js";
import type { ResultKind } from "./expression.js";
import { represented } from "./symbolic.js";
import { symbolicOf } from "./texts.js";

export const STRING = Shape.of({ type: "string" });
export const NUMBER = Shape.of({ type: "number" });
export const BOOLEAN = Shape.of({ type: "boolean" });
export const NUMBERS = Shape.of({ type: "array", items: { type: "number" } });
const STRINGS = Shape.of({ type: "array", items: { type: "string" } });
const LIST = Shape.of({ type: "array", items: {} });

/** The shape of a value, as far as is known. */
export function shapeOf(value: unknown): Shape {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "path") return symbolic.shape;
  if (symbolic?.kind === "text" || typeof value === "string") return STRING;
  if (isCount(symbolic) || typeof value === "number") return NUMBER;
  if (typeof value === "boolean") return BOOLEAN;
  if (symbolic?.kind === "sliced") return symbolic.of.shape;
  if (symbolic?.kind === "repeat") return LIST;
  if (symbolic?.kind !== "choice") return Shape.UNKNOWN;
  if (isBoolean(value)) return BOOLEAN;
  const shapes = [symbolic.yes, symbolic.no].filter((each) => each !== undefined && each !== null).map(shapeOf);
  const [first = Shape.UNKNOWN, second = first] = shapes;
  return kindOf(first) === kindOf(second) ? first : Shape.UNKNOWN;
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

/** The shape of a method's result. */
export function shapeOfMethod(of: unknown, name: string, args: readonly unknown[]): Shape {
  const own = shapeOf(of);
  const isString = kindOf(own) === "text";
  if (/^(?:filter|sort|toSorted|reverse|toReversed|slice|concat|with|toSpliced)$/.test(name)) {
    return isString || kindOf(own) === "list" ? own : Shape.UNKNOWN;
  }
  if (/^(?:find|findLast|at|pop|shift)$/.test(name)) return isString ? STRING : own.items();
  if (/^reduce(?:Right)?$/.test(name)) return args.length > 1 ? shapeOf(args[1]) : own.items();
  return RESULTS.get(name) ?? Shape.UNKNOWN;
}

/** The shape of a builtin function's result. */
export function shapeOfBuiltin(name: string): Shape {
  return name.startsWith("Math.") ? NUMBER : (RESULTS.get(name) ?? Shape.UNKNOWN);
}

/** The shape of an operator's result. */
export function shapeOfOperator(operator: string, left: unknown, right: unknown): Shape {
  if (/^(?:[!=]==?|[<>]=?|in|instanceof)$/.test(operator)) return BOOLEAN;
  if (operator !== "+") return NUMBER;
  const kinds = [kindOf(shapeOf(left)), kindOf(shapeOf(right))];
  if (kinds.includes("text")) return STRING;
  return kinds.every((kind) => kind === "number") ? NUMBER : Shape.UNKNOWN;
}

/** The kind of a shape that is printed. */
export function kindOf(shape: Shape): ResultKind {
  const kinds = new Set(shape.kinds.flatMap(({ type }) => (type === undefined || type === "null" ? [] : [type])));
  if (kinds.size !== 1) return "unknown";
  const [kind] = kinds;
  const all = { string: "text", number: "number", integer: "number", boolean: "flag", array: "list" } as const;
  return kind === undefined || kind === "object" ? "unknown" : all[kind];
}

/** A boolean variable is a choice between its own values. */
export function isBoolean(value: unknown): boolean {
  const symbolic = represented(value);
  return symbolic?.kind === "choice" && symbolic.test.question.kind === "itself" && isKey(symbolic.test.path.names[0]);
}
