import { expect, test } from "vitest";
import { z } from "zod";
import { contractId } from "../../src/mustache/contract-id.js";
import type { VariablesContract } from "../../src/mustache/variables.js";
import { jsonSchema } from "./json-schema.js";

const idOf = (input: z.ZodType, others: Partial<VariablesContract> = {}): string =>
  contractId({ input: jsonSchema(input), conditions: [], ...others });

test("has six characters, which are the same on all machines and in all versions", () => {
  expect(idOf(z.object({ name: z.string() }))).toMatchInlineSnapshot(`"dmnHnP"`);
});

test("ignores what doesn't affect filling", () => {
  const id = idOf(z.object({ a: z.string(), b: z.object({ c: z.number(), d: z.enum(["x", "y"]) }) }));
  const b = z.object({ d: z.enum(["y", "z"]).describe("Which"), c: z.number() });
  expect(idOf(z.object({ b, a: z.email().optional() }))).toBe(id);
  expect(idOf(z.object({ a: z.string().nullable(), b }))).not.toBe(id);
  expect(idOf(z.object({ b }))).not.toBe(id);
});

test("includes conditions and derived variables, in any order", () => {
  const input = z.object({ items: z.array(z.string()) });
  const conditions = [
    { name: "items__has_items", within: [], path: "items", test: { kind: "has-items" } },
    { name: "items__has_2", within: [], path: "items", test: { kind: "has-exactly", count: 2 } },
  ] as const;
  const id = idOf(input, { conditions });
  expect(idOf(input, { conditions: conditions.toReversed() })).toBe(id);
  expect(idOf(input, { conditions: conditions.slice(1) })).not.toBe(id);
  expect(idOf(input, { conditions, derived: { type: "object", properties: { total: {} } } })).not.toBe(id);
});
