import mustache from "mustache";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { completeVariables } from "../../src/mustache/complete.js";
import { checkVariables, separateDotted } from "../../src/mustache/check-variables.js";
import type { VariablesContract } from "../../src/mustache/variables.js";
import { jsonSchema } from "./json-schema.js";

const address = z.object({
  name: z.string(),
  place: z.object({ city: z.string() }).optional(),
  lines: z.array(z.string()),
});
const input = jsonSchema(
  z.object({
    shipping: address,
    items: z.array(z.object({ shipping: address.nullable(), required: address })),
    required: address,
    total: z.object({ net: z.string() }),
    alone: z.array(z.object({ other: address.optional() })),
  }),
);
const derived = jsonSchema(z.object({ lines: z.array(z.object({ total: z.object({ net: z.string() }).optional() })) }));
const contract: VariablesContract = { input, derived, conditions: [] };

describe("a dotted name that engines look up differently is put into sections of its own", () => {
  test.each([
    ["{{#items}}{{shipping.name}}{{/items}}", "{{#items}}{{#shipping}}{{name}}{{/shipping}}{{/items}}"],
    ["{{#items}}{{{shipping.name}}}{{/items}}", "{{#items}}{{#shipping}}{{{name}}}{{/shipping}}{{/items}}"],
    ["{{#items}}{{&shipping.name}}{{/items}}", "{{#items}}{{#shipping}}{{{name}}}{{/shipping}}{{/items}}"],
    [
      "{{#items}}{{required.place.city}}{{/items}}",
      "{{#items}}{{#required}}{{#place}}{{city}}{{/place}}{{/required}}{{/items}}",
    ],
    ["{{#lines}}a {{total.net}} b{{/lines}}", "{{#lines}}a {{#total}}{{net}}{{/total}} b{{/lines}}"],
    [
      "{{#items}}{{^shipping}}{{shipping.name}}{{/shipping}}{{/items}}",
      "{{#items}}{{^shipping}}{{#shipping}}{{name}}{{/shipping}}{{/shipping}}{{/items}}",
    ],
  ])("%s", (text, expected) => {
    expect(separateDotted(text, contract)).toBe(expected);
  });

  test.each([
    ["the outermost names", "{{shipping.name}}{{total.net}}"],
    ["names that are always present", "{{#items}}{{required.name}}{{/items}}"],
    ["names that are unique", "{{#alone}}{{other.name}}{{total.net}}{{/alone}}"],
    ["a plain name", "{{#items}}{{#shipping}}{{name}}{{/shipping}}{{/items}}"],
  ])("leaves %s unchanged", (_, text) => {
    expect(separateDotted(text, contract)).toBe(text);
    expect(checkVariables([text], contract)).toEqual([]);
  });

  test("so mustache.js prints nothing from outside", () => {
    const passed = { shipping: { name: "of another" }, items: [{ shipping: null }] };
    const completed = completeVariables(contract, passed, {});
    const written = "{{#items}}[{{shipping.name}}]{{/items}}";
    expect(mustache.render(written, completed)).toBe("[of another]");
    expect(mustache.render(separateDotted(written, contract), completed)).toBe("[]");
  });

  test("a section over such a name is rejected", () => {
    expect(checkVariables(["{{#items}}{{#shipping.lines}}{{.}}{{/shipping.lines}}{{/items}}"], contract)).toMatchObject(
      [
        {
          name: "shipping.lines",
          offset: 10,
          message:
            'If "shipping" is null in this section, some engines use the outer "shipping.lines". Rename one of the two.',
        },
      ],
    );
    expect(checkVariables(["{{#items}}{{#required.lines}}{{.}}{{/required.lines}}{{/items}}"], contract)).toEqual([]);
  });
});
