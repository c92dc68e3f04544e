import { childText } from "../../../mustache/expression/child-text.js";
import { Shape } from "../../../mustache/shape.js";
import { indexIn } from "./expression.js";
import { agrees } from "./facts.js";
import { type Count, countValue, isCount } from "./loops.js";
import { tokenOf, usedAt } from "./paths.js";
import { located, rendering } from "./rendering.js";
import { piecesOf, replaceValues, symbolicOf } from "./strings.js";
import { type AccessPath, isElement, isPlain, isReference, represented } from "./symbolic.js";
import { datesIn } from "./written-dates.js";

/** A variable or a count among a function's arguments. */
export interface SymbolicArgument {
  readonly symbolic: AccessPath | Count;
  readonly value: object;
  readonly key: string;
}

/** Real values by the `key` of the stand-in that they replace. */
export type ConcreteValues = ReadonlyMap<string, unknown>;

/** Whether real values can replace all variables among values: not in a string with sections, or in a list that was mapped. */
export function canSubstituteIn(values: readonly unknown[]): boolean {
  return readArguments(values).isFillable;
}

/** Each variable among values once; none if one of them is a string with sections, which can't be filled in here. */
export function symbolicArgumentsIn(values: readonly unknown[]): SymbolicArgument[] {
  const { byKey, isFillable } = readArguments(values);
  const standIns = [...byKey.values()];
  return isFillable ? standIns.filter(({ symbolic }) => symbolic.kind !== "path" || !isWithin(symbolic, byKey)) : [];
}

function readArguments(values: readonly unknown[]) {
  const byKey = new Map<string, SymbolicArgument>();
  let isFillable = true;
  const add = (symbolic: AccessPath | Count, value: object): void => {
    byKey.set(keyOf(symbolic), { symbolic, value, key: keyOf(symbolic) });
  };
  const visit = (value: unknown): void => {
    const symbolic = symbolicOf(value);
    if (symbolic?.kind === "path") add(symbolic, usedAt(symbolic, symbolic.site));
    else if (isCount(symbolic)) add(symbolic, countValue(symbolic, symbolic.site));
    else if (symbolic?.kind === "text") {
      for (const { meaning } of piecesOf(symbolic.text)) {
        if (meaning?.kind === "value") add(meaning.path, usedAt(meaning.path, meaning.path.site));
        else if (meaning) isFillable = false;
      }
    } else if (symbolic) isFillable = false;
    else if (Array.isArray(value) || isPlain(value)) Object.values(value).forEach(visit);
  };
  values.forEach(visit);
  return { byKey, isFillable };
}

/** Whether an object that contains the variable is included too. */
function isWithin(path: AccessPath, byKey: ReadonlyMap<string, unknown>): boolean {
  return path.names.some((_name, index) => byKey.has(keyOf(path.with({ names: path.names.slice(0, index) }))));
}

/** Converts variables that are certainly strings to tokens, because code can do more with a string than with an object. */
export function tokenized<T>(value: T): T;
export function tokenized(value: unknown): unknown {
  const symbolic = represented(value);
  if (symbolic?.kind === "path" && symbolic.isOnly("string")) return tokenOf(located(symbolic));
  if (symbolic) return value;
  if (Array.isArray(value)) return value.map((each) => tokenized(each));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tokenized(each)]));
}

export function substituteIn<T>(value: T, values: ConcreteValues): T;
export function substituteIn(value: unknown, values: ConcreteValues): unknown {
  const symbolic = symbolicOf(value);
  if (symbolic?.kind === "path") return replaced(symbolic, values, value);
  if (isCount(symbolic)) return values.has(keyOf(symbolic)) ? values.get(keyOf(symbolic)) : value;
  if (symbolic?.kind === "text") return fillIn(symbolic.text, values);
  if (Array.isArray(value)) return value.map((each) => substituteIn(each, values));
  if (!isPlain(value) && !isElement(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, substituteIn(each, values)]));
}

function replaced(path: AccessPath, values: ConcreteValues, fallback: unknown): unknown {
  const [name = "", ...members] = path.names;
  const printed = members.length === 0 ? rendering().computed.printed.get(name) : undefined;
  const found = findValue(printed ?? path, values);
  if (!found) return fallback;
  return printed ? childText(found.value) : found.value;
}

