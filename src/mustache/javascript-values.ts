import { Shape } from "./shape.js";
import type { Variables, VariablesContract, VariablesSchema } from "./variables.js";
import { isPlainObject } from "../values.js";

/*
 * Variables may be dates and bigints, which JSON lacks. In fixtures and in what is sent they are strings, and their schema says
 * what JavaScript has instead.
 */

/** In JSON, a date is an ISO 8601 string. */
export const DATE_SCHEMA = {
  type: "string",
  format: "date-time",
  "x-javascript": "Date",
} as const satisfies VariablesSchema;

/** In JSON, a bigint is a string of digits. */
export const BIGINT_SCHEMA = {
  type: "string",
  format: "bigint",
  "x-javascript": "bigint",
} as const satisfies VariablesSchema;

/**
 * Variables with dates and bigints instead of the strings that JSON has for them.
 *
 * @example
 * const input = { type: "object", properties: { placedAt: DATE_SCHEMA } };
 * readJavaScript({ placedAt: "2026-03-14T09:30:00Z" }, { input, conditions: [] }); // { placedAt: new Date("2026-03-14T09:30:00Z") }
 *
 * What already is a date or a bigint stays unchanged, and so does a string that is neither, or that may be meant as a string.
 */
export function readJavaScript(
  variables: Variables,
  contract: Pick<VariablesContract, "input" | "derived">,
): Variables {
  return hasJavaScript(contract) ? membersRead(variables, Shape.ofFilled(contract)) : variables;
}

const known = new WeakMap<object, boolean>();

/** Whether some of a contract's variables are dates or bigints. */
export function hasJavaScript(contract: Pick<VariablesContract, "input" | "derived">): boolean {
  let has = known.get(contract);
  if (has === undefined) {
    has = JSON.stringify([contract.input, contract.derived]).includes('"x-javascript"');
    known.set(contract, has);
  }
  return has;
}

function membersRead(object: Variables, shape: Shape): Variables {
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, read(member, shape.member(name) ?? Shape.UNKNOWN)]),
  );
}

function read(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item, index) => read(item, shape.items(index)));
  if (isPlainObject(value)) return membersRead(value, shape);
  if (!shape.isKnown || shape.kinds.some((kind) => isScalarOf(kind, value))) return value;
  for (const kind of shape.kinds) {
    const converted = asJavaScript(value, kind);
    if (converted !== undefined) return converted;
  }
  return value;
}

/** Whether a string or a number is one in JavaScript, too. */
function isScalarOf(
  { type, enum: values, const: value, "x-javascript": javaScript }: VariablesSchema,
  scalar: unknown,
): boolean {
  if (javaScript) return false;
  if (values || value !== undefined) return (values ?? [value]).some((each) => each === scalar);
  return type === typeof scalar || (type === "integer" && Number.isInteger(scalar));
}

/** A value as the date or bigint that a schema declares; undefined if it can't be one. */
export function asJavaScript(value: unknown, { "x-javascript": kind }: VariablesSchema): Date | bigint | undefined {
  if (kind === "Date") return asDate(value);
  return kind === "bigint" ? asBigint(value) : undefined;
}

const ISO = /^((?:[+-]\d{2})?\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** A valid date, also from a day or from a time with its time zone: without one, it would depend on the machine. */
function asDate(value: unknown): Date | undefined {
  const text = typeof value === "string" ? ISO.exec(value) : undefined;
  const date = text ? new Date(text[0]) : value;
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) return undefined;
  return text && !isDay(text[1] ?? "") ? undefined : date;
}

/** JavaScript reads February 30 as March 2. */
function isDay(text: string): boolean {
  const day = new Date(text);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Numbers are accepted as long as they are exact. */
function asBigint(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : undefined;
}

/** Whether a value is one that JSON has as a string. */
export function isJavaScript(value: unknown): value is Date | bigint {
  return typeof value === "bigint" || (value instanceof Date && !Number.isNaN(value.getTime()));
}

/** Variables as JSON has them: with strings for dates and bigints. */
export function writeJson(variables: Variables): Variables;
export function writeJson(value: unknown): unknown;
export function writeJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => writeJson(item));
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, writeJson(member)]));
  return isJavaScript(value) ? jsonOf(value) : value;
}

export function jsonOf(value: Date | bigint): string {
  return typeof value === "bigint" ? String(value) : value.toISOString();
}
