import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inferSchema } from "../../src/mustache/infer.js";
import { sampleVariables } from "../../src/mustache/sample.js";
import { checkVariables } from "../../src/mustache/usage.js";
import { template } from "./templates.js";

test("texts say their names, lists have two items, and other sections are true", () => {
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

test("addresses look like addresses", () => {
  expect(sampleVariables(["{{resetUrl}} {{email}} {{#rows}}{{link}}{{/rows}}"])).toEqual({
    resetUrl: "https://example.com/resetUrl",
    email: "email@example.com",
    rows: [{ link: "https://example.com/link-1" }, { link: "https://example.com/link-2" }],
  });
});

test("what is inferred with the sample has every name of the tags", () => {
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
