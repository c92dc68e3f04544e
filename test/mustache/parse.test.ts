import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, type MustacheNode } from "../../src/mustache/parse.js";
import type { Span } from "../../src/mustache/scan.js";
import { template } from "./templates.js";

function problemsOf(source: string): unknown[][] {
  return parse(source).problems.map(({ offset, message, hint }) => [offset, message, hint]);
}

function nested(levels: number): string {
  return "{{#a}}".repeat(levels) + "{{/a}}".repeat(levels);
}

describe("nodes", () => {
  test("text, a variable, a section with its closing tag: each with exact offsets", () => {
    expect(parse("Hi {{name}}!{{#a}}{{{ b }}}{{/a}}")).toEqual({
      problems: [],
      nodes: [
        { kind: "text", text: "Hi ", start: 0, end: 3 },
        { kind: "variable", name: "name", escaped: true, start: 3, end: 11 },
        { kind: "text", text: "!", start: 11, end: 12 },
        {
          kind: "section",
          name: "a",
          inverted: false,
          children: [{ kind: "variable", name: "b", escaped: false, start: 18, end: 27 }],
          start: 12,
          end: 18,
          close: { start: 27, end: 33 },
        },
      ],
    });
  });

  test("the line of a standalone tag is not text, and a partial has its indentation", () => {
    expect(parse("a\n  {{> p }}\n{{! c }}\n{{^b}}{{/b}}\n").nodes).toEqual([
      { kind: "text", text: "a\n", start: 0, end: 2 },
      { kind: "partial", name: "p", indent: "  ", start: 4, end: 12 },
      { kind: "comment", start: 13, end: 21 },
      { kind: "section", name: "b", inverted: true, children: [], start: 22, end: 28, close: { start: 28, end: 34 } },
    ]);
  });

  test("delimiters are a node, and apply to what follows", () => {
    expect(parse("{{=<% %>=}}<%&a%><%{b}%>{{c}}").nodes).toEqual([
      { kind: "delimiters", start: 0, end: 11 },
      { kind: "variable", name: "a", escaped: false, start: 11, end: 17 },
      { kind: "variable", name: "b", escaped: false, start: 17, end: 24 },
      { kind: "text", text: "{{c}}", start: 24, end: 29 },
    ]);
  });

  test("accepts names that only some engines know, and braces that are text", () => {
    expect(parse("{{a b}}{{@i}}{{../c}}{{'d'}}@media{a{b:c}}{{e}}}").problems).toEqual([]);
  });

  test("nodes are in order inside their parent, and are slices of the source", () => {
    const check = (source: string, nodes: readonly MustacheNode[], within: Span): void => {
      let from = within.start;
      for (const node of nodes) {
        expect(node.start).toBeGreaterThanOrEqual(from);
        const cut = source.slice(node.start, node.end);
        if (node.kind === "text") expect(cut).toBe(node.text);
        else expect(cut).toMatch(/^(?:\{\{[^]*\}\}|<%[^]*%>)$/);
        if (node.kind === "section") check(source, node.children, { start: node.end, end: node.close?.start ?? -1 });
        from = node.kind === "section" ? (node.close?.end ?? -1) : node.end;
      }
      expect(from).toBeLessThanOrEqual(within.end);
    };
    fc.assert(
      fc.property(template, (source) => {
        const { nodes, problems } = parse(source);
        expect(problems).toEqual([]);
        check(source, nodes, { start: 0, end: source.length });
      }),
      { numRuns: process.env["MODE"] === "long" ? 5000 : 100 },
    );
  });
});

