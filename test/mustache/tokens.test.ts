import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderMustache } from "../../src/mustache/fill.js";
import { protect, restore, token, TOKEN, type TagTable } from "../../src/mustache/tokens.js";
import { plainText, template, variables } from "./templates.js";

const file = "/app/templates/hi.html";

function protectAlone(text: string) {
  const tags: TagTable = [];
  const { text: tokenised, problems } = protect(text, file, tags);
  return { text: tokenised, problems, tags };
}

describe("protect", () => {
  test("replaces every tag by a token and records its position", () => {
    expect(protectAlone("Hi\n {{name}}{{#a}}{{{ b }}}{{/a}}")).toEqual({
      text: `Hi\n ${token(0)}${token(1)}${token(2)}${token(3)}`,
      problems: [],
      tags: [
        { text: "{{name}}", at: { file, line: 2, column: 2 } },
        { text: "{{#a}}", at: { file, line: 2, column: 10 } },
        { text: "{{{ b }}}", at: { file, line: 2, column: 16 } },
        { text: "{{/a}}", at: { file, line: 2, column: 25 } },
      ],
    });
  });

  test("continues numbering at the end of the table", () => {
    const tags: TagTable = [{ text: "{{subject}}" }];
    expect(protect("{{a}}", file, tags).text).toBe(token(1));
    expect(tags.map(({ text }) => text)).toEqual(["{{subject}}", "{{a}}"]);
  });

  test.each([
    ["inline", "a{{! x }}b", "ab"],
    ["alone on its line", "a\n  {{! x }} \nb", "a\nb"],
    ["several on a line", "a\n {{! x }} {{! y }}\nb", "a\nb"],
    ["of several lines", "a\n{{!\n x\n}}\nb", "a\nb"],
    ["next to text", "a\n b {{! x }}\nc", "a\n b \nc"],
    ["next to a section", "{{#a}}{{! x }}\nb{{/a}}", `${token(0)}\nb${token(1)}`],
    ["that contains the start of a tag", "a{{! {{x }}b", "ab"],
  ])("drops a comment %s", (_, source, expected) => {
    expect(protectAlone(source).text).toBe(expected);
  });

  test("reports what isn't valid Mustache, and leaves it", () => {
    const { text, problems, tags } = protectAlone("{{#a}}{{b");
    expect(text).toBe(`${token(0)}{{b`);
    expect(tags).toHaveLength(1);
    expect(problems.map(({ offset }) => offset)).toEqual([0, 6]);
  });

  test.each([["\uE000"], ["\uE001"], ["\uE0000\uE001"]])(
    "reports characters that are used in tokens: %j",
    (reserved) => {
      const code = reserved.startsWith("\uE000") ? "E000" : "E001";
      expect(protectAlone(`a${reserved}`).problems).toEqual([
        {
          message: `The character U+${code} is reserved for compiling.`,
          offset: 1,
          hint: expect.stringContaining(`&#x${code};`),
        },
      ]);
    },
  );
});

describe("restore", () => {
  const tags = [
    "{{a}}",
    "{{ a }}",
    "{{{a}}}",
    "{{{ a }}}",
    "{{&a}}",
    "{{ & a }}",
    "{{.}}",
    "{{#a}}",
    "{{^a}}",
    "{{/a}}",
  ].map((text) => ({ text }));
  const tokens = tags.map((_, index) => token(index)).join(" ");

  test("as HTML restores the tags as they were written", () => {
    expect(restore(tokens, tags, "html")).toBe(tags.map(({ text }) => text).join(" "));
  });

  test("as text restores variables without escaping, and sections as they were written", () => {
    expect(restore(tokens, tags, "text")).toBe(`${"{{{a}}} ".repeat(6)}{{{.}}} {{#a}} {{^a}} {{/a}}`);
  });

  test("can restore one tag in several places, and leaves a token without a tag", () => {
    expect(restore(`${token(0)}${token(0)}${token(99)}`, tags, "html")).toBe(`{{a}}{{a}}${token(99)}`);
  });

  test("restores names with dollar signs unchanged", () => {
    expect(restore(token(0), [{ text: "{{$&}}" }], "html")).toBe("{{$&}}");
  });
});

describe("random Mustache", () => {
  const withoutComments = template.map((source) => source.replace(/\{\{!.*?\}\}/gs, ""));

  test("is restored exactly", () => {
    fc.assert(
      fc.property(withoutComments, (source) => {
        const { text, tags, problems } = protectAlone(source);
        expect(problems).toEqual([]);
        expect(text).not.toMatch(/\{\{/);
        expect(restore(text, tags, "html")).toBe(source);
      }),
      { numRuns: 1000 },
    );
  });

  test("keeps its tags and their order if the text around it is moved, copied and cut", () => {
    fc.assert(
      fc.property(template, plainText, (source, noise) => {
        const { text, tags } = protectAlone(source);
        const moved = text
          .replaceAll("a", noise)
          .toUpperCase()
          .replace(TOKEN, (whole) => `<i>${whole}</i>`);
        const restored = restore(moved, tags, "html");
        let from = 0;
        for (const tag of tags) {
          const at = restored.indexOf(tag.text, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + tag.text.length;
        }
        expect(restored.length).toBe(
          moved.replace(TOKEN, "").length + tags.reduce((sum, tag) => sum + tag.text.length, 0),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test("has the same meaning without its comments", () => {
    fc.assert(
      fc.property(template, variables, (source, values) => {
        const { text, tags } = protectAlone(source);
        const render = (mustache: string) => renderMustache(mustache, values, { escape: "html" });
        expect(render(restore(text, tags, "html"))).toBe(render(source));
      }),
      { numRuns: 1000 },
    );
  });

  test("as text has the same meaning, without escaping", () => {
    const withoutDelimiters = template.map((source) => source.replace(/\{\{=.*?=\}\}<%.*?=%>/gs, ""));
    fc.assert(
      fc.property(withoutDelimiters, variables, (source, values) => {
        const { text, tags } = protectAlone(source);
        const plain = renderMustache(restore(text, tags, "text"), values, { escape: "html" });
        expect(plain).toBe(renderMustache(source, values, { escape: "none" }));
      }),
      { numRuns: 1000 },
    );
  });
});
