import { describe, expect, test } from "vitest";
import { z } from "zod";
import { completeVariables } from "../../src/mustache/complete.js";
import type { Condition, Variables, VariablesSchema } from "../../src/mustache/variables.js";
import { jsonSchema } from "./json-schema.js";

function complete(schema: z.ZodType, input: Variables, derived?: Variables, added?: z.ZodType): Variables {
  const contract = { input: jsonSchema(schema), ...(added && { derived: jsonSchema(added) }), conditions: [] };
  return completeVariables(contract, input, derived);
}

describe("absent variables", () => {
  const item = z.object({ name: z.string(), note: z.string().optional() });

  test("become null at the top, in objects and in every list item", () => {
    const schema = z.object({
      note: z.string().optional(),
      order: z.object({ id: z.string().optional(), items: z.array(item) }),
    });
    expect(complete(schema, { order: { items: [{ name: "a" }, { name: "b", note: "n" }] } })).toEqual({
      note: null,
      order: {
        id: null,
        items: [
          { name: "a", note: null },
          { name: "b", note: "n" },
        ],
      },
    });
  });

  test("an absent object and an absent list are null, so that their sections are hidden", () => {
    expect(complete(z.object({ order: item.optional(), items: z.array(item).optional() }), {})).toEqual({
      order: null,
      items: null,
    });
  });

  test("undefined is absent", () => {
    const input = { items: [{ name: "a", note: undefined }], other: undefined };
    expect(complete(z.object({ items: z.array(item) }), input)).toEqual({
      items: [{ name: "a", note: null }],
      other: null,
    });
  });

  test("present values stay unchanged: null, false, zero, empty strings, and names that are not in the schema", () => {
    const schema = z.object({ a: z.unknown(), b: z.unknown(), c: z.unknown(), d: z.unknown() });
    const input = { a: null, b: false, c: 0, d: "", e: { f: [1] } };
    expect(complete(schema, input)).toEqual(input);
  });

  test("dates and bigints become what JSON has for them, and other instances of classes stay unchanged", () => {
    const url = new URL("https://example.com/");
    const completed = complete(z.object({ at: z.date(), days: z.any() }), {
      at: new Date(0),
      days: [new Date(1), 5n, url],
    });
    expect(completed).toEqual({ at: "1970-01-01T00:00:00.000Z", days: ["1970-01-01T00:00:00.001Z", "5", url] });
  });

  test("nullable objects, unions, records, tuples and recursive schemas are followed", () => {
    const pair = z.tuple([z.object({ a: z.string().optional() }), z.object({ b: z.string().optional() })]);
    expect(complete(z.object({ x: item.nullable() }), { x: { name: "a" } })).toEqual({ x: { name: "a", note: null } });
    expect(complete(z.object({ x: z.union([item, z.object({ other: z.string() })]) }), { x: { other: "a" } })).toEqual({
      x: { name: null, note: null, other: "a" },
    });
    expect(complete(z.object({ x: z.record(z.string(), item) }), { x: { k: { name: "a" } } })).toEqual({
      x: { k: { name: "a", note: null } },
    });
    expect(complete(z.object({ x: pair }), { x: [{}, {}] })).toEqual({ x: [{ a: null }, { b: null }] });
    const node = z.object({
      name: z.string().optional(),
      get children() {
        return z.array(node).optional();
      },
    });
    expect(complete(node, { children: [{ children: [{}] }] })).toEqual({
      name: null,
      children: [{ name: null, children: [{ name: null, children: null }] }],
    });
  });

  test("intersections are followed", () => {
    const allOf = [{ properties: { a: {} } }, { $ref: "#/$defs/b" }];
    const input: VariablesSchema = { allOf, $defs: { b: { properties: { b: {} } } } };
    expect(completeVariables({ input, conditions: [] }, {})).toEqual({ a: null, b: null });
  });

  test("unresolvable and circular references are ignored", () => {
    const properties = { x: { $ref: "#/$defs/circle" }, y: { $ref: "#/$defs/nothing" } };
    const input: VariablesSchema = { type: "object", properties, $defs: { circle: { $ref: "#/$defs/circle" } } };
    expect(completeVariables({ input, conditions: [] }, { x: { a: 1 } })).toEqual({
      x: { a: 1 },
      y: null,
    });
  });

  test("objects without a prototype are completed too", () => {
    const order: object = Object.assign(Object.create(null), { name: "a" });
    expect(complete(z.object({ order: item }), { order })).toEqual({ order: { name: "a", note: null } });
  });

  test("inherited names such as toString are ordinary names", () => {
    const input = JSON.parse('{ "__proto__": { "x": 1 } }');
    const completed = complete(z.object({ toString: z.string().optional() }), input);
    expect(Object.keys(completed)).toEqual(["toString", "__proto__"]);
    expect(Object.getPrototypeOf(completed)).toBe(null);
  });
});

describe("derived variables", () => {
  const schema = z.object({ name: z.string(), note: z.string().optional() });
  const added = z.object({ total: z.string() });

  test("are added, and override passed ones", () => {
    expect(complete(schema, { name: "ada" }, { name: "Ada", total: "€4" }, added)).toEqual({
      name: "Ada",
      note: null,
      total: "€4",
    });
  });

  test("are null if derive omitted them", () => {
    expect(complete(schema, { name: "ada" }, {}, added)).toEqual({ name: "ada", note: null, total: null });
    expect(complete(schema, { name: "ada" }, undefined, added)).toEqual({ name: "ada", note: null, total: null });
  });
});

test("no argument is changed, frozen arguments work, and the result shares nothing mutable with them", () => {
  const condition: Condition = { name: "hasNote", within: ["items"], path: "note", test: { kind: "present" } };
  const input = Object.freeze({ items: Object.freeze([Object.freeze({ name: "a" })]) });
  const schema: VariablesSchema = { type: "object", properties: { items: { type: "array" } } };
  const completed = completeVariables({ input: schema, conditions: [condition] }, input);
  expect(input).toEqual({ items: [{ name: "a" }] });
  expect(completed).toEqual({ items: [{ name: "a" }], hasNote: false });
  expect(completed.items).not.toBe(input.items);
});
