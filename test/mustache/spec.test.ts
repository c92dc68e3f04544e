import { describe, expect, test } from "vitest";
import { renderMustache } from "../../src/mustache/fill.js";
import type { Variables } from "../../src/mustache/variables.js";

/** Rule, template, variables, result, partials. */
type Case = readonly [string, string, Variables, string, Readonly<Record<string, string>>?];

function holds(cases: readonly Case[]): void {
  for (const [rule, template, variables, expected, partials = {}] of cases) {
    test(`${rule}: ${JSON.stringify(template)}`, () => {
      expect(renderMustache(template, variables, { escape: "html", partials })).toBe(expected);
    });
  }
}

describe("interpolation", () => {
  holds([
    ["text without tags is untouched", "Hi { you }\n", {}, "Hi { you }\n"],
    ["a name prints its value", "Hi {{name}}!", { name: "Ada" }, "Hi Ada!"],
    ["HTML is escaped", "{{x}}", { x: `& " < > '` }, "&amp; &quot; &lt; &gt; &#39;"],
    ["three braces don't escape", "{{{x}}}", { x: `& " < >` }, `& " < >`],
    ["an ampersand doesn't escape", "{{&x}}", { x: `& " < >` }, `& " < >`],
    ["whole numbers", "{{a}} {{{a}}} {{&a}}", { a: 85 }, "85 85 85"],
    ["fractions", "{{a}} {{{a}}} {{&a}}", { a: 1.21 }, "1.21 1.21 1.21"],
    ["null prints nothing", "({{a}}{{{a}}}{{&a}})", { a: null }, "()"],
    ["an absent name prints nothing", "({{a}}{{{a}}}{{&a}})", {}, "()"],
    ["a dotted name looks into objects", "{{a.b.c}}{{{a.b.c}}}{{&a.b.c}}", { a: { b: { c: "x" } } }, "xxx"],
    ["a broken chain prints nothing", "({{a.b.c}})", { a: {} }, "()"],
    ["a chain doesn't start again at its second part", "({{a.b.c}})", { a: { b: {} }, c: "no" }, "()"],
    ["the first part is found from inside a section", "{{#a}}{{b.c}}{{/a}}", { a: {}, b: { c: "x" } }, "x"],
    ["the first part found decides", "({{#a}}{{b.c}}{{/a}})", { a: { b: {} }, b: { c: "no" } }, "()"],
    ["a name is one key first, and dots are not part of keys", "({{a.b}})", { "a.b": "no", a: { b: "x" } }, "(x)"],
    [
      "a dotted name that was found as a null stays it",
      "({{#a}}{{b.c}}{{/a}})",
      { a: { b: null }, b: { c: "no" } },
      "()",
    ],
    ["the dot is the context itself", "({{#a}}{{.}}{{{.}}}{{&.}}{{/a}})", { a: "<" }, "(&lt;<<)"],
    ["spaces around are kept", "| {{a}} | {{{a}}} | {{&a}} |", { a: "-" }, "| - | - | - |"],
    ["alone on a line, a variable keeps it", "  {{a}}\n {{{a}}}\n\t{{&a}}\n", { a: "-" }, "  -\n -\n\t-\n"],
    ["spaces inside a tag don't count", "{{ a }}{{{ a }}}{{& a }}{{\n a\t}}", { a: "-" }, "----"],
  ]);
});

