import { expect, test } from "vitest";
import { z } from "zod";
import { contractId } from "../../src/mustache/contract-id.js";
import { DATE_SCHEMA } from "../../src/mustache/javascript-values.js";
import type { Condition, VariablesContract, VariablesSchema } from "../../src/mustache/variables.js";
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

test("includes which strings are dates and bigints if values are computed", () => {
  const withTime = (at: VariablesSchema, conditions: readonly Condition[] = []): string =>
    contractId({ input: { type: "object", properties: { at } }, conditions });
  expect(withTime(DATE_SCHEMA)).toBe(withTime({ type: "string" }));
  const expression = { kind: "text", parts: [{ kind: "variable", names: ["at"] }] } as const;
  const conditions = [{ name: "at__x", within: [], path: ".", test: { kind: "computed", expression } }] as const;
  expect(withTime(DATE_SCHEMA, conditions)).not.toBe(withTime({ type: "string" }, conditions));
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
