import { expect, test } from "vitest";
import { BIGINT_SCHEMA } from "../../../src/mustache/javascript-values.js";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { checkVariables } from "../../../preview/variables/schema/check.js";
import { findingsIn, readJson } from "../../../preview/variables/json/read.js";
import { examples } from "./variables-schemas.js";
import * as fc from "fast-check";

const text: VariablesSchema = { type: "string" };
const card: VariablesSchema = {
  type: "object",
  required: ["kind", "last4"],
  properties: { kind: { const: "card" }, last4: text },
};
const transfer: VariablesSchema = {
  type: "object",
  required: ["kind", "iban"],
  properties: { kind: { const: "transfer" }, iban: text },
};

const cases: [what: string, part: VariablesSchema, value: unknown, path: (string | number)[], message: string][] = [
  ["a kind", { type: "number" }, "4", [], "Expected a number, found a string."],
  ["a whole number", { type: "integer" }, 1.5, [], "Expected a whole number."],
  [
    "one of several kinds",
    { anyOf: [text, { type: "number" }, { type: "null" }] },
    [],
    [],
    "Expected a string or a number or null, found an empty list.",
  ],
  ["a choice", { enum: ["open", "paid"] }, "late", [], 'Expected one of "open", "paid".'],
  ["a choice of literals", { anyOf: [{ const: "a" }, { const: "b" }] }, "c", [], 'Expected one of "a", "b".'],
  ["a choice or null", { anyOf: [{ enum: ["a"] }, { type: "null" }] }, "c", [], 'Expected "a" or null.'],
  ["a date", { type: "string", format: "date" }, "soon", [], "Expected a date, such as 2026-11-22."],
  ["an email address", { type: "string", format: "email" }, "ada", [], "Expected an email address."],
  ["a missing member", { type: "object", required: ["city"], properties: { city: text } }, {}, ["city"], "Required."],
  ["an item", { type: "array", items: text }, ["a", 1], [1], "Expected a string, found a number."],
  [
    "an entry of an object with arbitrary names",
    { type: "object", additionalProperties: text },
    { "a/b": 1 },
    ["a/b"],
    "Expected a string, found a number.",
  ],
  [
    "a name that a strict object does not allow",
    { type: "object", additionalProperties: false },
    { x: 1 },
    ["x"],
    "Not a variable of the template.",
  ],
  ["the branch that is meant", { anyOf: [card, transfer] }, { kind: "transfer" }, ["iban"], "Required."],
  [
    "the branch of a oneOf",
    { oneOf: [card, transfer] },
    { kind: "card", last4: 4 },
    ["last4"],
    "Expected a string, found a number.",
  ],
  ["something behind a reference", { $ref: "#/$defs/name" }, 4, [], "Expected a string, found a number."],
];

test.each(cases)("reports where %s does not fit and what is expected", (_, part, value, path, message) => {
  const schema: VariablesSchema = { type: "object", properties: { it: part }, $defs: { name: text } };
  expect(checkVariables(schema, { it: value })).toEqual([{ path: ["it", ...path], message }]);
});

test("accepts a date if the schema requires date and time, as the server does", () => {
  const schema: VariablesSchema = { type: "object", properties: { at: { type: "string", format: "date-time" } } };
  expect(checkVariables(schema, { at: "2026-11-22" })).toEqual([]);
  expect(checkVariables(schema, { at: "tomorrow" })).toHaveLength(1);
});

test("accepts digits and whole numbers for a bigint", () => {
  const schema: VariablesSchema = { type: "object", properties: { count: BIGINT_SCHEMA } };
  for (const count of ["-12345678901234567890", 5]) expect(checkVariables(schema, { count })).toEqual([]);
  expect(checkVariables(schema, { count: "1.5" })).toEqual([
    { path: ["count"], message: "Expected a whole number, such as 1250." },
  ]);
});

test("reports nothing about variables that fit, and does not change the schema", () => {
  fc.assert(
    fc.property(examples, ({ schema, variables }) => {
      const before = JSON.stringify(schema);
      expect(checkVariables(schema, variables)).toEqual([]);
      expect(JSON.stringify(schema)).toBe(before);
    }),
  );
});

test("reports the problem of any value at a place that exists", () => {
  fc.assert(
    fc.property(examples, fc.jsonValue({ maxDepth: 3 }), ({ schema }, value) => {
      for (const { path, message } of checkVariables(schema, value)) {
        expect(message).toMatch(/^[A-Z].*\.$/s);
        expect(path.every((step) => typeof step === "string" || Number.isInteger(step))).toBe(true);
      }
    }),
  );
});

test("marks a problem at its member in the JSON, or at the bracket of the value without the member", () => {
  const json = '{\n  "lines": [{ "price": "4" }]\n}';
  const marks = findingsIn(json, [
    { path: ["lines", 0, "price"], message: "Expected a number." },
    { path: ["lines", 0, "name"], message: "Required." },
  ]);
  expect(marks.map(({ from, to, line, column, message }) => [json.slice(from, to), line, column, message])).toEqual([
    ['"4"', 2, 24, "lines[0].price: Expected a number."],
    ["{", 2, 13, "lines[0].name: Required."],
  ]);
});

test.each([
  ['{ "a": }', 1, 8, `Expected a value, found "}".`],
  ['{ "a": 1, }', 1, 9, 'Trailing comma before "}".'],
  ["{\n  'a': 1\n}", 2, 3, "Names and strings need double quotes."],
  ["[1]", 1, 1, "Variables must be an object, { … }, not a list."],
  ["", 1, 1, "The file ends where a value is expected."],
])("reports why %j is not valid variables, and where", (json, line, column, message) => {
  expect(readJson(json).problem).toMatchObject({ line, column, message });
  expect(findingsIn(json, [])).toMatchObject([{ line, column, message }]);
});
