import { describe, expect, test } from "vitest";
import { completeVariables } from "../../src/mustache/complete.js";
import { renderMustache } from "../../src/mustache/fill.js";
import type { Condition, Variables } from "../../src/mustache/variables.js";

type TestedCondition = Partial<Omit<Condition, "path">> & Pick<Condition, "path">;

function withConditions(variables: Variables, ...tested: readonly TestedCondition[]): Variables {
  const conditions = tested.map(
    (condition) => ({ name: "is", within: [], test: { kind: "present" }, ...condition }) as const,
  );
  return completeVariables({ input: {}, conditions }, variables);
}

describe("tests", () => {
  const values = [undefined, null, false, true, 0, 1, "", "0", "x", [], [0], {}];
  const answers = (condition: Condition["test"]) =>
    values.filter((value) => withConditions({ value }, { path: "value", test: condition }).is === true);

  test("present: neither absent nor null", () => {
    expect(answers({ kind: "present" })).toEqual([false, true, 0, 1, "", "0", "x", [], [0], {}]);
  });
  test("has-items: a list that isn't empty", () => {
    expect(answers({ kind: "has-items" })).toEqual([[0]]);
  });
  test("truthy: as in JavaScript", () => {
    expect(answers({ kind: "truthy" })).toEqual([true, 1, "0", "x", [], [0], {}]);
  });
  test("empty: a value that prints nothing", () => {
    expect(answers({ kind: "empty" })).toEqual([undefined, null, "", []]);
  });
  test("equals: exactly that value, or null for an absent one", () => {
    expect(answers({ kind: "equals", value: 0 })).toEqual([0]);
    expect(answers({ kind: "equals", value: "" })).toEqual([""]);
    expect(answers({ kind: "equals", value: false })).toEqual([false]);
    expect(answers({ kind: "equals", value: null })).toEqual([undefined, null]);
  });
  test("null: passed as null, not omitted", () => {
    expect(answers({ kind: "null" })).toEqual([null]);
    const input = {
      type: "object",
      properties: { note: {}, items: { type: "array", items: { type: "object", properties: { note: {} } } } },
    } as const;
    const conditions = [
      { name: "is", within: ["items"], path: "note", test: { kind: "null" } },
      { name: "first", within: [], path: "items", test: { kind: "item", index: 0 } },
      { name: "second", within: [], path: "items", test: { kind: "item", index: 1 } },
      { name: "firstNote", within: [], path: "first.note", test: { kind: "null" } },
      { name: "isSecondNull", within: [], path: "second", test: { kind: "null" } },
      { name: "isNull", within: [], path: "note", test: { kind: "null" } },
    ] as const;
    const answered = (variables: Variables) => completeVariables({ input, conditions }, variables);
    expect(answered({ note: null, items: [{ note: null }, { note: undefined }, {}, { note: "a" }] })).toMatchObject({
      items: [{ is: true }, { is: false }, { is: false }, { is: false }],
      firstNote: true,
      isNull: true,
    });
    expect(answered({ items: [{}] })).toMatchObject({ firstNote: false, isSecondNull: false, isNull: false });
  });
  test("compares: only numbers, and null is not a number", () => {
    expect(answers({ kind: "compares", operator: "<", value: 1 })).toEqual([0]);
    expect(answers({ kind: "compares", operator: "<=", value: 1 })).toEqual([0, 1]);
    expect(answers({ kind: "compares", operator: ">", value: -1 })).toEqual([0, 1]);
    expect(answers({ kind: "compares", operator: ">=", value: 1 })).toEqual([1]);
  });
  test("has-exactly: lists and strings", () => {
    expect(answers({ kind: "has-exactly", count: 1 })).toEqual(["0", "x", [0]]);
    expect(answers({ kind: "has-exactly", count: 2 })).toEqual([]);
  });
  test("has-at-least: lists and strings", () => {
    expect(answers({ kind: "has-at-least", count: 1 })).toEqual(["0", "x", [0]]);
    expect(answers({ kind: "has-at-least", count: 2 })).toEqual([]);
  });
  test("some and every: only lists, and every is true for an empty list", () => {
    const isZero = { kind: "equals", value: 0 } as const;
    expect(answers({ kind: "some", path: ".", test: isZero })).toEqual([[0]]);
    expect(answers({ kind: "every", path: ".", test: isZero })).toEqual([[], [0]]);
    const members = { list: [{ a: { b: 1 } }, {}] };
    const some = { kind: "some", path: "a.b", test: { kind: "present" } } as const;
    expect(withConditions(members, { path: "list", test: some })).toMatchObject({ is: true });
    expect(withConditions(members, { path: "list", test: { ...some, kind: "every" } })).toMatchObject({ is: false });
  });
  test("a condition that isn't met is false, not absent", () => {
    expect(withConditions({}, { path: "a.b.c" })).toEqual({ is: false });
  });
});

