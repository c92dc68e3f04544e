import { expect } from "vitest";
import { evaluate, ExpressionError } from "../../../src/mustache/expression/evaluate.js";
import { expressionOfSource } from "./expression-of-source.js";

export const CONTEXT = { locale: "en-US", timeZone: "UTC" };

/** What JavaScript itself makes of a source. */
export function nativeResult(source: string, variables: Readonly<Record<string, unknown>>): unknown {
  // oxlint-disable-next-line typescript/no-implied-eval -- the comparison
  const compiled = new Function(...Object.keys(variables), `return (${source});`);
  const copies = new Map<unknown, unknown>(); // Methods such as `sort` change their list.
  for (const value of Object.values(variables)) if (Array.isArray(value)) copies.set(value, value.slice());
  return outcome(() =>
    Reflect.apply(
      compiled,
      undefined,
      Object.values(variables).map((value) => copies.get(value) ?? value),
    ),
  );
}

export function evaluatedResult(source: string, variables: Readonly<Record<string, unknown>>): unknown {
  return outcome(() => evaluate(expressionOfSource(source), [variables], [0], CONTEXT));
}

export function expectSame(source: string, variables: Readonly<Record<string, unknown>> = {}): void {
  expect(evaluatedResult(source, variables), source).toEqual(nativeResult(source, variables));
}

export function outcome(work: () => unknown): unknown {
  try {
    return described(work());
  } catch (error) {
    if (error instanceof ExpressionError && error.code !== "throws") return `${error.code}: ${error.message}`;
    return "throws";
  }
}

/** A value as strings, in which values that differ for JavaScript differ, such as 0 and -0. */
export function described(value: unknown): unknown {
  if (Object.is(value, -0)) return "number -0";
  if (typeof value !== "object" || value === null)
    return typeof value === "function" ? "function" : `${typeof value} ${String(value)}`;
  if (value instanceof Date) return `Date ${value.getTime()}`;
  if (value instanceof RegExp) return `RegExp ${String(value)}`;
  if (value instanceof Set || value instanceof Map) return [value.constructor.name, ...Array.from(value, described)];
  const entries = Object.entries(value).map(([name, member]) => [name, described(member)]);
  return Array.isArray(value) ? [value.length, ...entries] : { entries };
}