/** The value of a variable, or a member of that of an object that contains it. */
function findValue(path: AccessPath, values: ConcreteValues): { readonly value: unknown } | undefined {
  for (let depth = path.names.length; depth >= 0; depth -= 1) {
    const key = keyOf(path.with({ names: path.names.slice(0, depth) }));
    if (values.has(key)) return { value: path.names.slice(depth).reduce(memberOf, values.get(key)) };
  }
  return undefined;
}

function memberOf(value: unknown, name: string): unknown {
  const index = indexIn(name);
  if (index !== undefined) return Array.isArray(value) ? value.at(index) : undefined;
  return isReference(value) ? Reflect.get(value, name.replace(/^\[|\]$/g, "")) : undefined;
}

/** A string filled in as Mustache does. */
export function fillIn(
  text: string,
  values: ConcreteValues,
  escape: (value: string) => string = (value) => value,
): string {
  return replaceValues(text, (path, token, raw) => {
    const value = [replaced(path, values, token)].join("");
    return raw ? value : escape(value);
  });
}

function keyOf(symbolic: AccessPath | Count): string {
  if (symbolic.kind === "path") return symbolic.key;
  if (symbolic.kind === "position") return `position ${symbolic.loop.id} ${symbolic.offset}`;
  // A length that is printed is a variable.
  if (isPlainLength(symbolic)) return symbolic.of.with({ names: [...symbolic.of.names, "[length]"] }).key;
  const slice = symbolic.kind === "length" ? JSON.stringify(symbolic.slice) : "";
  return `${symbolic.kind} ${symbolic.of.key} ${symbolic.offset} ${slice}`;
}

function isPlainLength(count: Count): boolean {
  return count.kind === "length" && count.offset === 0 && count.slice.skipped === 0 && count.slice.limits.length === 0;
}

/*
 * Values that distinguish a function that only prints a variable from one that computes with it: one of each sort that such
 * functions treat differently.
 */

const NUMBERS = [2, 1, 0, 3, 5, 10, 11, 21, 100, -1, -2.5, 0.5, 1.005, 1234567.891];

const COUNTS = NUMBERS.filter((each) => Number.isInteger(each) && each >= 0);

const STRINGS = [
  "abc",
  "",
  "a",
  "Abc",
  "ABC",
  "ann lee's  new-name_2",
  " in spaces ",
  `long ${"and longer ".repeat(40)}`,
  'Tom & "Jerry" <b title="x">\'x\'</b> &amp; é ß 😀',
  "# One\n\n**two** _three_ `four` [five](https://example.com) {six} %s $& $1",
  "https://Example.com/a b?c=d&e=%20f",
  "ann@example.com",
  "p-4 font-bold text-red-500",
  "1",
  "42",
  "1234.5",
  "2024-02-03",
  "2024-02-03T04:05:06.000Z",
  "America/New_York", // next to a moment, which functions take together with a time zone
  "#ff0000",
  "24px",
  "12px 20px",
  "true",
];

const DATES = ["2024-02-03T04:05:06.000Z", "2031-11-30T23:59:59.999Z", "1999-01-01T00:00:00Z"];

/** Examples of strings with a required format. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ["2024-02-03", "2031-11-30", "1999-01-01"],
  "date-time": DATES,
  email: ["ann@example.com", "Ann.O'Lee+x@Mail.Example.com"],
  uri: ["https://example.com/a", "https://Example.com", "http://example.com/%20b?c=d&e=f#g"],
};

const DEEPEST = 4;

/** Values that variables may have, the most common first. */
export type Probes = ReadonlyMap<SymbolicArgument, readonly unknown[]>;

/**
 * @param code The code that is tried with them, for the literals that it may compare with.
 * @param args What it is called with, possibly with the format of dates.
 */
export function probesFor(standIns: readonly SymbolicArgument[], code: string, args: readonly unknown[] = []): Probes {
  const dates = args.flatMap((each) => (isString(each) && !symbolicOf(each) ? datesIn(each) : []));
  return new Map(standIns.map((standIn) => [standIn, probesOf(standIn, code, dates)]));
}

/** The values that variables have while another variable is tried. */
export function defaultsOf(probes: Probes): ConcreteValues {
  return new Map([...probes].flatMap(([{ key }, values]) => (values.length > 0 ? [[key, values[0]] as const] : [])));
}

