import { describe, expect, test } from "vitest";
import { completeVariables } from "../../src/mustache/complete.js";
import { inferSchema } from "../../src/mustache/infer.js";
import { missingOwnName } from "../../src/mustache/check-variables.js";

const own = { within: ["items"], name: "title" };

test("an own name refers to the item, and is null in an item without it, even if an outer variable has the same name", () => {
  const texts = ["{{title}}{{#items}}{{title}}{{/items}}"];
  const examples = [{ title: "Out", items: [{ name: "A" }] }];
  const input = inferSchema(texts, examples, [], [own]);
  expect(input.properties?.["items"]).toMatchObject({
    items: { properties: { name: { type: "string" }, title: { type: "string" } } },
  });
  const contract = { input, conditions: [] };
  expect(missingOwnName(own, contract)).toBeUndefined();
  expect(completeVariables(contract, { title: "Out", items: [{}] })).toEqual({
    title: "Out",
    items: [{ name: null, title: null }],
  });
});

test("an own name is found in nested lists", () => {
  const inner = { within: ["groups", "items"], name: "title" };
  const texts = ["{{title}}{{#groups}}{{#items}}{{title}}{{/items}}{{/groups}}"];
  const input = inferSchema(texts, [{ title: "Out", groups: [{ items: [] }] }], [], [inner]);
  expect(missingOwnName(inner, { input, conditions: [] })).toBeUndefined();
});

describe("if the schema does not have the name", () => {
  const items = (properties: Record<string, object>) => ({
    input: { type: "object", properties: { items: { type: "array", items: { type: "object", properties } } } } as const,
    conditions: [],
  });

  test("it is reported, with the similar name", () => {
    expect(missingOwnName(own, items({ titel: {} }))).toEqual({
      message: 'An item of "items" has no "title".',
      nearName: "titel",
    });
    expect(missingOwnName(own, items({ price: {} }))).toEqual({ message: 'An item of "items" has no "title".' });
  });

  test("the path to the list doesn't matter", () => {
    const within = ["items__items"];
    const { input } = items({ title: {} });
    const conditions = [{ name: "items__items", within: [], path: "items", test: { kind: "value" } as const }];
    expect(missingOwnName({ within, name: "title" }, { input, conditions })).toBeUndefined();
  });
});

test("a value that is printed and compared with true is inferred to be a string: React prints no boolean", () => {
  const condition = { name: "flag__is_true", within: [], path: "flag", test: { kind: "equals", value: true } as const };
  const texts = ["{{flag}}{{#flag__is_true}}yes{{/flag__is_true}}"];
  expect(inferSchema(texts, [{ flag: null }], [condition]).properties).toEqual({
    flag: { anyOf: [{ type: "string" }, { type: "null" }] },
  });
  expect(inferSchema(["{{#flag__is_true}}yes{{/flag__is_true}}"], [{}], [condition]).properties).toEqual({
    flag: { type: "boolean" },
  });
});
