import { describe, expect, test } from "vitest";
import { z } from "zod";
import { completeVariables } from "../../src/mustache/complete.js";
import { type DerivedInput, derivedSchema } from "../../src/mustache/derived.js";
import { renderMustache } from "../../src/mustache/fill.js";
import { checkVariables } from "../../src/mustache/check-variables.js";
import type { Variables, VariablesContract, VariablesSchema } from "../../src/mustache/variables.js";
import { variablesSchemaOf } from "../../src/project/variables-task.js";

const schema = z.object({ name: z.string(), note: z.string().optional() });

function derivedOf(
  results: readonly Variables[],
  text = "",
  more: Partial<DerivedInput> = {},
): VariablesSchema | undefined {
  return derivedSchema({
    input: variablesSchemaOf(schema),
    output: variablesSchemaOf(schema, "output"),
    hasDerive: true,
    examples: results.map((derived) => ({ parsed: { name: "Ada" }, derived })),
    texts: [text],
    conditions: [],
    ...more,
  });
}

const text = { type: "string" };

describe("what derive adds", () => {
  test("is inferred from all examples", () => {
    expect(
      derivedOf([
        { total: "€4", discount: null },
        { total: "€3", discount: { amount: "€1" }, vip: true },
      ]),
    ).toEqual({
      type: "object",
      properties: {
        discount: { anyOf: [{ type: "object", properties: { amount: text }, required: ["amount"] }, { type: "null" }] },
        total: text,
        vip: { type: "boolean" },
      },
      required: ["total"],
    });
  });

  test("is inferred from tags only if no example contains it", () => {
    const body = "{{#lines}}{{name}}{{totl}}{{/lines}}{{#facts}}{{label}}{{name}}{{/facts}}{{total.gros}}";
    const schemaOf = derivedOf([{ lines: [{ total: "€4" }], facts: [], total: { gross: "€4" } }], body);
    const label = { type: "object", properties: { label: text }, required: ["label"] };
    expect(schemaOf?.properties).toEqual({
      lines: { type: "array", items: { type: "object", properties: { total: text }, required: ["total"] } },
      facts: { type: "array", items: label },
      total: { type: "object", properties: { gross: text }, required: ["gross"] },
    });
    const contract = { input: variablesSchemaOf(schema), derived: schemaOf, conditions: [] };
    expect(checkVariables([body], contract).map(({ message, nearName }) => `${message} ${nearName}`)).toEqual([
      'There is no variable "totl" here. total',
      '"total" has no "gros". total.gross',
    ]);
  });

  test("may be an object or a list if it is null in every example", () => {
    const endsOn = { type: "object", properties: { endsOn: text }, required: ["endsOn"] };
    expect(derivedOf([{ trial: null }], "{{#trial}}{{endsOn}}{{/trial}}")?.properties).toEqual({
      trial: { anyOf: [endsOn, { type: "array", items: endsOn }, { type: "null" }] },
    });
  });

  test("may be undefined in an example", () => {
    expect(derivedOf([{ trial: undefined }], "{{#trial}}x{{/trial}}")).toEqual({
      type: "object",
      properties: { trial: { type: "boolean" } },
    });
  });

  test("replaces what is passed, or keeps it if absent", () => {
    const examples = [
      { parsed: { name: "Ada" }, derived: { name: { first: "Ada" } } },
      { parsed: { name: "Bob" }, derived: {} },
    ];
    expect(derivedOf([], "", { examples })?.properties?.["name"]).toEqual({
      anyOf: [text, { type: "object", properties: { first: text }, required: ["first"] }],
    });
  });

  test("without an example, consists of the tags' names that are not in the schema", () => {
    const body = "{{name}}{{note}}{{total}}";
    expect(derivedOf([], body)?.properties).toEqual({ total: text });
    expect(derivedOf([], body, { hasDerive: false })).toBeUndefined();
  });
});

