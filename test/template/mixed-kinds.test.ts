import { describe, expect, test } from "vitest";
import { mixedKinds } from "../../src/template/mixed-kinds.js";
import type { Fixture, Template } from "../../src/template/template.js";

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
  test("name both fixtures, and stand where the second is", () => {
    expect(findings({ default: { order: { items: [] } }, empty: { order: { items: { name: "Tea" } } } })).toEqual([
      `empty.json:3:14 order.items is an object in the fixture "empty", and a list in the fixture "default".`,
    ]);
  });

  test("are found among items, at every depth, each once", () => {
    expect(
      findings({ default: { items: [{ a: "x" }, "y", { a: ["z"] }, "y"] }, other: { items: [{ a: [1] }] } }),
    ).toEqual([
      `default.json:6:5 items[1] is a text in the fixture "default", and items[0] is an object.`,
      `default.json:8:12 items[2].a is a list in the fixture "default", and items[0].a is a text.`,
    ]);
  });

  test("texts and numbers are alike, and null, true and false go with anything", () => {
    expect(findings({ a: { x: 1, y: [1], z: { a: 1 } }, b: { x: "1", y: false, z: null }, c: { x: true } })).toEqual(
      [],
    );
  });
});
