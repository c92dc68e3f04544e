import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { inferSchema } from "../../src/mustache/infer.js";
import { BIGINT_SCHEMA, DATE_SCHEMA } from "../../src/mustache/javascript-values.js";
import { readInferred } from "../../src/mustache/read-inferred.js";
import type { Variables, VariablesSchema } from "../../src/mustache/variables.js";

/** The same schema in zod. */
function zodOf({ type, anyOf, items, properties = {}, required = [] }: VariablesSchema): z.ZodType {
  if (anyOf !== undefined) return z.union(anyOf.map(zodOf));
  if (type === undefined) return z.unknown();
  if (type === "array") return z.array(typeof items === "object" ? zodOf(items) : z.unknown());
  if (type !== "object")
    return { string: z.string, number: z.number, boolean: z.boolean, null: z.null, integer: z.int }[type]();
  const members = Object.entries(properties).map(([name, property]) => [
    name,
    // Null is treated as absent if only absence is allowed.
    required.includes(name)
      ? zodOf(property)
      : z.union([zodOf(property).optional(), z.null().transform(() => undefined)]),
  ]);
  return z.object(Object.fromEntries(members));
}

const scalar = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null));
const name = fc.constantFrom("a", "b", "c");
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
}));
const variables = fc.dictionary(name, value, { maxKeys: 3 }) as fc.Arbitrary<Variables>;

test("variables are read as zod reads them", () => {
  fc.assert(
    fc.property(fc.array(variables, { maxLength: 3 }), fc.oneof(variables, value), (examples, given) => {
      const schema = inferSchema(["{{#a}}{{b}}{{/a}}{{c}}"], examples);
      const read = readInferred(given, schema);
      const fromZod = zodOf(schema).safeParse(given);
      expect(read.success).toBe(fromZod.success);
      if (read.success) expect(read.data).toEqual(fromZod.data);
    }),
  );
});

test.each<[what: string, schema: VariablesSchema, given: unknown, message: string, path?: readonly PropertyKey[]]>([
  ["another type", { type: "string" }, 5, "expected string, received number"],
  ["nothing", { type: "array" }, undefined, "expected array, received undefined"],
  ["a list", { type: "object" }, [], "expected object, received array"],
  ["an invalid number", { type: "number" }, Number.NaN, "expected number, received NaN"],
  ["a date", { type: "string" }, new Date(0), "expected string, received Date"],
  ["an invalid date", { type: "string", format: "date-time" }, new Date("x"), "expected string, received Invalid Date"],
  [
    "an invalid Date",
    DATE_SCHEMA,
    new Date("x"),
    'expected Date or a string such as "2026-03-14T09:30:00Z", received Invalid Date',
  ],
  [
    "a string that is not a date",
    DATE_SCHEMA,
    "tomorrow",
    'expected Date or a string such as "2026-03-14T09:30:00Z", received string',
  ],
  [
    "a time without a time zone",
    DATE_SCHEMA,
    "2026-03-14T09:30:00",
    'expected Date or a string such as "2026-03-14T09:30:00Z", received string',
  ],
  [
    "a day that does not exist",
    DATE_SCHEMA,
    "2026-02-30",
    'expected Date or a string such as "2026-03-14T09:30:00Z", received string',
  ],
  ["a fraction for a bigint", BIGINT_SCHEMA, 1.5, 'expected bigint or a string such as "1250", received number'],
  [
    "a number that may be rounded",
    BIGINT_SCHEMA,
    2 ** 53,
    'expected bigint or a string such as "1250", received number',
  ],
  ["a string that is not digits", BIGINT_SCHEMA, "0x10", 'expected bigint or a string such as "1250", received string'],
  [
    "none of several types",
    { anyOf: [{ type: "string" }, { type: "null" }] },
    true,
    "expected string or null, received boolean",
  ],
  ["not a value of an enum", { type: "string", enum: ["a", "b"] }, "c", 'expected "a" or "b", received string'],
  [
    "no branch of a union",
    {
      anyOf: [
        { type: "object", properties: { kind: { const: "a" }, a: { type: "string" } }, required: ["kind", "a"] },
        { type: "object", properties: { kind: { const: "b" }, b: { type: "number" } }, required: ["kind", "b"] },
      ],
    },
    { kind: "b", b: "1" },
    "expected number, received string",
    ["b"],
  ],
  [
    "a member of a record",
    { type: "object", properties: {}, additionalProperties: { type: "string" } },
    { de: "x", en: 1 },
    "expected string, received number",
    ["en"],
  ],
  [
    "a member of an item",
    {
      type: "object",
      properties: { a: { type: "array", items: { type: "object", properties: { b: { type: "string" } } } } },
    },
    { a: [{}, { b: 1 }] },
    "expected string, received number",
    ["a", 1, "b"],
  ],
])("%s is reported with its path", (_, schema, given, message, path = []) => {
  expect(readInferred(given, schema)).toEqual({
    success: false,
    error: { issues: [{ path, message: `Invalid input: ${message}` }] },
  });
});

test("members that are not in the schema are left out, and the rest is copied", () => {
  const given = { a: { b: "x", c: 1 }, d: 1 };
  const schema: VariablesSchema = {
    type: "object",
    properties: { a: { type: "object", properties: { b: { type: "string" } } } },
  };
  expect(readInferred(given, schema)).toEqual({ success: true, data: { a: { b: "x" } } });
});

test("what a component's type allows is read: dates, records, unions of objects, and null for optional members", () => {
  const schema: VariablesSchema = {
    type: "object",
    properties: {
      at: { type: "string", format: "date-time" },
      labels: { type: "object", properties: { de: { type: "string" } }, additionalProperties: { type: "string" } },
      note: { type: "string" },
      maybe: { anyOf: [{ type: "string" }, { type: "null" }] },
    },
    required: ["at"],
  };
  const given = { at: new Date(0), labels: { de: "x", en: "y" }, note: null, maybe: null };
  expect(readInferred(given, schema)).toStrictEqual({
    success: true,
    data: { at: "1970-01-01T00:00:00.000Z", labels: { de: "x", en: "y" }, maybe: null },
  });
  expect(readInferred({ at: null }, schema)).toMatchObject({ success: false });
});
