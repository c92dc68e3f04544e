import { expect, test } from "vitest";
import { completeForCommit } from "../../../preview/variables/completed.js";
import type { CompiledBodies } from "../../../src/preview/contract.js";

const context = { locale: "en-US", timeZone: "UTC" };

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
  expect(completeForCommit(then, passed, { context })).toMatchObject({
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
  expect(completeForCommit(then, passed, { derived, context }).value).toMatchObject({
    total: "€3",
    isLong: true,
  });
  const others = { input: { name: 3 }, isEdited: true, problems: [] };
  expect(completeForCommit(then, others, { context }).misfit).toMatch(/^(?:items: Required\.|name: Expected a text)/);
});

test("a commit's computed values are computed for the pane's locale and time zone", () => {
  const at = { kind: "variable", names: ["at"] } as const;
  const date = { kind: "call", callee: { kind: "name", name: "Date" }, args: [at], isNew: true } as const;
  const expression = { kind: "call", callee: { kind: "member", of: date, name: "toLocaleString" }, args: [] } as const;
  const committed: CompiledBodies = {
    subject: "",
    html: "{{at__1}}",
    text: "",
    contract: {
      input: { type: "object", properties: { at: { type: "string" } } },
      conditions: [{ name: "at__1", within: [], path: ".", test: { kind: "computed", expression } }],
    },
  };
  const passed = { input: { at: "2026-03-14T23:30:00Z" }, isEdited: false, problems: [] };
  const complete = (locale: string, timeZone: string) =>
    completeForCommit(committed, passed, { context: { locale, timeZone } }).value?.["at__1"];
  expect(complete("en-US", "UTC")).toBe(new Date("2026-03-14T23:30:00Z").toLocaleString("en-US", { timeZone: "UTC" }));
  expect(complete("de-DE", "Asia/Tokyo")).toBe("15.3.2026, 08:30:00");
});
