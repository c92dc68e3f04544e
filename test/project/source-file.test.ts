import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonPosition, parseJson } from "../../src/project/source-file.js";

function problemIn(text: string): string {
  const { problem } = parseJson({ file: "f.json", text });
  return problem === undefined ? "none" : `${problem.at.line}:${problem.at.column} ${problem.message}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("parseJson", () => {
  test("returns what JSON.parse returns", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, "\t"), (text, indent) => {
        const formatted = JSON.stringify(JSON.parse(text), undefined, indent);
        expect(parseJson({ file: "f", text: formatted })).toEqual({ value: JSON.parse(formatted) });
      }),
    );
  });

  test("finds a problem exactly if JSON.parse throws", () => {
    const character = fc.constantFrom(...Array.from(`{}[]:,"\\ \n\t0123456789-+.eEtrufalsn/*'a\u0001é`));
    const broken = fc
      .record({ text: fc.json({ maxDepth: 2 }), place: fc.nat(), character, removed: fc.nat({ max: 1 }) })
      .map(({ text, place, character: added, removed }) => {
        const at = place % (text.length + 1);
        return text.slice(0, at) + added + text.slice(at + removed);
      });
    fc.assert(
      fc.property(broken, (text) => {
        const { problem } = parseJson({ file: "f", text });
        expect(problem === undefined).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["", "1:1 The file ends where a value is expected."],
    [`{\n  "a": 1,\n}`, `2:9 Trailing comma before "}".`],
    [`[\n1,]`, `2:2 Trailing comma before "]".`],
    [`{\n  a: 1 }`, "2:3 Expected a name in double quotes, found a."],
    [`{ "😀": 'x' }`, "1:9 Names and strings need double quotes."],
    [`// what it is\n{}`, "1:1 JSON has no comments."],
    [`{ "a" 1 }`, "1:7 Expected a colon, found 1."],
    [`{ "a": 1\n  "b": 2 }`, `2:3 Expected a comma or "}", found a double quote.`],
    [`{} {}`, `1:4 Expected the end of the file, found "{".`],
    [`{ "a": "b\n" }`, "1:8 This string is not closed on its line."],
    [`{ "a": "C:\\Users" }`, "1:8 This string contains a backslash or tab that JSON does not allow."],
    [`{ "a": 01 }`, "1:8 Expected a value, found 01."],
    [`{ "a": undefined }`, "1:8 Expected a value, found undefined."],
  ])("describes what is wrong with %j", (text, problem) => {
    expect(problemIn(text)).toBe(problem);
  });

  test("an unclosed string takes no longer than a closed one", () => {
    expect(problemIn(`{ "a": "${"a\\\\".repeat(200_000)}`)).toBe("1:8 This string is not closed on its line.");
  });
});

describe("jsonPosition", () => {
  const text = `{\n  "order": {\n    "lines": [\n      { "name": "Tea" },\n      { "na\\u006de": "Jam", "price": 3 }\n    ]\n  }\n}`;
  const at = (...path: PropertyKey[]): string => {
    const { line, column } = jsonPosition({ file: "f.json", text }, path);
    return `${line}:${column}`;
  };

  test("of a value", () => {
    expect(at()).toBe("1:1");
    expect(at("order", "lines")).toBe("3:14");
    expect(at("order", "lines", 1)).toBe("5:7");
    expect(at("order", "lines", 1, "name")).toBe("5:22");
    expect(at("order", "lines", "1", "price")).toBe("5:38");
  });

  test("of the nearest existing ancestor of a missing value", () => {
    expect(at("order", "customer", "name")).toBe("2:12");
    expect(at("order", "lines", 0, "price")).toBe("4:7");
    expect(at("order", "lines", 7)).toBe("3:14");
  });

  test("of a name", () => {
    expect(jsonPosition({ file: "f.json", text }, ["order", "lines"], "name")).toEqual({
      file: "f.json",
      line: 3,
      column: 5,
    });
  });
});
