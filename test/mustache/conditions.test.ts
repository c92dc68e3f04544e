import { describe, expect, test } from "vitest";
import { completeVariables } from "../../src/mustache/complete.js";
import { renderMustache } from "../../src/mustache/fill.js";
import type { Condition, Variables } from "../../src/mustache/variables.js";

type Asked = Partial<Omit<Condition, "path">> & Pick<Condition, "path">;

function withConditions(variables: Variables, ...asked: readonly Asked[]): Variables {
  const conditions = asked.map(
    (condition) => ({ name: "is", within: [], test: { kind: "present" }, ...condition }) as const,
  );
  return completeVariables({ input: {}, derived: [], conditions }, variables);
}

describe("tests", () => {
  const values = [undefined, null, false, true, 0, 1, "", "0", "x", [], [0], {}];
  const answers = (asked: Condition["test"]) =>
    values.filter((value) => withConditions({ value }, { path: "value", test: asked }).is === true);

  test("present: neither absent nor null", () => {
    expect(answers({ kind: "present" })).toEqual([false, true, 0, 1, "", "0", "x", [], [0], {}]);
  });
  test("has-items: a list with something in it", () => {
    expect(answers({ kind: "has-items" })).toEqual([[0]]);
  });
  test("truthy: as JavaScript has it", () => {
    expect(answers({ kind: "truthy" })).toEqual([true, 1, "0", "x", [], [0], {}]);
  });
  test("equals: the very value, and null for an absent one", () => {
    expect(answers({ kind: "equals", value: 0 })).toEqual([0]);
    expect(answers({ kind: "equals", value: "" })).toEqual([""]);
    expect(answers({ kind: "equals", value: false })).toEqual([false]);
    expect(answers({ kind: "equals", value: null })).toEqual([undefined, null]);
  });
  test("what doesn't hold is false, never absent", () => {
    expect(withConditions({}, { path: "a.b.c" })).toEqual({ is: false });
  });
});

describe("places", () => {
  test("dotted names are asked about where their first part is", () => {
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

  test("beside the value, where a section takes it from outside", () => {
    const variables = { note: "outer", items: [{ note: null }, {}] };
    expect(withConditions(variables, { within: ["items"], path: "note" })).toEqual({
      note: "outer",
      is: true,
      items: [{ note: null, is: false }, {}],
    });
  });

  test("in sections over booleans and texts, which have no place of their own", () => {
    expect(
      withConditions({ vip: true, name: "a", note: "b" }, { within: ["vip", "name"], path: "note" }),
    ).toMatchObject({ is: true });
  });

  test("the item itself", () => {
    expect(withConditions({ items: [{ a: 1 }] }, { within: ["items"], path: "." })).toEqual({
      items: [{ a: 1, is: true }],
    });
  });

  test("nowhere where the section is hidden", () => {
    expect(
      withConditions({ items: [], user: null }, { within: ["items"], path: "a" }, { within: ["user"], path: "a" }),
    ).toEqual({ items: [], user: null });
  });

  test("several conditions are told apart by their names", () => {
    const asked = [
      { name: "isPaid", path: "state", test: { kind: "equals", value: "paid" } },
      { name: "hasItems", path: "items", test: { kind: "has-items" } },
    ] as const;
    expect(withConditions({ state: "paid", items: [] }, ...asked)).toMatchObject({ isPaid: true, hasItems: false });
  });
});

test("a section over a condition is shown exactly where the condition holds", () => {
  const template =
    "{{#orders}}({{#items}}{{#hasNote}}{{note}}{{/hasNote}}{{^hasNote}}-{{/hasNote}}{{/items}}){{/orders}}";
  const variables = {
    note: "outer",
    orders: [{ items: [{ note: "a" }, { note: null }, {}] }, { note: null, items: [{}, { note: "b" }] }],
  };
  const completed = withConditions(variables, { name: "hasNote", within: ["orders", "items"], path: "note" });
  expect(renderMustache(template, completed, { escape: "none" })).toBe("(a-outer)(-b)");
});
