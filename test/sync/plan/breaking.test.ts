import { expect, test } from "vitest";
import { breakingChanges } from "../../../src/sync/plan/breaking.js";

const deployed = { subject: "Receipt {{number}}", html_body: "<p>{{name}}</p>", text_body: "{{name}}" };

test("all three texts count, against what is deployed", () => {
  const content = { subject: "Receipt {{no}}", html_body: "<p>{{name}} {{city}}</p>", text_body: "{{name}}, {{town}}" };
  expect(breakingChanges({ before: { content: deployed }, after: { content } })).toEqual([
    { variable: "city", effect: "would be blank" },
    { variable: "no", effect: "would be blank" },
    { variable: "town", effect: "would be blank" },
  ]);
});

test("a contract knows more than the bodies that go by it", () => {
  const content = { ...deployed, text_body: "{{name}}, {{city}}" };
  const input = { type: "object", properties: { number: {}, name: {}, city: { type: "string" } } } as const;
  const contract = { input, conditions: [] };
  expect(breakingChanges({ before: { content: deployed, contract }, after: { content, contract } })).toEqual([]);
});

test("what it reads no more, and other words, break nothing", () => {
  const content = { subject: "Your receipt", html_body: "<h1>Dear {{name}}</h1>", text_body: "" };
  expect(breakingChanges({ before: { content: deployed }, after: { content } })).toEqual([]);
});