describe("sections", () => {
  const people = { people: [{ name: "A" }, { name: "B" }] };
  holds([
    ["true shows", "({{#x}}yes{{/x}})", { x: true }, "(yes)"],
    ["false hides", "({{#x}}no{{/x}})", { x: false }, "()"],
    ["null hides", "({{#x}}no{{/x}})", { x: null }, "()"],
    ["an absent name hides", "({{#x}}no{{/x}})", {}, "()"],
    ["an empty string hides", "({{#x}}no{{/x}})", { x: "" }, "()"],
    ["zero hides", "({{#x}}no{{/x}})", { x: 0 }, "()"],
    ["an object is the context", "{{#p}}{{name}}{{/p}}", { p: { name: "A" } }, "A"],
    ["a string is the context", "{{#p}}{{.}}{{/p}}", { p: "A" }, "A"],
    ["a number is the context", "{{#p}}{{.}}{{/p}}", { p: 7 }, "7"],
    ["true is the context", "{{#p}}{{.}}{{/p}}", { p: true }, "true"],
    ["the outer context is accessible", "{{#p}}{{name}}{{q}}{{/p}}", { p: { name: "A" }, q: "!" }, "A!"],
    ["the inner context hides the outer one", "{{#p}}{{q}}{{/p}}", { p: { q: "in" }, q: "out" }, "in"],
    [
      "a name without an own value is found outside, at any depth",
      "{{#a}}{{#b}}{{#c}}{{x}}{{y}}{{z}}{{/c}}{{/b}}{{/a}}",
      { x: 1, a: { y: 2, b: { z: 3, c: { q: 4 } } } },
      "123",
    ],
    ["a list repeats", "{{#people}}{{name}},{{/people}}", people, "A,B,"],
    ["an empty list hides", "({{#x}}no{{/x}})", { x: [] }, "()"],
    ["items that are false are items", "{{#x}}[{{.}}]{{/x}}", { x: [0, "", false, null] }, "[0][][false][]"],
    ["the dot iterates a list", "{{#x}}({{.}}){{/x}}", { x: ["a", 1, 2.5] }, "(a)(1)(2.5)"],
    ["the dot is escaped, or not", "{{#x}}{{.}}{{{.}}}{{&.}}{{/x}}", { x: ["<"] }, "&lt;<<"],
    ["lists of lists", "{{#x}}({{#.}}{{.}}{{/.}}){{/x}}", { x: [[1, 2], [3]] }, "(12)(3)"],
    ["the dot over the whole", "{{#.}}{{x}}{{/.}}", { x: 1 }, "1"],
    ["sections nest", "|{{#a}}A{{#b}}B{{/b}}C{{/a}}|", { a: true, b: true }, "|ABC|"],
    ["an inner section can be hidden", "|{{#a}}A{{#b}}B{{/b}}C{{/a}}|", { a: true, b: false }, "|AC|"],
    ["the same section twice", "{{#a}}1{{/a}}-{{#a}}2{{/a}}", { a: true }, "1-2"],
    ["a section inside itself", "{{#a}}1{{#a}}2{{/a}}{{/a}}", { a: true }, "12"],
    ["dotted names", "{{#a.b.c}}x{{/a.b.c}}", { a: { b: { c: true } } }, "x"],
    ["dotted names through a broken chain", "({{#a.b.c}}x{{/a.b.c}})", { a: {} }, "()"],
    ["spaces around are kept", " | {{#a}}\t|\t{{/a}} | \n", { a: true }, " | \t|\t | \n"],
    ["spaces before an inline section are kept", " {{#a}}1{{/a}}\n {{#a}}2{{/a}}\n", { a: true }, " 1\n 2\n"],
    ["spaces inside the tags don't count", "|{{# a }}={{/ a }}|", { a: true }, "|=|"],
    ["a standalone tag takes its line", "1\n{{#a}}\n2\n{{/a}}\n3", { a: true }, "1\n2\n3"],
    ["an indented one too", "1\n  {{#a}}\t\n2\n\t{{/a}} \n3", { a: true }, "1\n2\n3"],
    ["a hidden one leaves nothing", "1\n{{#a}}\n2\n{{/a}}\n3", {}, "1\n3"],
    ["with CRLF", "|\r\n{{#a}}\r\n{{/a}}\r\n|", { a: true }, "|\r\n|"],
    ["in the first line", "  {{#a}}\n1{{/a}}\n/", { a: true }, "1\n/"],
    ["in the last line", "#{{#a}}\n/\n  {{/a}}", { a: true }, "#\n/\n"],
    ["blank lines between standalone tags stay", "{{#a}}\n\n{{/a}}\n", { a: true }, "\n"],
    [
      "several on one line count as standalone",
      "1\n {{#a}} {{#b}} \n2\n{{/b}}{{/a}}\n3",
      { a: true, b: true },
      "1\n2\n3",
    ],
    ["a no-break space is content", "1\n\u00A0{{#a}}\n{{/a}}", { a: true }, "1\n\u00A0\n"],
  ]);
});

describe("inverted sections", () => {
  holds([
    ["false shows", "({{^x}}yes{{/x}})", { x: false }, "(yes)"],
    ["true hides", "({{^x}}no{{/x}})", { x: true }, "()"],
    ["null shows", "({{^x}}yes{{/x}})", { x: null }, "(yes)"],
    ["an absent name shows", "({{^x}}yes{{/x}})", {}, "(yes)"],
    ["an empty list shows", "({{^x}}yes{{/x}})", { x: [] }, "(yes)"],
    ["zero and an empty string show", "({{^x}}0{{/x}}{{^y}}1{{/y}})", { x: 0, y: "" }, "(01)"],
    ["an object hides", "({{^x}}no{{/x}})", { x: {} }, "()"],
    ["a list with anything in it hides", "({{^x}}no{{/x}})", { x: [null] }, "()"],
    ["it opens no context", "{{^x}}{{y}}{{/x}}", { y: 1 }, "1"],
    ["dotted names", "({{^a.b}}yes{{/a.b}})", { a: {} }, "(yes)"],
    ["dotted names, hidden", "({{^a.b}}no{{/a.b}})", { a: { b: 1 } }, "()"],
    ["they nest", "|A{{^x}}B{{^y}}C{{/y}}{{/x}}|", { x: false, y: false }, "|ABC|"],
    ["standalone tags take their lines", "1\n  {{^a}} \n2\n{{/a}}\n3", {}, "1\n2\n3"],
    ["inline ones don't", " {{^a}}1{{/a}}\n {{^a}}2{{/a}}\n", {}, " 1\n 2\n"],
  ]);
});

