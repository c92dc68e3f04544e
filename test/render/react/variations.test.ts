import { expect, test } from "vitest";
import type { VariablesSchema } from "../../../src/mustache/variables.js";
import { variationsOf, withLongerLists } from "../../../src/render/react/variations.js";

const text: VariablesSchema = { type: "string" };

test("an object stays of one of the kinds that its schema tells apart", () => {
  const change: VariablesSchema = {
    anyOf: [
      { type: "object", properties: { type: { const: "upgrade" }, to: text }, required: ["type", "to"] },
      { type: "object", properties: { type: { const: "cancel" }, reason: text }, required: ["type"] },
    ],
  };
  const variations = variationsOf(
    { change: { type: "cancel", reason: "Too dear" }, vip: true },
    {
      input: { type: "object", properties: { change, vip: { type: "boolean" } }, required: ["change", "vip"] },
      conditions: [
        {
          name: "change_type__is_upgrade",
          within: [],
          path: "change.type",
          test: { kind: "equals", value: "upgrade" },
        },
      ],
    },
  );
  const changes = variations.map(({ variables }) => variables["change"]);
  expect(changes.length).toBeGreaterThan(3);
  expect(changes).not.toContainEqual(expect.objectContaining({ type: "upgrade" }));
  expect(changes).toContainEqual({ type: "cancel" });
  expect(variations.map(({ variables }) => variables["vip"])).toContain(false);
});

test("lists are made longer where one of them has a single item", () => {
  const contract = { input: {}, conditions: [] };
  expect(
    withLongerLists({ a: ["x"], b: [{ c: [1, 2] }, { c: [] }] }, contract).map(({ variables }) => variables),
  ).toEqual([{ a: ["x", "x"], b: [{ c: [1, 2, 1] }, { c: [] }, { c: [1, 2, 1] }] }]);
  expect(withLongerLists({ a: ["x", "y"], b: [], c: "z" }, contract)).toEqual([]);
});