describe("values that the schema transforms", () => {
  function changed(input: z.ZodObject, parsed: Variables, body = ""): VariablesSchema["properties"] {
    return derivedSchema({
      input: variablesSchemaOf(input),
      output: variablesSchemaOf(input, "output"),
      hasDerive: false,
      examples: [{ parsed, derived: {} }],
      texts: [body],
      conditions: [],
    })?.properties;
  }

  test.each<[string, z.ZodType]>([
    ["a default", z.string().default("x")],
    ["a trimmed string", z.string().trim()],
    ["a date", z.date()],
    ["a coerced date", z.coerce.date()],
    ["a refined number", z.coerce.number().refine((number) => number > 0)],
    ["an object", z.object({ a: z.string().optional(), format: z.string() })],
    ["a strict object", z.strictObject({ a: z.string() })],
    ["a union", z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })])],
    ["a record", z.record(z.string(), z.string())],
    ["a brand", z.string().brand("Name")],
    ["a recursive list", z.lazy(() => z.array(z.object({ a: z.string() })))],
  ])("%s is the same as what is passed", (_, type) => {
    expect(changed(z.object({ value: type }), {})).toBeUndefined();
  });

  test("a transformed value is typed by the examples, and its tags are known", () => {
    const name = z.string().transform((whole) => ({ first: whole }));
    expect(changed(z.object({ name, other: z.string() }), { name: { first: "Ada" }, other: "x" })).toEqual({
      name: { type: "object", properties: { first: text }, required: ["first"] },
    });
  });

  test("inside a list, the other members keep their schema", () => {
    const lines = z.array(z.object({ price: z.number().transform(String), gift: z.string().optional() }));
    expect(changed(z.object({ lines }), { lines: [{ price: "4" }] })).toMatchObject({
      lines: { items: { properties: { price: text, gift: text }, required: ["price"] } },
    });
  });

  test("the two sides of a codec are distinguished", () => {
    expect(changed(z.object({ paid: z.stringbool() }), { paid: true })).toEqual({ paid: { type: "boolean" } });
  });

  test("what the schema leaves open is typed by examples and tags", () => {
    const body = "{{#open}}{{a}}{{b}}{{/open}}{{#labels}}{{hello}}{{/labels}}";
    const input = z.object({ open: z.unknown(), labels: z.record(z.string(), z.string()), name: z.string() });
    expect(changed(input, { open: { a: "x" }, labels: { other: "y" }, name: "Ada" }, body)).toMatchObject({
      open: { type: "object", properties: { a: text, b: text } },
      labels: { type: "object", properties: { hello: text }, additionalProperties: text },
    });
  });
});

test("members of derived lists and of open schemas are never looked up outside", () => {
  const body =
    "{{#lines}}[{{label}}{{name}}{{#parts}}({{label}}){{/parts}}]{{/lines}}{{#labels}}{{hello}}{{/labels}}{{hello}}";
  const input = z.object({
    label: z.string(),
    name: z.string(),
    hello: z.string(),
    labels: z.record(z.string(), z.string()),
  });
  const parsed = { label: "outer", name: "Ada", hello: "of another", labels: {} };
  const seen = [
    { parsed, derived: { lines: [{ label: "a", parts: [{ label: "b" }] }] } },
    { parsed: { ...parsed, labels: { hello: "inner" } }, derived: { lines: [] } },
  ];
  const derived = derivedSchema({
    input: variablesSchemaOf(input),
    output: variablesSchemaOf(input, "output"),
    hasDerive: true,
    examples: seen,
    texts: [body],
    conditions: [],
  });
  const contract: VariablesContract = { input: variablesSchemaOf(input), ...(derived && { derived }), conditions: [] };
  const completed = completeVariables(contract, parsed, { lines: [{}, { parts: [{}, { label: "c" }] }] });
  expect(renderMustache(body, completed, { escape: "none" })).toBe("[Ada][Ada()(c)]of another");
});