describe("places", () => {
  test("conditions on dotted names are added next to their first part", () => {
    expect(withConditions({ a: { b: 1 } }, { path: "a.b" })).toEqual({ a: { b: 1 }, is: true });
  });

  test("in every item of a list, and of lists in it", () => {
    const variables = { orders: [{ items: [{ note: "a" }, { note: null }] }, { items: [] }] };
    expect(withConditions(variables, { within: ["orders", "items"], path: "note" })).toEqual({
      orders: [
        {
          items: [
            { note: "a", is: true },
            { note: null, is: false },
          ],
        },
        { items: [] },
      ],
    });
  });

  test("in an object's section, with dotted names", () => {
    const variables = { a: { b: { c: 1 } } };
    expect(withConditions(variables, { within: ["a.b"], path: "c" })).toEqual({ a: { b: { c: 1, is: true } } });
  });

  test("next to the value if a section uses a value from outside", () => {
    const variables = { note: "outer", items: [{ note: null }, {}] };
    expect(withConditions(variables, { within: ["items"], path: "note" })).toEqual({
      note: "outer",
      is: true,
      items: [{ note: null, is: false }, {}],
    });
  });

  test("in sections over booleans and strings, which contain no names", () => {
    expect(
      withConditions({ vip: true, name: "a", note: "b" }, { within: ["vip", "name"], path: "note" }),
    ).toMatchObject({ is: true });
  });

  test("the item itself", () => {
    expect(withConditions({ items: [{ a: 1 }] }, { within: ["items"], path: "." })).toEqual({
      items: [{ a: 1, is: true }],
    });
  });

  test("not added if the section is hidden", () => {
    expect(
      withConditions({ items: [], user: null }, { within: ["items"], path: "a" }, { within: ["user"], path: "a" }),
    ).toEqual({ items: [], user: null });
  });

  test("several conditions are distinguished by their names", () => {
    const conditions = [
      { name: "isPaid", path: "state", test: { kind: "equals", value: "paid" } },
      { name: "hasItems", path: "items", test: { kind: "has-items" } },
    ] as const;
    expect(withConditions({ state: "paid", items: [] }, ...conditions)).toMatchObject({
      isPaid: true,
      hasItems: false,
    });
  });
});

describe("positions of items", () => {
  const items = [{ n: 0 }, { n: 1 }, { n: 2 }];
  const atPosition = (kind: "among-first" | "among-last", count: number) =>
    withConditions({ items }, { within: ["items"], path: ".", test: { kind, count } });

  test("among the first, among the last", () => {
    expect(atPosition("among-first", 1)).toMatchObject({ items: [{ is: true }, { is: false }, { is: false }] });
    expect(atPosition("among-last", 1)).toMatchObject({ items: [{ is: false }, { is: false }, { is: true }] });
    expect(atPosition("among-last", 2)).toMatchObject({ items: [{ is: false }, { is: true }, { is: true }] });
  });

  test("in a nested list, per outer item", () => {
    const variables = { orders: [{ items: [{}, {}] }, { items: [{}] }] };
    const condition = { within: ["orders", "items"], path: ".", test: { kind: "among-last", count: 1 } } as const;
    expect(withConditions(variables, condition)).toEqual({
      orders: [{ items: [{ is: false }, { is: true }] }, { items: [{ is: true }] }],
    });
  });
});

describe("selections", () => {
  const select = (value: unknown, selection: Condition["test"]): unknown =>
    withConditions({ value }, { path: "value", test: selection }).is;

  test("an item from either end; null if there is none", () => {
    expect([0, 1, -1, 2].map((index) => select(["a", "b"], { kind: "item", index }))).toEqual(["a", "b", "b", null]);
    expect(select(null, { kind: "item", index: 0 })).toBe(null);
  });

  test("the items in objects, and conditions on them", () => {
    const conditions = [
      { name: "tags__items", path: "tags", test: { kind: "items", as: "tags__item" } },
      { name: "is_first", within: ["tags__items"], path: ".", test: { kind: "among-first", count: 1 } },
      { name: "is_new", within: ["tags__items"], path: "tags__item", test: { kind: "equals", value: "new" } },
    ] as const;
    expect(withConditions({ tags: ["a", "new"] }, ...conditions)).toEqual({
      tags: ["a", "new"],
      tags__items: [
        { tags__item: "a", is_first: true, is_new: false },
        { tags__item: "new", is_first: false, is_new: true },
      ],
    });
  });

  test("a length, and a value under another name", () => {
    expect([["a"], "abc", null, 3].map((value) => select(value, { kind: "length" }))).toEqual([1, 3, null, null]);
    expect(select({ a: 1 }, { kind: "value" })).toEqual({ a: 1 });
  });
});

test("a section over a condition is shown exactly if the condition is met", () => {
  const template =
    "{{#orders}}({{#items}}{{#hasNote}}{{note}}{{/hasNote}}{{^hasNote}}-{{/hasNote}}{{/items}}){{/orders}}";
  const variables = {
    note: "outer",
    orders: [{ items: [{ note: "a" }, { note: null }, {}] }, { note: null, items: [{}, { note: "b" }] }],
  };
  const completed = withConditions(variables, { name: "hasNote", within: ["orders", "items"], path: "note" });
  expect(renderMustache(template, completed, { escape: "none" })).toBe("(a-outer)(-b)");
});
