import { expect, test } from "vitest";
import { completeForCommit } from "../../../preview/variables/completed.js";
import type { CompiledBodies } from "../../../src/preview/contract.js";

const then: CompiledBodies = {
  subject: "For {{{name}}}",
  html: "<p>{{name}} {{#isLong}}{{greeting}}{{/isLong}}</p>",
  text: "",
  contract: {
    input: {
      type: "object",
      properties: {
        name: { type: "string" },
        greeting: { type: "string", default: "Hello" },
        items: { type: "array", items: { type: "object", properties: { price: {}, note: {} } } },
      },
      required: ["name", "items"],
    },
    conditions: [{ name: "isLong", within: [], path: "items", test: { kind: "has-at-least", count: 2 } }],
  },
};

test("a commit's contract completes today's variables and reports those that it lacks", () => {
  const input = { name: "Ada", items: [{ price: 1 }, { price: 2 }], isLong: false };
  const passed = { input, isEdited: false, problems: [] };
  expect(completeForCommit(then, passed, { derives: false }, {})).toMatchObject({
    value: {
      name: "Ada",
      greeting: "Hello",
      isLong: true,
      items: [
        { price: 1, note: null },
        { price: 2, note: null },
      ],
    },
    misfit: undefined,
  });
  const derived = { ...input, total: "€3" };
  expect(completeForCommit(then, passed, { derives: true }, derived).value).toMatchObject({
    total: "€3",
    isLong: true,
  });
  const others = { input: { name: 3 }, isEdited: true, problems: [] };
  expect(completeForCommit(then, others, { derives: false }, {}).misfit).toMatch(
    /^(?:items: Required\.|name: Expected a text)/,
  );
});
