import { BIGINT_SCHEMA, DATE_SCHEMA } from "../javascript-values.js";
import { Shape } from "../shape.js";
import { isProperty } from "./types.js";
import type { Expression, ObjectMember, VariableExpression } from "./expression.js";
import { operandsOf } from "./expression-of.js";

/*
 * The types of results, as far as the form of an operation shows them.
 */

export const STRING = Shape.of({ type: "string" });
export const NUMBER = Shape.of({ type: "number" });
export const BOOLEAN = Shape.of({ type: "boolean" });
export const DATE = Shape.of(DATE_SCHEMA);
export const BIGINT = Shape.of(BIGINT_SCHEMA);
export const NUMBERS = Shape.of({ type: "array", items: { type: "number" } });
export const LIST = Shape.of({ type: "array", items: {} });
export const STRINGS = Shape.of({ type: "array", items: { type: "string" } });

const SHAPES_OF_RESULTS: readonly (readonly [names: string, shape: Shape])[] = [
  [
    "toFixed toPrecision toUpperCase toLowerCase toLocaleUpperCase toLocaleLowerCase toLocaleString toLocaleDateString " +
      "toLocaleTimeString toISOString toJSON toString toDateString toTimeString toUTCString trim trimStart trimEnd substring substr " +
      "replace replaceAll padStart padEnd repeat charAt format formatRange join normalize String encodeURIComponent " +
      "encodeURI decodeURIComponent decodeURI JSON.stringify",
    STRING,
  ],
  [
    "indexOf lastIndexOf findIndex findLastIndex charCodeAt search localeCompare getTime getFullYear getMonth getDate " +
      "getDay getHours getMinutes getSeconds getMilliseconds getUTCFullYear getUTCMonth getUTCDate getUTCDay getUTCHours " +
      "getUTCMinutes getUTCSeconds getUTCMilliseconds getTimezoneOffset push unshift valueOf Number parseInt parseFloat Number.parseInt " +
      "Number.parseFloat Date.parse Date.UTC",
    NUMBER,
  ],
  [
    "includes startsWith endsWith some every test has delete Boolean isNaN isFinite Number.isInteger Number.isNaN " +
      "Number.isFinite Number.isSafeInteger Array.isArray Object.hasOwn URL.canParse",
    BOOLEAN,
  ],
  ["BigInt BigInt.asIntN BigInt.asUintN", BIGINT],
  ["split Object.keys getAll", STRINGS],
  ["map flatMap flat match matchAll Object.entries Object.values Array.from formatToParts", LIST],
];

const RESULTS: ReadonlyMap<string, Shape> = new Map(
  SHAPES_OF_RESULTS.flatMap(([names, shape]) => names.split(" ").map((name) => [name, shape] as const)),
);

/** Methods of lists whose result has items of the same list. */
export const SAME_ITEMS = /^(?:filter|sort|toSorted|reverse|toReversed|slice|splice|copyWithin|concat|with|toSpliced)$/;

/** Methods of lists whose result is one of the items. */
export const ONE_ITEM = /^(?:find|findLast|at|pop|shift)$/;

/** @param start The type of the second argument, with which `.reduce` starts. */
export function shapeOfCall(own: Shape, name: string, start?: Shape): Shape {
  const kind = kindOfResult(own);
  if (SAME_ITEMS.test(name)) return kind === "text" || kind === "list" ? own : Shape.UNKNOWN;
  if (ONE_ITEM.test(name)) return kind === "text" ? STRING : own.items();
  if (/^reduce(?:Right)?$/.test(name)) return start ?? own.items();
  if (kind === "date" && name.startsWith("set")) return NUMBER;
  return RESULTS.get(name) ?? Shape.UNKNOWN;
}

/** The type of an object after a change, by the last of the change's names. */
export function shapeOfChange(own: Shape, name = ""): Shape {
  if (kindOfResult(own) !== "list") return own;
  return ADDS_NOTHING.test(name) ? Shape.listing(own.items()) : LIST;
}

/** Methods that change lists and after which all items were there before. */
export const ADDS_NOTHING = /^(?:copyWithin|pop|reverse|shift|sort)$/;

/** @param of The type of the first argument. */
export function shapeOfBuiltin(name: string, of: Shape = Shape.UNKNOWN): Shape {
  if (name === "Object.values") return Shape.listing(valuesOf(of));
  if (name === "Object.entries") return Shape.listing(Shape.tuple([STRING, valuesOf(of)]));
  if (name === "Array.from" && kindOfResult(of) === "list") return of;
  return name.startsWith("Math.") ? NUMBER : (RESULTS.get(name) ?? Shape.UNKNOWN);
}

