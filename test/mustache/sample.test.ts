import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inferSchema } from "../../src/mustache/infer.js";
import { sampleOf, sampleVariables } from "../../src/mustache/sample.js";
import type { VariablesSchema } from "../../src/mustache/variables.js";
import { checkVariables } from "../../src/mustache/check-variables.js";
import { template } from "./templates.js";

test("strings are their names, lists have two items, and other sections are true", () => {
  const texts = ["{{name}} {{order.id}}{{#vip}}*{{/vip}}", "{{#items}}{{title}}{{#tags}}{{.}}{{/tags}}{{/items}}"];
  expect(sampleVariables(texts)).toEqual({
    name: "name",
    order: { id: "id" },
    vip: true,
    items: [
      { title: "title 1", tags: ["tags 1 1", "tags 1 2"] },
      { title: "title 2", tags: ["tags 2 1", "tags 2 2"] },
    ],
  });
});

test("names of addresses get addresses", () => {
  expect(sampleVariables(["{{resetUrl}} {{email}} {{#rows}}{{link}}{{/rows}}"])).toEqual({
    resetUrl: "https://example.com/resetUrl",
    email: "email@example.com",
    rows: [{ link: "https://example.com/link-1" }, { link: "https://example.com/link-2" }],
  });
});

test("names of dates get dates", () => {
  const date = "2026-03-14T09:30:00Z";
  expect(sampleVariables(["{{sentAt}} {{dueDate}} {{created_at}} {{update}} {{seat}}"])).toEqual({
    sentAt: date,
    dueDate: date,
    created_at: date,
    update: "update",
    seat: "seat",
  });
});

test("a sample of an enum is one of its values, and a sample of a date is a date", () => {
  const properties: Record<string, VariablesSchema> = {
    kind: { type: "string", enum: ["a", "b"] },
    size: { anyOf: [{ type: "number", const: 7 }, { type: "null" }] },
    on: { type: "string", format: "date-time" },
    by: { anyOf: [{ type: "null" }, { type: "string" }] },
    none: { type: "null" },
  };
  expect(sampleOf({ type: "object", properties })).toEqual({
    kind: "a",
    size: 7,
    on: "2026-03-14T09:30:00Z",
    by: "by",
    none: null,
  });
});

test("what is inferred with the sample contains every name of the tags", () => {
  fc.assert(
    fc.property(template, (text) => {
      const input = inferSchema([text], [sampleVariables([text])]);
      const missing = checkVariables([text], { input, conditions: [] }).filter(({ message }) =>
        message.startsWith("There is no variable"),
      );
      expect(missing).toEqual([]);
    }),
  );
});
