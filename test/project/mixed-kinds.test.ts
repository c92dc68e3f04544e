import { describe, expect, test } from "vitest";
import { mixedKinds } from "../../src/project/mixed-kinds.js";
import type { Fixture, Template } from "../../src/project/template.js";

/** What is wrong with these fixtures, as `file:line:column message`. */
function findings(fixtures: Readonly<Record<string, Fixture["variables"]>>): string[] {
  const template: Template = {
    name: "receipt",
    engine: "html",
    root: "/t",
    folder: "/t/receipt",
    body: { file: "/t/receipt/receipt.html", text: "" },
    metadata: {},
    fixtures: Object.entries(fixtures).map(([name, variables]) => ({
      name,
      source: { file: `${name}.json`, text: JSON.stringify(variables, undefined, 2) },
      variables,
    })),
  };
  return mixedKinds(template).map(({ at, message }) => `${at?.file}:${at?.line}:${at?.column} ${message}`);
}

describe("mixed kinds", () => {
  test("name both fixtures, with the position in the second", () => {
    expect(findings({ default: { order: { items: [] } }, empty: { order: { items: { name: "Tea" } } } })).toEqual([
      `empty.json:3:14 order.items is an object in the fixture "empty", and a list in the fixture "default" (line 3).`,
    ]);
  });

  test("are found in items, at every depth, each once", () => {
    expect(
      findings({ default: { items: [{ a: "x" }, "y", { a: ["z"] }, "y"] }, other: { items: [{ a: [1] }] } }),
    ).toEqual([
      `default.json:6:5 items[1] is a string in the fixture "default", and items[0] is an object (line 3).`,
      `default.json:8:12 items[2].a is a list in the fixture "default", and items[0].a is a string (line 4).`,
    ]);
  });

  test("a number in one fixture and a string in the other are reported", () => {
    expect(findings({ default: { total: 12 }, other: { total: "12.00" }, third: { total: "1" } })).toEqual([
      `other.json:2:12 total is a string in the fixture "other", and a number in the fixture "default" (line 2).`,
    ]);
    expect(findings({ a: { x: "" }, b: { x: 4 }, c: { x: "4" } })).toEqual([
      `c.json:2:8 x is a string in the fixture "c", and a number in the fixture "b" (line 2).`,
    ]);
    expect(findings({ default: { lines: [{ price: 4 }, { price: "€ 4.50" }] } })).toEqual([
      `default.json:7:16 lines[1].price is a string in the fixture "default", and lines[0].price is a number (line 4).`,
    ]);
  });

  test("strings next to numbers in a list, an empty string, null, true and false match anything", () => {
    expect(findings({ a: { x: 1, y: [1], z: { a: 1 } }, b: { x: "", y: false, z: null }, c: { x: true } })).toEqual([]);
    expect(findings({ default: { rows: [{ value: 4 }, { value: "Standard" }] } })).toEqual([]);
    expect(findings({ a: { rows: [{ value: 4 }] }, b: { rows: [{ value: "none" }] } })).toEqual([]);
  });
});