/** The type of `new URL(…).name`. */
export function shapeOfUrlMember(name: string): Shape {
  return name !== "searchParams" && isProperty("URL", name) ? STRING : Shape.UNKNOWN;
}

/** The type of a record's members. */
function valuesOf(shape: Shape): Shape {
  return shape.names.length === 0 ? (shape.member("") ?? Shape.UNKNOWN) : Shape.UNKNOWN;
}

export function shapeOfBinary(operator: string, left: Shape, right: Shape): Shape {
  if (/^(?:[!=]==?|[<>]=?|in|instanceof)$/.test(operator)) return BOOLEAN;
  const kinds = [kindOfResult(left), kindOfResult(right)];
  if (/^(?:&&|\|\||\?\?)$/.test(operator)) return kinds[0] === kinds[1] ? left : Shape.UNKNOWN;
  if (operator !== "+") return isBigint(left) || isBigint(right) ? BIGINT : NUMBER;
  if (kinds.includes("text")) return STRING;
  if (kinds.every((kind) => kind === "bigint")) return BIGINT;
  return kinds.every((kind) => kind === "number" || kind === "flag") ? NUMBER : Shape.UNKNOWN;
}

/** Whether it is certainly a bigint: then so is the other operand of arithmetic, or the operation throws. */
export function isBigint(shape: Shape): boolean {
  return kindOfResult(shape) === "bigint";
}

/** The type of a value that has one type or the other. */
export function eitherShape(one: Shape, other: Shape): Shape {
  const kind = kindOfResult(one);
  if (one === other) return one;
  if (kind === "unknown" || kind !== kindOfResult(other)) return Shape.UNKNOWN;
  if (kind === "list") return Shape.listing(eitherShape(one.items(), other.items()));
  return Shape.of({ anyOf: [...one.kinds, ...other.kinds] });
}

/** The type of a result, as far as it is a single one. */
export type ResultKind = "text" | "number" | "flag" | "date" | "bigint" | "list" | "unknown";

export function kindOfResult(shape: Shape): ResultKind {
  const kinds = new Set(
    shape.kinds.flatMap(({ type, "x-javascript": javaScript }) =>
      type === undefined || type === "null" ? [] : [javaScript ?? type],
    ),
  );
  if (kinds.size !== 1) return "unknown";
  const [kind] = kinds;
  return kind === undefined || kind === "object" ? "unknown" : RESULT_KINDS[kind];
}

const RESULT_KINDS = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "flag",
  array: "list",
  Date: "date",
  bigint: "bigint",
} as const;

/** The types of what an expression refers to. */
export interface Types {
  readonly variable: (variable: VariableExpression) => Shape;
  readonly parameters?: ReadonlyMap<string, Shape>;
}

export function shapeOfExpression(expression: Expression, types: Types): Shape {
  const of = (part: Expression): Shape => shapeOfExpression(part, types);
  switch (expression.kind) {
    case "variable":
      return types.variable(expression);
    case "parameter":
      return types.parameters?.get(expression.name) ?? Shape.UNKNOWN;
    case "value":
      return SHAPES_OF_VALUES.get(typeof expression.value) ?? Shape.of({ const: expression.value });
    case "text":
    case "child":
      return STRING;
    case "index":
      return NUMBER;
    case "unary":
      if (isBigint(of(expression.of)) && /^[-~]$/.test(expression.operator)) return BIGINT;
      return { "!": BOOLEAN, typeof: STRING }[expression.operator] ?? NUMBER;
    case "binary":
      return shapeOfBinary(expression.operator, of(expression.left), of(expression.right));
    case "if":
      return eitherShape(of(expression.yes), of(expression.no));
    case "try":
      return eitherShape(of(expression.of), of(expression.otherwise));
    case "list": {
      const [only, ...others] = expression.items;
      return only?.kind === "spread" && others.length === 0 ? of(only.of) : LIST;
    }
    case "object":
      return shapeOfObject(expression.members, of);
    case "member":
      if (typeof expression.name === "string" && isNewUrl(expression.of)) return shapeOfUrlMember(expression.name);
      if (typeof expression.name === "string")
        return expression.name === "length" ? NUMBER : (of(expression.of).member(expression.name) ?? Shape.UNKNOWN);
      return of(expression.of).items(expression.name);
    case "item":
      return of(expression.of).items();
    case "call":
      return shapeOfCallee(expression, types);
    case "change":
      return shapeOfChange(of(expression.of), expression.names.at(-1));
    case "name":
    case "pattern":
    case "package":
    case "spread":
    case "function":
    default:
      return Shape.UNKNOWN;
  }
}

