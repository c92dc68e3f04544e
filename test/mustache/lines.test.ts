import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderMustache } from "../../src/mustache/fill.js";
import { separateTags } from "../../src/mustache/scan.js";
import { parse } from "../../src/mustache/parse.js";
import { template, variables } from "./templates.js";

describe("tags that share a line only with other tags", () => {
  test.each([
    ["{{#a}}\nyes\n{{/a}}{{^a}}\nno\n{{/a}}\n", "{{#a}}\nyes\n{{/a}}\n{{^a}}\nno\n{{/a}}\n"],
    ["x\n  {{/a}} \t{{#b}} {{/b}}  \r\ny", "x\n  {{/a}}\n{{#b}}\n{{/b}}  \r\ny"],
    ["{{#a}}{{#b}}", "{{#a}}\n{{#b}}"],
  ])("are put on separate lines: %j", (text, expected) => {
    expect(separateTags(text)).toBe(expected);
  });

  test.each(["{{#a}}\n{{/a}}\n", "{{#a}}x{{/a}}", "{{#a}}{{b}}{{/a}}", "x {{#a}}{{/a}}", "{{#a}}{{/a}} ."])(
    "leaves others unchanged: %j",
    (text) => {
      expect(separateTags(text)).toBe(text);
    },
  );

  test("the result is the same, and engines no longer differ on it", () => {
    fc.assert(
      fc.property(template, variables, (source, values) => {
        // A delimiter tag changes how the next tag must be written, and compiled templates have none.
        fc.pre(!source.includes("{{=") && !source.includes("{{>"));
        const separated = separateTags(source);
        expect(renderMustache(separated, values, { escape: "html" })).toBe(
          renderMustache(source, values, { escape: "html" }),
        );
        expect(parse(separated).problems).toEqual([]);
        expect(separateTags(separated)).toBe(separated);
      }),
      { numRuns: 1000 },
    );
  });
});