describe("comments", () => {
  holds([
    ["print nothing", "1{{! x }}2", {}, "12"],
    ["may have several lines", "1{{!\n a\n b\n}}2\n", {}, "12\n"],
    ["alone, they take the line", "1\n  {{! x }} \n2", {}, "1\n2"],
    ["of several lines, alone, they take all of them", "1\n  {{!\n x\n  }}\n2", {}, "1\n2"],
    ["alone in the last line", "1\n  {{! x }}", {}, "1\n"],
    ["with CRLF", "1\r\n{{! x }}\r\n2", {}, "1\r\n2"],
    ["next to text they leave the spaces", "  1 {{! x }}\n", {}, "  1 \n"],
    ["may contain the start of a tag", "1{{! {{x }}2", {}, "12"],
    ["may be empty", "1{{!}}2", {}, "12"],
    ["have no name to look up", "({{! x }}{{!x}})", { "! x": 1, "!x": 2, x: 3 }, "()"],
  ]);
});

describe("delimiters", () => {
  holds([
    ["can be set", "{{=<% %>=}}(<%x%>)", { x: 1 }, "(1)"],
    ["may be characters with a meaning in patterns", "({{=[ ]=}}[x])", { x: 1 }, "(1)"],
    ["may be equal", "{{=| |=}}(|x|)", { x: 1 }, "(1)"],
    ["apply to sections", "{{=| |=}}|#a||x||/a|{{x}}", { a: true, x: 1 }, "1{{x}}"],
    ["can be set again", "{{=| |=}}|x|{{x}}|={{ }}=|{{x}}|x|", { x: 1 }, "1{{x}}1|x|"],
    ["set in a section apply after it", "{{#a}}{{=| |=}}{{x}}|/a||x|", { a: true, x: 1 }, "{{x}}1"],
    ["spaces inside don't count", "|{{= @   @ =}}|@x@", { x: 1 }, "||1"],
    ["spaces around are kept", "| {{=@ @=}} |", {}, "|  |"],
    ["alone, they take the line", "1\n {{=@ @=}} \n2", {}, "1\n2"],
    ["with CRLF", "|\r\n{{=@ @=}}\r\n|", {}, "|\r\n|"],
    ["with an unescaped variable", "{{=@ @=}}@&x@@{x}@", { x: "<" }, "<<"],
    ["are not passed to partials", "{{>p}}{{=| |=}}|>p|", { x: 1 }, ".1..1.", { p: ".{{x}}." }],
    ["are not adopted from partials", "[{{>p}}][.{{x}}.|x|]", { x: 1 }, "[.1.][.1.|x|]", { p: "{{=| |=}}.|x|." }],
  ]);
});

describe("partials", () => {
  const tree = { x: "X", nodes: [{ x: "Y", nodes: [] }] };
  holds([
    ["are inserted", "({{>p}})", {}, "(text)", { p: "text" }],
    ["print nothing if they are missing", "({{>p}})", {}, "()"],
    ["use the context", "{{#a}}{{>p}}{{/a}}", { a: { x: 1 } }, "*1*", { p: "*{{x}}*" }],
    ["may refer to themselves", "{{>n}}", tree, "X<Y<>>", { n: "{{x}}<{{#nodes}}{{>n}}{{/nodes}}>" }],
    ["may contain partials", "{{>a}}", { x: 1 }, "*1!*", { a: "*{{>b}}*", b: "{{x}}!" }],
    ["keep the spaces around them", "| {{>p}} |", {}, "| \t|\t |", { p: "\t|\t" }],
    ["inline, don't indent", "  {{x}}  {{> p}}\n", { x: "|" }, "  |  >\n>\n", { p: ">\n>" }],
    ["alone, indent all their lines", "1\n {{>p}}\n2\n", {}, "1\n |\n |\n2\n", { p: "|\n|\n" }],
    [
      "don't indent the values of variables",
      "\\\n {{>p}}\n/\n",
      { x: "<\n->" },
      "\\\n |\n <\n->\n |\n/\n",
      { p: "|\n{{{x}}}\n|\n" },
    ],
    ["don't indent empty lines", " {{>p}}\n", {}, " a\n\n b\n", { p: "a\n\nb\n" }],
    ["add up their indentation", " {{>a}}\n", {}, "  x\n", { a: " {{>b}}\n", b: "x\n" }],
    ["alone in the first line", "  {{>p}}\n>", {}, "  >\n  >>", { p: ">\n>" }],
    ["alone in the last line", ">\n  {{>p}}", {}, ">\n  >\n  >", { p: ">\n>" }],
    ["with CRLF", "|\r\n{{>p}}\r\n|", {}, "|\r\n>|", { p: ">" }],
    ["spaces inside the tag don't count", "|{{> p }}|", { x: 1 }, "|1|", { p: "{{x}}" }],
    ["are own members, not inherited ones", "({{>toString}})", {}, "()", {}],
  ]);
});
