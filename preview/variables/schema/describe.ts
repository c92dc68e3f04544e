import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { kindOf, kindOfValue, valuesOf, waysOf } from "./resolve.js";

const kinds = {
  text: "a string",
  number: "a number",
  boolean: "true or false",
  null: "null",
  list: "a list",
  object: "an object",
  any: "anything",
  choice: "",
} as const;

/** `Expected a number, found a string.` */
export function expected(schema: VariablesSchema, root: VariablesSchema, value: unknown): string {
  const ways = waysOf(schema, root);
  const choices = ways.flatMap(valuesOf);
  if (choices.length > 1 && ways.every((way) => kindOf(way) === "choice")) return `Expected one of ${listed(choices)}.`;
  const words = [
    ...new Set(
      ways.flatMap((way) =>
        kindOf(way) === "choice" ? valuesOf(way).map((each) => JSON.stringify(each)) : describeKind(way),
      ),
    ),
  ];
  const actual = kindOfValue(value);
  const isEmpty = Array.isArray(value) && value.length === 0;
  const isSaid = choices.length > 0 || (actual === "number" && ways.some(({ type }) => type === "integer"));
  return `Expected ${words.join(" or ")}${isSaid ? "" : `, found ${isEmpty ? "an empty list" : kinds[actual]}`}.`;
}

/** `a string`, `a whole number`. */
export function describeKind(schema: VariablesSchema): string {
  return schema.type === "integer" ? "a whole number" : kinds[kindOf(schema)];
}

const MOST_LISTED = 6;

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_LISTED).map((value) => JSON.stringify(value));
  return shown.join(", ") + (values.length > MOST_LISTED ? ", …" : "");
}

const formats: Readonly<Record<string, string>> = {
  date: "Expected a date, such as 2026-11-22.",
  "date-time": "Expected a date and time, such as 2026-11-22T09:30:00Z.",
  time: "Expected a time, such as 09:30:00.",
  email: "Expected an email address.",
  uri: "Expected a URL, such as https://example.com/.",
  uuid: "Expected a UUID.",
};

/** Undefined if the value is accepted all the same: a date is accepted as a date and time. */
export function formatProblem(format: string | undefined, value: unknown): string | undefined {
  const isDate = typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value));
  if (format === "date-time" && isDate) return undefined;
  return formats[format ?? ""] ?? `Expected a string in the format ${format}.`;
}
