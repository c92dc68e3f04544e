import { Shape } from "../../../mustache/shape.js";
import { isKey } from "./computations.js";
import { isCount } from "./counts.js";
import type { ResultKind } from "./expression.js";
import { represented } from "./symbolic.js";
import { symbolicOf } from "./texts.js";

export const TEXT = Shape.of({ type: "string" });
export const NUMBER = Shape.of({ type: "number" });
export const FLAG = Shape.of({ type: "boolean" });
export const NUMBERS = Shape.of({ type: "array", items: { type: "number" } });
const TEXTS = Shape.of({ type: "array", items: { type: "string" } });
const LIST = Shape.of({ type: "array", items: {} });

/** What a value may be, as far as is known. */
export function shapeOf(value: unknown): Shape {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "path") return symbolic.shape;
  if (symbolic?.kind === "text" || typeof value === "string") return TEXT;
  if (isCount(symbolic) || typeof value === "number") return NUMBER;
  if (typeof value === "boolean") return FLAG;
  if (symbolic?.kind === "sliced") return symbolic.of.shape;
  if (symbolic?.kind === "repeat") return LIST;
  if (symbolic?.kind !== "choice") return Shape.UNKNOWN;
  if (isFlag(value)) return FLAG;
  const shapes = [symbolic.yes, symbolic.no].filter((each) => each !== undefined && each !== null).map(shapeOf);
  const [first = Shape.UNKNOWN, second = first] = shapes;
  return kindOf(first) === kindOf(second) ? first : Shape.UNKNOWN;
}

const GIVES: readonly (readonly [names: string, shape: Shape])[] = [
  [
    "toFixed toPrecision toUpperCase toLowerCase toLocaleUpperCase toLocaleLowerCase toLocaleString toLocaleDateString " +
      "toLocaleTimeString toISOString toString toDateString toUTCString trim trimStart trimEnd substring substr replace " +
      "replaceAll padStart padEnd repeat charAt format join normalize String encodeURIComponent encodeURI " +
      "decodeURIComponent JSON.stringify",
    TEXT,
  ],
  [
    "indexOf lastIndexOf findIndex charCodeAt codePointAt search localeCompare getTime getFullYear getMonth getDate " +
      "getDay getHours getMinutes getSeconds getUTCFullYear getUTCMonth getUTCDate getUTCDay Number parseInt parseFloat " +
      "Date.parse Date.UTC",
    NUMBER,
  ],
  ["includes startsWith endsWith some every test Boolean isNaN isFinite Number.isInteger Array.isArray", FLAG],
  ["split Object.keys", TEXTS],
  ["map flatMap flat match matchAll Object.entries Object.values Array.from formatToParts", LIST],
];

const RESULTS: ReadonlyMap<string, Shape> = new Map(
  GIVES.flatMap(([names, shape]) => names.split(" ").map((name) => [name, shape] as const)),
);

/** What a method gives. */
export function shapeOfMethod(of: unknown, name: string, given: readonly unknown[]): Shape {
  const own = shapeOf(of);
  const isText = kindOf(own) === "text";
  if (/^(?:filter|sort|toSorted|reverse|toReversed|slice|concat|with|toSpliced)$/.test(name)) {
    return isText || kindOf(own) === "list" ? own : Shape.UNKNOWN;
  }
  if (/^(?:find|findLast|at|pop|shift)$/.test(name)) return isText ? TEXT : own.items();
  if (/^reduce(?:Right)?$/.test(name)) return given.length > 1 ? shapeOf(given[1]) : own.items();
  return RESULTS.get(name) ?? Shape.UNKNOWN;
}

/** What a function of the language gives. */
export function shapeOfBuiltin(name: string): Shape {
  return name.startsWith("Math.") ? NUMBER : (RESULTS.get(name) ?? Shape.UNKNOWN);
}

/** What an operator gives. */
export function shapeOfOperator(operator: string, left: unknown, right: unknown): Shape {
  if (/^(?:[!=]==?|[<>]=?|in|instanceof)$/.test(operator)) return FLAG;
  if (operator !== "+") return NUMBER;
  const kinds = [kindOf(shapeOf(left)), kindOf(shapeOf(right))];
  if (kinds.includes("text")) return TEXT;
  return kinds.every((kind) => kind === "number") ? NUMBER : Shape.UNKNOWN;
}

/** What a shape is for one who prints it. */
export function kindOf(shape: Shape): ResultKind {
  const kinds = new Set(shape.kinds.flatMap(({ type }) => (type === undefined || type === "null" ? [] : [type])));
  if (kinds.size !== 1) return "unknown";
  const [kind] = kinds;
  const all = { string: "text", number: "number", integer: "number", boolean: "flag", array: "list" } as const;
  return kind === undefined || kind === "object" ? "unknown" : all[kind];
}

/** A boolean variable is a choice between its own values. */
export function isFlag(value: unknown): boolean {
  const symbolic = represented(value);
  return symbolic?.kind === "choice" && symbolic.test.question.kind === "itself" && isKey(symbolic.test.path.names[0]);
}
