import { lookUp, printed, toPath } from "./lookup.js";
import type { Question } from "./variables.js";

/**
 * Evaluates a condition on a value.
 *
 * @example
 * holds({ kind: "compares", operator: ">", value: 3 }, 4); // true
 */
export function holds(question: Question, value: unknown): boolean {
  switch (question.kind) {
    case "present":
      return value !== undefined && value !== null;
    case "has-items":
      return Array.isArray(value) && value.length > 0;
    case "has-at-least":
      return hasLength(value) && value.length >= question.count;
    case "has-exactly":
      return hasLength(value) && value.length === question.count;
    case "truthy":
      return Boolean(value);
    case "empty":
      return printed(value) === "";
    case "equals":
      return (value ?? null) === question.value;
    case "compares":
      return typeof value === "number" && ORDERS[question.operator](value, question.value);
    case "some":
      return Array.isArray(value) && value.some((item) => holds(question.test, within(item, question.path)));
    case "every":
    default:
      return Array.isArray(value) && value.every((item) => holds(question.test, within(item, question.path)));
  }
}

function hasLength(value: unknown): value is readonly unknown[] | string {
  return Array.isArray(value) || typeof value === "string";
}

const ORDERS = {
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
} as const;

function within(item: unknown, path: string): unknown {
  return lookUp({ value: item, outer: undefined }, toPath(path));
}
