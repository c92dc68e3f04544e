import { expect, test } from "vitest";
import { isComputed } from "../../src/mustache/derived.js";
import type { VariablesSchema } from "../../src/mustache/variables.js";

const text: VariablesSchema = { type: "string" };
const free: VariablesSchema = { type: "object", additionalProperties: text };
const object = (properties: Record<string, VariablesSchema>): VariablesSchema => ({ type: "object", properties });

test.each<[string, VariablesSchema | undefined, VariablesSchema, boolean]>([
  ["nothing is transformed", undefined, object({ a: text }), false],
  [
    "an entry of a record has a name",
    object({ map: { ...free, properties: { a: text } } }),
    object({ map: free }),
    false,
  ],
  [
    "a member of each item is",
    object({ list: { type: "array", items: { ...free, properties: { a: text } } } }),
    object({ list: { type: "array", items: free } }),
    false,
  ],
  ["derive adds a variable", object({ total: text }), object({ amount: { type: "number" } }), true],
  ["a variable has another type", object({ at: text }), object({ at: { type: "number" } }), true],
  [
    "a member has another type",
    object({ a: object({ b: text }) }),
    object({ a: object({ b: { type: "number" } }) }),
    true,
  ],
  ["a member is added", object({ a: object({ b: text, c: text }) }), object({ a: object({ b: text }) }), true],
  ["anything becomes a string", object({ any: text }), object({ any: {} }), true],
])("%s", (_name, derived, input, expected) => {
  expect(isComputed({ input, ...(derived && { derived }), conditions: [] })).toBe(expected);
});
