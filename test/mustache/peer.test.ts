import * as fc from "fast-check";
import mustache from "mustache";
import { describe, expect, test } from "vitest";
import { renderMustache } from "../../src/mustache/fill.js";
import { parse } from "../../src/mustache/parse.js";
import type { Variables } from "../../src/mustache/variables.js";
import { partials, template, variables } from "./templates.js";

const long = process.env["MODE"] === "long";

function departs(source: string, values: Variables, theirs: string, ours: string): void {
  const twoLines = { p: "1\n2" };
  expect(mustache.render(source, values, twoLines)).toBe(theirs);
  expect(renderMustache(source, values, { escape: "html", partials: twoLines })).toBe(ours);
}

describe("compared with mustache.js", () => {
  test("random templates give the same result", () => {
    fc.assert(
      fc.property(template, variables, (source, values) => {
        expect(renderMustache(source, values, { escape: "html", partials })).toBe(
          mustache.render(source, values, partials),
        );
      }),
      { numRuns: long ? 30_000 : 1000 },
    );
  });

  test("random templates give the same result without escaping", () => {
    fc.assert(
      fc.property(template, variables, (source, values) => {
        const expected = mustache.render(source, values, partials, { escape: String });
        expect(renderMustache(source, values, { escape: "none", partials })).toBe(expected);
      }),
      { numRuns: long ? 5000 : 200 },
    );
  });

  test("what it rejects is a problem here", () => {
    const pieces = fc.array(
      fc.constantFrom(
        "{{",
        "}}",
        "{{{",
        "}}}",
        "{{#a}}",
        "{{/a}}",
        "{{^b}}",
        "{{/b}}",
        "{{&c}}",
        "a",
        " ",
        "\n",
        "{{=<% %>=}}",
        "<%d%>",
      ),
    );
    fc.assert(
      fc.property(
        pieces.map((parts) => parts.join("")),
        (source) => {
          let refused = false;
          try {
            mustache.parse(source);
          } catch {
            refused = true;
          }
          if (refused) expect(parse(source).problems).not.toEqual([]);
        },
      ),
      { numRuns: long ? 30_000 : 1000 },
    );
  });

  test("where it deviates from the specification, this engine does not", () => {
    departs("{{#a}}{{b.c}}{{/a}}", { a: { b: {} }, b: { c: "outer" } }, "outer", "");
    departs("{{#a}}{{b.c}}{{/a}}", { a: { b: null }, b: { c: "outer" } }, "outer", "");
    departs("{{#a}}{{.}}{{/a}}", { a: true }, "[object Object]", "true");
    departs("a{{>p}}", {}, "a1\n 2", "a1\n2");
    departs(" {{>p}}a", {}, "  1\n 2a", " 1\n2a");
    departs("{{name.length}}", { name: "Ada" }, "3", "");
    departs("{{#a}}{{toString}}{{/a}}{{constructor.name}}", { a: {} }, "[object Object]Object", "");
  });
});
