import * as fc from "fast-check";
import { expect, test } from "vitest";
import { completeVariables } from "../../../src/mustache/complete.js";
import type { VariablesContract } from "../../../src/mustache/variables.js";
import { passedVariables } from "../../../preview/variables/input.js";

const contract: VariablesContract = {
  input: {
    type: "object",
    properties: {
      name: { type: "string" },
      note: { anyOf: [{ type: "string" }, { type: "null" }] },
      nick: { anyOf: [{ type: "string" }, { type: "null" }] },
      order: {
        type: "object",
        properties: {
          number: { type: "string" },
          memo: { anyOf: [{ type: "string" }, { type: "null" }] },
          items: { type: "array", items: { $ref: "#/$defs/item" } },
        },
        required: ["number", "items"],
      },
      labels: { type: "object", additionalProperties: { type: "string" } },
    },
    required: ["name", "note"],
    $defs: {
      item: {
        type: "object",
        properties: { title: { type: "string" }, hint: { type: "string" } },
        required: ["title"],
      },
    },
  },
  derived: { type: "object", properties: { total: { type: "string" } } },
  conditions: [
    { name: "has_items", within: ["order"], path: "items", test: { kind: "has-items" } },
    { name: "is_ada", within: [], path: "name", test: { kind: "equals", value: "Ada" } },
    { name: "nick__is_null", within: [], path: "nick", test: { kind: "null" } },
    { name: "order_memo__is_null", within: [], path: "order.memo", test: { kind: "null" } },
  ],
};

const text = fc.string({ maxLength: 4 });
const item = fc.record({ title: text, hint: text }, { requiredKeys: ["title"] });
const input = fc.record(
  {
    name: fc.constantFrom("Ada", "Grace"),
    note: fc.option(text),
    nick: fc.option(text),
    order: fc.record(
      { number: text, items: fc.array(item, { maxLength: 3 }), memo: fc.option(text) },
      { requiredKeys: ["number", "items"] },
    ),
    labels: fc.dictionary(fc.constantFrom("a", "b"), text),
  },
  { requiredKeys: ["name", "note"], noNullPrototype: true },
);

test("recovers what an application passed from what its mailer sent", () => {
  fc.assert(
    fc.property(input, (passed) => {
      const sent = completeVariables(contract, passed, { total: "CHF 12" });
      expect(passedVariables(contract, JSON.parse(JSON.stringify(sent)))).toEqual(JSON.parse(JSON.stringify(passed)));
    }),
  );
});
