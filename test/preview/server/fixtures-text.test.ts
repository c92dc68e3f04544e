import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fixtureText } from "../../../src/preview/server/fixtures/fixture-text.js";

const json = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
const layouts = fc.record({ indent: fc.constantFrom("  ", "    ", "\t", ""), lineEnd: fc.constantFrom("\n", "\r\n") });

describe("a fixture's text", () => {
  test("contains exactly the variables, whatever the previous text was", () => {
    fc.assert(
      fc.property(json, json, layouts, (variables, former, { indent, lineEnd }) => {
        const before = `${JSON.stringify(former, null, indent)}\n`.replaceAll("\n", lineEnd);
        const text = fixtureText(variables, before);
        expect(JSON.parse(text)).toEqual(variables);
        expect(text.replaceAll("\r\n", "").includes("\r")).toBe(false);
        if (lineEnd === "\r\n") expect(text.replaceAll("\r\n", "").includes("\n")).toBe(false);
      }),
    );
  });

  test("is unchanged if nothing has changed, even in another order", () => {
    fc.assert(
      fc.property(json, layouts, (variables, { indent, lineEnd }) => {
        const before = `${JSON.stringify(variables, null, indent)}\n`.replaceAll("\n", lineEnd);
        const turned = Object.fromEntries(Object.entries(variables).toReversed());
        expect(fixtureText(turned, before)).toBe(before);
      }),
    );
  });

  test("has two spaces and a final line break if there is no style to follow", () => {
    expect(fixtureText({ name: "Ada", lines: [{ price: 4 }], none: [] })).toBe(
      '{\n  "name": "Ada",\n  "lines": [\n    {\n      "price": 4\n    }\n  ],\n  "none": []\n}\n',
    );
  });

  test("keeps the order of names and what was on one line", () => {
    const former = '{\n  "number": "7",\n  "lines": [\n    { "name": "Tea", "price": 4 }\n  ],\n  "sizes": [1, 2]\n}\n';
    const variables = {
      sizes: [1, 2, 3],
      note: "new",
      number: "7",
      lines: [
        { price: 5, name: "Tea" },
        { name: "Jam", price: 3 },
      ],
    };
    expect(fixtureText(variables, former)).toBe(
      '{\n  "number": "7",\n  "lines": [\n    { "name": "Tea", "price": 5 },\n    { "name": "Jam", "price": 3 }\n  ],\n  "sizes": [1, 2, 3],\n  "note": "new"\n}\n',
    );
  });

  test("is written from scratch if the previous text is not JSON", () => {
    expect(fixtureText({ a: 1 }, "{ nothing")).toBe('{\n  "a": 1\n}');
  });
});
