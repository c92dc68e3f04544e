import { expect, test } from "vitest";
import { printedDerived } from "../../src/mustache/derived.js";
import type { Condition, VariablesContract } from "../../src/mustache/variables.js";

const text = { type: "string" } as const;
const price = { type: "object", properties: { price: text, gift: text }, required: ["price"] } as const;
const contract: VariablesContract = {
  input: { type: "object", properties: { name: text, vip: { type: "boolean" }, items: { type: "array" } } },
  derived: {
    type: "object",
    properties: {
      total: text,
      note: text,
      summary: { type: "object", properties: { net: text }, required: ["net"] },
      lines: { type: "array", items: price },
    },
    required: ["total", "summary", "lines"],
  },
  conditions: [],
};
const printedIn = (...texts: string[]) => printedDerived(texts, contract);

test("are those that are printed for every value, wherever they are found", () => {
  expect(printedIn("{{name}} {{total}}", "{{#lines}}{{price}} of {{total}}{{/lines}} {{{summary.net}}}")).toEqual([
    "lines[].price",
    "summary.net",
    "total",
  ]);
});

test.each([
  ["a section over it", "{{#total}}{{total}}{{/total}}"],
  ["a section over something else", "{{#vip}}{{total}}{{/vip}}{{^vip}}{{total}}{{/vip}}"],
  ["an alternative", "{{total}}{{^total}}nothing{{/total}}"],
  ["a section over its parent", "{{#summary}}x{{/summary}}{{summary.net}}"],
  ["an example without it", "{{note}}{{#lines}}{{gift}}{{/lines}}"],
  ["being only iterated", "{{#lines}}x{{/lines}}"],
])("are not those that may be absent because of %s", (_, body) => {
  expect(printedIn(body)).toEqual([]);
});

test("are those of items, even if their positions are tested", () => {
  const isLast: Condition = { name: "is_last", within: ["lines"], path: ".", test: { kind: "among-last", count: 1 } };
  const body = "{{#lines}}{{price}}{{^is_last}}, {{/is_last}}{{/lines}}";
  expect(printedDerived([body], { ...contract, conditions: [isLast] })).toEqual(["lines[].price"]);
});

test("are not those that a condition tests", () => {
  const isPresent: Condition = { name: "total__is_present", within: [], path: "total", test: { kind: "present" } };
  const body = "{{total}}{{#total__is_present}}, as agreed{{/total__is_present}}";
  expect(printedDerived([body], { ...contract, conditions: [isPresent] })).toEqual([]);
});

test("are those that a printed computed value needs", () => {
  const of = (name: string, ...names: string[]): Condition => ({
    name,
    within: [],
    path: ".",
    test: {
      kind: "computed",
      expression: {
        kind: "binary",
        operator: name === "fallback" ? "??" : "+",
        left: { kind: "variable", names },
        right: { kind: "value", value: "!" },
      },
    },
  });
  const conditions = [of("sum", "total"), of("fallback", "summary", "net"), of("unused", "lines")];
  expect(printedDerived(["{{sum}} {{fallback}}"], { ...contract, conditions })).toEqual(["total"]);
});
