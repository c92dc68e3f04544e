import { describe, expect, test } from "vitest";
import { LettershopError } from "../../src/errors.js";
import { fill, MustacheSyntaxError, renderMustache } from "../../src/mustache/fill.js";
import type { Variables } from "../../src/mustache/variables.js";

function html(text: string, variables: Variables): string {
  return renderMustache(text, variables, { escape: "html" });
}

function never(): never {
  throw new Error("called");
}

function fillMalformed(): string {
  return html("Hi\n {{#a}}{{}}", {});
}

describe("fill", () => {
  test("escapes only in HTML", () => {
    const fields = { subject: "{{a}}{{{a}}}", html_body: "{{a}}{{{a}}}", text_body: "{{a}}{{{a}}}" };
    expect(fill(fields, { a: "<" })).toEqual({ subject: "<<", html: "&lt;<", text: "<<" });
  });

  test("accepts a whole compiled template", () => {
    const compiled = { name: "hi", description: "", subject: "Hi", html_body: "", text_body: "" };
    expect(fill(compiled, {})).toEqual({ subject: "Hi", html: "", text: "" });
  });
});

describe("values", () => {
  test.each([
    ["a string", "x", "x"],
    ["a number", -0.5, "-0.5"],
    ["NaN", Number.NaN, "NaN"],
    ["a big integer", 10n ** 20n, "100000000000000000000"],
    ["true", true, "true"],
    ["false", false, "false"],
    ["null", null, ""],
    ["undefined", undefined, ""],
    ["a list", [1, [2, null], { toString: never }], "1,2,,[object Object]"],
    ["an object", { toString: never }, "[object Object]"],
    ["a function", never, ""],
    ["a symbol", Symbol("x"), ""],
  ])("%s is printed", (_, value, expected) => {
    expect(html("{{x}}", { x: value })).toBe(expected);
    expect(html("{{{x}}}", { x: value })).toBe(expected);
  });

  test("every character with a meaning in HTML or an attribute is escaped", () => {
    expect(html("{{x}}", { x: `&<>"'/\`=` })).toBe("&amp;&lt;&gt;&quot;&#39;&#x2F;&#x60;&#x3D;");
    expect(renderMustache("{{x}}", { x: `&<>"'/\`=` }, { escape: "none" })).toBe(`&<>"'/\`=`);
  });

  test("values are never read as Mustache", () => {
    expect(html("{{{x}}}{{{y}}}", { x: "{{y}}", y: "{{#x}}" })).toBe("{{y}}{{#x}}");
  });

  test("functions are never called, not even in sections", () => {
    expect(html("({{#f}}a{{/f}}{{^f}}b{{/f}}{{f}}{{o.f.g}})", { f: never, o: { f: never } })).toBe("(b)");
  });
});

describe("lookup", () => {
  test("null ends the lookup, undefined does not", () => {
    expect(html("{{#a}}({{n}}){{/a}}", { n: "outer", a: { n: null } })).toBe("()");
    expect(html("{{#a}}({{n}}){{/a}}", { n: "outer", a: { n: undefined } })).toBe("(outer)");
    expect(html("{{#a}}({{n.m}}){{/a}}", { n: { m: "outer" }, a: { n: null } })).toBe("()");
  });

  test("only own properties are found", () => {
    const inherited: Variables = Object.create({ x: "inherited" });
    const names = [
      "constructor",
      "toString",
      "__proto__",
      "hasOwnProperty",
      "constructor.name",
      "list.map",
      "text.length",
      "x",
    ];
    for (const name of names) {
      expect(html(`{{#${name}}}a{{/${name}}}{{${name}}}`, Object.assign(inherited, { list: [], text: "abc" }))).toBe(
        "",
      );
    }
  });

  test("inherited names are ordinary if variables have them", () => {
    const variables: Variables = JSON.parse('{ "__proto__": { "x": 1 }, "constructor": "c", "toString": "t" }');
    expect(html("{{__proto__.x}}{{constructor}}{{toString}}", variables)).toBe("1ct");
  });

  test("variables may have a null prototype", () => {
    expect(
      html("{{a.b}}", Object.assign(Object.create(null), { a: Object.assign(Object.create(null), { b: 1 }) })),
    ).toBe("1");
  });
});

describe("malformed text", () => {
  test("is rejected with its position and every problem", () => {
    expect(fillMalformed).toThrow(MustacheSyntaxError);
    expect(fillMalformed).toThrow("Malformed Mustache at line 2, column 2: The section {{#a}} is never closed.");
    try {
      fillMalformed();
    } catch (error) {
      expect(error).toBeInstanceOf(LettershopError);
      expect(error).toMatchObject({
        code: "mustache_syntax",
        hint: "Add {{/a}} where it ends.",
        problems: [{ offset: 4 }, { offset: 10 }],
      });
    }
  });

  test("is rejected again on the next call, when it is cached", () => {
    expect(() => html("{{", {})).toThrow(MustacheSyntaxError);
    expect(() => html("{{", {})).toThrow(MustacheSyntaxError);
  });
});
