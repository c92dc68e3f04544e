import { expect, test } from "vitest";
import { breakingChanges } from "../../../src/sync/plan/running-applications.js";

const deployed = { subject: "Receipt {{number}}", html_body: "<p>{{name}}</p>", text_body: "{{name}}" };

test("compares all three texts with what is deployed", () => {
  const content = { subject: "Receipt {{no}}", html_body: "<p>{{name}} {{city}}</p>", text_body: "{{name}}, {{town}}" };
  expect(breakingChanges({ before: { content: deployed }, after: { content } })).toEqual([
    { variable: "city", effect: "would be blank" },
    { variable: "no", effect: "would be blank" },
    { variable: "town", effect: "would be blank" },
  ]);
});

test("knows more from a contract than from the bodies", () => {
  const content = { ...deployed, text_body: "{{name}}, {{city}}" };
  const input = { type: "object", properties: { number: {}, name: {}, city: { type: "string" } } } as const;
  const contract = { input, conditions: [] };
  expect(breakingChanges({ before: { content: deployed, contract }, after: { content, contract } })).toEqual([]);
});

test("treats removed variables and changed words as harmless", () => {
  const content = { subject: "Your receipt", html_body: "<h1>Dear {{name}}</h1>", text_body: "" };
  expect(breakingChanges({ before: { content: deployed }, after: { content } })).toEqual([]);
});