function probesOf({ symbolic }: SymbolicArgument, code: string, dates: readonly string[]): readonly unknown[] {
  if (symbolic.kind === "path") {
    const own = symbolic.mayBe("string") && !symbolic.literals ? dates : [];
    const values = [...own, ...probesOfPath(symbolic, literalsIn(code)), ...comparedValues(symbolic)];
    return values.filter((value) => isPossible(symbolic, value));
  }
  const counts = COUNTS.filter((each) => each >= symbolic.offset);
  if (symbolic.kind === "position") return counts;
  const { of, offset } = symbolic;
  const lengthOf = (length: number): unknown => (of.isOnly("string") ? "x".repeat(length) : Array.from({ length }));
  return counts.filter((each) => isPossible(of, lengthOf(each - offset)));
}

/** Whether a variable may have a value, given the known facts. */
function isPossible(path: AccessPath, value: unknown): boolean {
  return rendering()
    .facts.about(path)
    .every((fact) => agrees(fact, value));
}

/** The values that a variable was compared with, so that few values suffice. */
function comparedValues(path: AccessPath): readonly unknown[] {
  return rendering()
    .facts.about(path)
    .flatMap(({ question }): readonly unknown[] => {
      if (question.kind === "equals") return [question.value];
      if (question.kind === "compares") return [question.value, question.value + 1, question.value - 1];
      const isOfLength = question.kind === "has-at-least" || question.kind === "has-exactly";
      return isOfLength && path.isOnly("string") ? ["xY".repeat(question.count).slice(0, question.count)] : [];
    });
}

function probesOfPath(path: AccessPath, literals: readonly (string | number)[]): readonly unknown[] {
  const named = path.literals;
  const missing = path.mayBeMissing ? [...(path.optional ? [undefined] : []), null] : [];
  return [...(named ?? probesOfShape(path.shape, literals)), ...missing];
}

function probesOfShape(shape: Shape, literals: readonly (string | number)[], depth = 0): readonly unknown[] {
  if (shape.kinds.length === 0) return [...STRINGS, ...NUMBERS, ...literals];
  return shape.kinds.flatMap((kind): readonly unknown[] => {
    if (kind.const !== undefined) return [kind.const];
    if (kind.enum) return kind.enum;
    if (kind["x-javascript"] === "Date") return DATES.map((date) => new Date(date));
    if (kind["x-javascript"] === "bigint") return NUMBERS.filter(Number.isInteger).map(BigInt);
    if (kind.type === "string") return FORMATS[kind.format ?? ""] ?? [...STRINGS, ...literals.filter(isString)];
    if (kind.type === "number") return [...NUMBERS, ...literals.filter(isNumber)];
    if (kind.type === "integer") return [...NUMBERS, ...literals.filter(isNumber)].filter(Number.isInteger);
    if (kind.type === "boolean") return [true, false];
    if (depth >= DEEPEST) return [];
    if (kind.type === "array") {
      const [first, second = first, third = first] = probesOfShape(shape.items(), literals, depth + 1);
      return [[first, second], [first], [], [third, second, first]];
    }
    return kind.properties ? objectsOf(shape, literals, depth) : [];
  });
}

/** Objects that together contain every value of each member. */
function objectsOf(shape: Shape, literals: readonly (string | number)[], depth: number): readonly unknown[] {
  const members = shape.names.map(
    (name) => [name, probesOfShape(shape.member(name) ?? Shape.UNKNOWN, literals, depth + 1)] as const,
  );
  const count = Math.max(1, ...members.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(members.map(([name, values]) => [name, values[index % values.length]])),
  );
}

const MOST_LITERALS = 30;

function literalsIn(code: string): readonly (string | number)[] {
  const cached = literals.get(code);
  if (cached) return cached;
  const texts = Array.from(code.matchAll(/(["'`])([^"'`\\\n$]{1,40})\1/g), ([, , text = ""]) => text);
  const numbers = Array.from(code.matchAll(/(?<![\w.$])\d+(?:\.\d+)?(?![\w.$])/g), ([number]) => Number(number));
  const values = [...new Set([...texts, ...numbers])].slice(0, MOST_LITERALS);
  literals.set(code, values);
  return values;
}

const literals = new Map<string, readonly (string | number)[]>();

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: string | number): value is number {
  return typeof value === "number";
}
