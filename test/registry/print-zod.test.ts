import { expect, test } from "vitest";
import { z } from "zod";
import type { VariablesSchema } from "../../src/mustache/variables.js";
import { printZod } from "../../src/registry/print-zod.js";

/** The schema that the printed code makes. */
function evaluate(schema: VariablesSchema): z.ZodType {
  // oxlint-disable-next-line no-implied-eval typescript/no-implied-eval
  const make: (library: typeof z) => z.ZodType = new Function("z", `return ${printZod(schema, "z", "")};`) as never;
  return make(z);
}

const schemas: Record<string, VariablesSchema> = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  null: { type: "null" },
  anything: {},
  constant: { type: "string", const: "a" },
  choice: { enum: ["a", 1, null] },
  nullable: { anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }] },
  union: { anyOf: [{ type: "string" }, { type: "array", items: {} }] },
  list: { type: "array", items: { type: "string" } },
  "list of anything": { type: "array", items: {} },
  record: {
    type: "object",
    propertyNames: { type: "string" },
    additionalProperties: { type: "number" },
  } as VariablesSchema,
  object: {
    type: "object",
    properties: {
      "a-b": { type: "string" },
      c: { type: "object", properties: { d: { type: "boolean" } }, required: ["d"] },
    },
    required: ["a-b"],
  },
  "open object": {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: { type: "number" },
  },
  nothing: { type: "object", properties: {} },
};

test.each(Object.entries(schemas))("%s is printed as the zod that has the same schema", (_, schema) => {
  const { $schema, ...printed } = z.toJSONSchema(evaluate(schema), { io: "input" });
  expect($schema).toBeDefined();
  expect(printed).toEqual(schema);
});

test("integers, lists and objects without more about them", () => {
  expect(evaluate({ type: "integer" }).safeParse(1.5).success).toBe(false);
  expect(evaluate({ type: "array" }).safeParse([1, "a"]).success).toBe(true);
  expect(evaluate({ type: "object" }).parse({ a: 1 })).toEqual({});
  expect(evaluate({ type: "object", additionalProperties: true }).parse({ a: 1 })).toEqual({ a: 1 });
});
