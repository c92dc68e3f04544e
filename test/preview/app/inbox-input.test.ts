import * as fc from "fast-check";
import { expect, test } from "vitest";
import { completeVariables } from "../../../src/mustache/complete.js";
import type { VariablesContract } from "../../../src/mustache/variables.js";
import { inputOf } from "../../../src/preview/app/inbox/input-of.js";

const contract: VariablesContract = {
  input: {
    type: "object",
    properties: {
      name: { type: "string" },
      note: { anyOf: [{ type: "string" }, { type: "null" }] },
      order: {
        type: "object",
        properties: { number: { type: "string" }, items: { type: "array", items: { $ref: "#/$defs/item" } } },
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
  ],
};

const text = fc.string({ maxLength: 4 });
const item = fc.record({ title: text, hint: text }, { requiredKeys: ["title"] });
const input = fc.record(
  {
    name: fc.constantFrom("Ada", "Grace"),
    note: fc.option(text),
    order: fc.record({ number: text, items: fc.array(item, { maxLength: 3 }) }),
    labels: fc.dictionary(fc.constantFrom("a", "b"), text),
  },
  { requiredKeys: ["name", "note"], noNullPrototype: true },
);

test("what an application passed is found again in what its mailer sent", () => {
  fc.assert(
    fc.property(input, (passed) => {
      const sent = completeVariables(contract, passed, { total: "CHF 12" });
      expect(inputOf(contract, JSON.parse(JSON.stringify(sent)))).toEqual(JSON.parse(JSON.stringify(passed)));
    }),
  );
});