describe("problems", () => {
  test.each([
    ["a tag that is never closed", "Hi {{name\nnext", [[3, "The tag {{name is never closed.", "Close it with }}."]]],
    [
      "a tag that is closed with one brace",
      "{{name}, {{b}}",
      [[0, "The tag {{name}, is never closed.", "Close it with }}."]],
    ],
    ["two braces instead of three", "{{{a}} {{b}}", [[0, "The tag {{{a}} is never closed.", "Close it with }}}."]]],
    [
      "two braces instead of three, with three later",
      "{{{a}} b}}}",
      [[0, "The tag {{{a}} b}}} is never closed.", "Close it with }}}."]],
    ],
    ["an empty tag", "a{{ }}", [[1, "The tag {{ }} is empty.", "Write the name of a variable into it."]]],
    [
      "a section that is never closed",
      "{{#items}}{{/user}}{{#items}}{{/items}}",
      [
        [0, "The section {{#items}} is never closed.", "Add {{/items}} where it ends."],
        [
          10,
          "{{/user}} closes a section that is not open here.",
          "Remove it, or add {{#user}} where the section begins.",
        ],
      ],
    ],
    [
      "a closing tag without an opening one",
      "a{{/b}}",
      [[1, "{{/b}} closes a section that is not open here.", "Remove it, or add {{#b}} where the section begins."]],
    ],
    [
      "a misspelt closing tag",
      "{{#items}}{{/item}}",
      [[10, "{{/item}} does not close {{#items}}.", "Write {{/items}}."]],
    ],
    [
      "a Handlebars helper",
      "{{#if user}}{{/if}}",
      [[12, "{{/if}} does not close {{#if user}}.", 'Mustache has no "if": both tags contain the same variable name.']],
    ],
    [
      "sections that cross",
      "{{#a}}{{#b}}{{/a}}{{/b}}",
      [[6, "The section {{#b}} is still open where {{/a}} closes the one around it.", "Put {{/b}} before {{/a}}."]],
    ],
    [
      "a Handlebars else",
      "{{#a}}{{^}}{{/a}}",
      [[6, "The tag {{^}} is empty.", "Write the name of a variable into it."]],
    ],
    [
      "a single delimiter",
      "{{=<%=}}",
      [
        [
          0,
          "{{=<%=}} does not set delimiters.",
          "Write two delimiters, separated by a space and without an equals sign: {{=<% %>=}}.",
        ],
      ],
    ],
    [
      "three delimiters",
      "{{=a b c=}}",
      [
        [
          0,
          "{{=a b c=}} does not set delimiters.",
          "Write two delimiters, separated by a space and without an equals sign: {{=<% %>=}}.",
        ],
      ],
    ],
    [
      "an opening tag without a name, which opens no section",
      "{{#}}a",
      [[0, "The tag {{#}} is empty.", "Write the name of a variable into it."]],
    ],
    [
      "a closing tag without a name, which closes the open section",
      "{{#a}}b{{/}}",
      [[7, "The tag {{/}} is empty.", "Write the name of a variable into it."]],
    ],
    [
      "several, in order",
      "{{#a}}{{}}{{b",
      [
        [0, "The section {{#a}} is never closed.", "Add {{/a}} where it ends."],
        [6, "The tag {{}} is empty.", "Write the name of a variable into it."],
        [10, "The tag {{b is never closed.", "Close it with }}."],
      ],
    ],
  ])("%s: %j", (_, source, expected) => {
    expect(problemsOf(source)).toEqual(expected);
  });

  test("a long tag is truncated, and put on one line", () => {
    const [problem] = parse(`{{#${"long ".repeat(20)}\n}}`).problems;
    expect(problem?.message).toBe("The section {{#long long long long long long long lo… is never closed.");
  });

  test("after a problem, the rest is parsed as if it were fixed", () => {
    const { nodes } = parse("{{#items}}{{name}, {{price}}{{/item}}{{total}}");
    expect(nodes).toMatchObject([
      { kind: "section", children: [{ text: "{{name}, " }, { name: "price" }], close: { start: 28 } },
      { kind: "variable", name: "total" },
    ]);
  });

  test("nesting is limited, so that malicious templates can't exhaust the stack", () => {
    expect(parse(nested(200)).problems).toEqual([]);
    expect(parse(nested(8000)).problems).toEqual([
      { message: "Sections are nested more than 200 deep.", offset: 1200 },
    ]);
  });

  test.each([
    ["no end", "{{{a}}".repeat(100_000)],
    ["no valid delimiters", "{{=".repeat(200_000)],
    ["tags in tags", "{{a ".repeat(150_000)],
    ["one end at the very end", `${"{{{a}}".repeat(100_000)}}}}`],
    ["long and similar names", `{{#${"a".repeat(300_000)}}}{{/${"b".repeat(300_000)}}}`],
  ])("parsing malicious input takes time in proportion to its length: %s", (_, source) => {
    expect(parse(source).problems).not.toEqual([]);
  });

  test("any input is parsed to its end without an exception, and problems are positioned in it", () => {
    const pieces = fc.constantFrom(
      "{{",
      "}}",
      "{",
      "}",
      "#",
      "/",
      "^",
      "=",
      "!",
      ">",
      "&",
      "a",
      "b",
      " ",
      "\n",
      "<%",
      "%>",
      "{{=<% %>=}}",
      "{{#a}}",
      "{{/a}}",
      ".",
    );
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join("")),
        (source) => {
          const offsets = parse(source).problems.map(({ offset }) => offset);
          expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
          for (const offset of offsets) expect(source.charAt(offset)).not.toBe("");
        },
      ),
      { numRuns: process.env["MODE"] === "long" ? 20_000 : 300 },
    );
  });
});