/** Not the value itself: `.reduce` starts with it, and `?:` may also return the other one. */
const SHAPES_OF_VALUES = new Map([
  ["string", STRING],
  ["number", NUMBER],
  ["boolean", BOOLEAN],
]);

function isNewUrl(expression: Expression): boolean {
  if (expression.kind === "change") return isNewUrl(expression.of);
  if (expression.kind === "if") return isNewUrl(expression.yes);
  const { callee } = expression.kind === "call" ? expression : { callee: undefined };
  return callee?.kind === "name" && callee.name === "URL";
}

function shapeOfObject(members: readonly ObjectMember[], of: (part: Expression) => Shape): Shape {
  const named: [string, Shape][] = [];
  for (const member of members) {
    if ("kind" in member || typeof member[0] !== "string") return Shape.UNKNOWN;
    named.push([member[0], of(member[1])]);
  }
  return Shape.holding(Object.fromEntries(named));
}

function shapeOfCallee({ callee, args, isNew }: Extract<Expression, { kind: "call" }>, types: Types): Shape {
  const [first, second] = args;
  if (callee.kind === "name" && callee.name === "Date") return isNew ? DATE : STRING;
  if (callee.kind === "name") return shapeOfBuiltin(callee.name, first && shapeOfExpression(first, types));
  if (callee.kind !== "member" || typeof callee.name !== "string") return Shape.UNKNOWN;
  const own = shapeOfExpression(callee.of, types);
  if (callee.name === "map" && first?.kind === "function") {
    const [item = ""] = first.parameters;
    const parameters = new Map([...(types.parameters ?? []), [item, own.items()]]);
    return Shape.listing(shapeOfExpression(first.body, { ...types, parameters }));
  }
  return shapeOfCall(own, callee.name, second && shapeOfExpression(second, types));
}

/** Methods that may have no result. */
export const NO_RESULT = /^(?:at|find|findLast|pop|shift|match|exec|get|codePointAt)$/;

/**
 * Whether a result may be nothing, because a variable is, or because an operation may find nothing.
 *
 * @param mayBeAbsent Whether a variable may be absent.
 */
export function mayBeNothing(expression: Expression, mayBeAbsent: (variable: VariableExpression) => boolean): boolean {
  const may = (part: Expression): boolean => mayBeNothing(part, mayBeAbsent);
  /** The same for a part that is only evaluated after a test of variables. */
  const mayAfter = (test: Expression, part: Expression): boolean => {
    const tested = new Set(variablesIn(test).map((variable) => JSON.stringify(variable)));
    return mayBeNothing(part, (variable) => !tested.has(JSON.stringify(variable)) && mayBeAbsent(variable));
  };
  switch (expression.kind) {
    case "variable":
      return mayBeAbsent(expression);
    case "value":
      return expression.value === null;
    case "name":
      return expression.name === "undefined";
    case "if":
      return [expression.yes, expression.no].some((part) => mayAfter(expression.test, part));
    case "try":
      return may(expression.of) || may(expression.otherwise);
    case "binary": {
      const { operator, left, right } = expression;
      if (/^(?:[!=]==?|in)$/.test(operator)) return false;
      if (operator === "??" || operator === "||") return may(right);
      return may(left) || (operator === "&&" ? mayAfter(left, right) : may(right));
    }
    case "member":
      return typeof expression.name !== "string" || may(expression.of);
    case "item":
      return true;
    case "call": {
      const { callee, args } = expression;
      if (callee.kind === "member" && typeof callee.name === "string" && NO_RESULT.test(callee.name)) return true;
      return may(callee) || args.some((arg) => !isConstant(arg) && may(arg));
    }
    case "change":
      return may(expression.of) || expression.args.some((arg) => !isConstant(arg) && may(arg));
    case "function":
    case "list":
    case "object":
      return false;
    case "pattern":
    case "index":
    case "parameter":
    case "package":
    case "spread":
    case "unary":
    case "text":
    case "child":
    default:
      return operandsOf(expression).some(may);
  }
}

/** `undefined` as an argument is a choice. */
function isConstant({ kind }: Expression): boolean {
  return kind === "name" || kind === "value";
}

function variablesIn(expression: Expression): VariableExpression[] {
  return expression.kind === "variable" ? [expression] : operandsOf(expression).flatMap(variablesIn);
}
