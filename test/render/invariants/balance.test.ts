import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { imbalanceOf } from "./filled-imbalance.js";
import { renderMustache } from "../../../src/mustache/fill.js";
import { protect, restore, type TagTable } from "../../../src/mustache/tokens.js";
import type { VariablesContract } from "../../../src/mustache/variables.js";
import { findImbalance } from "../../../src/render/invariants/balance.js";
import { wholeSections } from "../../../src/render/whole-sections.js";

function imbalance(html: string, contract?: VariablesContract): { message: string; offset: number } | undefined {
  const tags: TagTable = [];
  return findImbalance(protect(html, "/x.html", tags).text, tags, contract);
}

/** `a`, `b` and `user.a` are true or false, `text` is a string, and the items of `list` have an `a` of their own. */
const CONTRACT: VariablesContract = {
  input: {
    type: "object",
    properties: {
      a: { type: "boolean" },
      b: { type: "boolean" },
      text: { type: "string" },
      user: { type: "object", properties: { a: { type: "boolean" } } },
      list: { type: "array", items: { type: "object", properties: { a: { type: "boolean" } } } },
      open: {},
    },
  },
  conditions: [{ name: "status__is_paid", within: [], path: "status", test: { kind: "equals", value: "paid" } }],
};

describe("findImbalance", () => {
  it.each([
    "<table>{{#r}}<tr><td>{{a}}</td></tr>{{/r}}</table>",
    "<tr>{{#a}}<td>1</td>{{/a}}{{^a}}<td>2</td>{{/a}}</tr>",
    "<tr><td>1{{#more}}</td><td>2{{/more}}</td></tr>",
    "<ul><li>a<li>b</ul><p>c<p>d",
    "<table><thead><tr><th>a<th>b<tbody><tr><td>c<td>d<tr><td>e</table>",
    "<table><tr><td><table><tr><td>a</table></td></tr></table>",
    '<a class="{{#a}}b{{/a}}" {{#c}}href="d"{{/c}}>e</a>',
    "<div><img><br/><v:fill /></div>",
    "<!--[if mso]><table><tr><td><![endif]--><div>a</div><!--[if mso]></td></tr></table><![endif]-->",
    "{{#i}}<!--[if mso | IE]><td><![endif]--><div>a</div><!--[if mso | IE]></td><![endif]-->{{/i}}",
    "<!--[if !mso]><!--><div>a</div><!--<![endif]--><!--[if mso]><b>{{a}}</b><![endif]-->",
    "<td><table><tr>{{#i}}<td>a{{/i}}</table></td>",
  ])("accepts %s", (html) => {
    expect(imbalance(html)).toBeUndefined();
  });

  it.each([
    ["<div><b>a</div>", "<b> is never closed before </div>."],
    ["<div>a", "<div> is never closed."],
    ["<table><tr><td><b>a<td>b</table>", "<td> is never closed before </table>."],
    ["<table><tr><td>a", "<table> is never closed."],
    ["<td><table><tr>{{#i}}<td>a{{/i}}b</table></td>", "{{#i}} leaves <td> open"],
    ["a</span>", "</span> has no opening tag."],
    ["{{#i}}<tr>{{/i}}<td></td></tr>", "{{#i}} leaves <tr> open"],
    ["<tr>{{#i}}<td></td></tr>{{/i}}", "{{#i}} closes <tr>"],
    ["<a {{#i}}href='b'>c{{/i}}</a>", "Only one end of the section {{#i}} is inside the tag <a>."],
    ["<style>{{#i}}</style><p>{{/i}}</p>", "{{#i}} closes <style>"],
    ["<!--[if mso]><table><![endif]--><p>a</p>", "<table> for Outlook"],
    ["{{#i}}<!--[if mso]><td><![endif]-->{{/i}}<!--[if mso]></td><![endif]-->", "{{#i}} for Outlook"],
  ])("rejects %s", (html, message) => {
    expect(imbalance(html)?.message).toContain(message);
  });

  it("names the section that breaks, after tags in comments and tags", () => {
    const before = '<a class="{{#a}}b{{/a}}">{{b}}</a><!--[if mso]>{{b}}<i>{{b}}</i><![endif]-->';
    expect(imbalance(`${before}<tr>{{#i}}<td></td></tr>{{/i}}`)?.message).toContain("{{#i}} closes <tr>");
  });

  it.each([
    "<table><tr><td><table><tr><td>a</td></td></tr></table></td></tr></table>",
    "<table><tr><td><table><tr><td>a</td></tr></tr></table></td></tr></table>",
    "<div><span>a</span></div></div><div>b</div>",
  ])("names the superfluous closing tag in %s", (html) => {
    const again = /(<\/\w+>)\1/.exec(html);
    expect(imbalance(html)).toEqual({
      message: `${again?.[1]} has no opening tag.`,
      offset: (again?.index ?? 0) + (again?.[1]?.length ?? 0),
    });
  });

  it("names the unclosed element if removing a closing tag does not help", () => {
    expect(imbalance("<table><tr><td><div><b>a</b></td></tr></table>")).toMatchObject({ offset: 15 });
  });

  it.each([
    ["<p>a</p>\n<!--[if mso]><b>a</b><!endif]--><i>", "This conditional comment has no <![endif]-->"],
    ["<p>a</p>\n<!--[if mso><b>a</b><![endif]--><i>", "This conditional comment has no ]>"],
    ["<p>a</p>\n<!--[if mso]><b>--><i>a</i><!--[if mso]></b>-->", "This conditional comment has no <![endif]-->"],
  ])("names the first malformed conditional comment in %s", (html, message) => {
    expect(imbalance(html)).toMatchObject({ offset: 9, message: expect.stringContaining(message) });
  });

  it.each(["<!--[if !mso]><!-->", "<!--[if !mso]><!-- -->", "<!--[if !mso]>-->", "<!--[if !mso]> <!---->"])(
    "recognises %s as the start of content for other clients",
    (start) => {
      expect(imbalance(`${start}<i>a</i><!--<![endif]-->`)).toBeUndefined();
    },
  );

  it("returns the position", () => {
    expect(imbalance("<p>\n<b>a</p><i>b</i><div>")?.offset).toBe(4);
  });
});

describe("HTML that is balanced in every case", () => {
  it.each([
    "{{#a}}<div>{{/a}}x{{#a}}</div>{{/a}}",
    '{{#text}}<a href="{{text}}">{{/text}}<img>{{#text}}</a>{{/text}}',
    "{{#a}}<b>{{/a}}{{^a}}<i>{{/a}}x{{#a}}</b>{{/a}}{{^a}}</i>{{/a}}",
    "<table>{{#a}}<tr class=x>{{/a}}{{^a}}<tr>{{/a}}<td>x</td></tr></table>",
    "<table>{{#list}}{{#a}}<tr class=x>{{/a}}{{^a}}<tr>{{/a}}<td>x</td></tr>{{/list}}</table>",
    "{{#a}}<div>{{/a}}{{#b}}<p>{{#a}}</div><div>{{/a}}</p>{{/b}}{{#a}}</div>{{/a}}",
    "{{#b}}{{#a}}<div>{{/a}}{{/b}}{{#a}}{{#b}}</div>{{/b}}{{/a}}",
    "{{#user}}{{#a}}<div>{{/a}}{{/user}}x{{#user}}{{#a}}</div>{{/a}}{{/user}}",
    "{{^list}}<div>{{/list}}x{{^list}}</div>{{/list}}",
    "{{#status__is_paid}}<div>{{/status__is_paid}}x{{#status__is_paid}}</div>{{/status__is_paid}}",
    "{{#a}}<!--[if mso]><td><![endif]-->{{/a}}<p>x</p>{{#a}}<!--[if mso]></td><![endif]-->{{/a}}",
  ])("is balanced: %s", (html) => {
    expect(imbalance(html, CONTRACT)).toBeUndefined();
  });

  it.each([
    ["{{#a}}<div>{{/a}}x{{#b}}</div>{{/b}}", "{{#a}} leaves <div> open"],
    ["{{#a}}<div>{{/a}}x{{^a}}</div>{{/a}}", "{{#a}} leaves <div> open"],
    ["{{#list}}<div>{{/list}}x{{#list}}</div>{{/list}}", "{{#list}} leaves <div> open"],
    ["{{#open}}<div>{{/open}}x{{#open}}</div>{{/open}}", "{{#open}} leaves <div> open"],
    ["{{#a}}<div>{{/a}}{{#user}}{{#a}}</div>{{/a}}{{/user}}", "{{#a}} leaves <div> open"],
    ["{{#list}}{{#a}}<div>{{/a}}{{/list}}{{#list}}{{#a}}</div>{{/a}}{{/list}}", "{{#a}} leaves <div> open"],
    ["{{#open}}{{#a}}<div>{{/a}}{{/open}}{{#open}}{{#a}}</div>{{/a}}{{/open}}", "{{#a}} leaves <div> open"],
    ["<table><tr>{{#list}}{{#a}}<td>x{{/a}}{{^a}}<p>x</p>{{/a}}{{/list}}</table>", "{{#a}} leaves <td> open"],
  ])("is not balanced: %s", (html, message) => {
    expect(imbalance(html, CONTRACT)?.message).toContain(message);
  });

  const BOOLEANS = [true, false];
  const LISTS = [[], [true], [false], [true, false], [true, true], [false, false]];
  const ALL = BOOLEANS.flatMap((a) =>
    BOOLEANS.flatMap((b) =>
      [null, { a: true }, { a: false }].flatMap((user) =>
        LISTS.map((list) => ({ a, b, user, list: list.map((each) => ({ a: each })) })),
      ),
    ),
  );

  function randomHtml(...names: readonly string[]): fc.Arbitrary<string> {
    const { html } = fc.letrec<{ html: string; part: string; section: string }>((tie) => ({
      html: fc.array(tie("part"), { maxLength: 6 }).map((parts) => parts.join("")),
      part: fc.oneof({ depthSize: "small" }, fc.constantFrom("<b>", "</b>", "<i>", "</i>", "x"), tie("section")),
      section: fc
        .tuple(fc.constantFrom("#", "^"), fc.constantFrom(...names), tie("html"))
        .map(([sigil, name, inner]) => `{{${sigil}${name}}}${inner}{{/${name}}}`),
    }));
    return html;
  }

  function isBalancedWithAll(html: string): boolean {
    return ALL.every((variables) => imbalanceOf(renderMustache(html, variables, { escape: "html" })) === undefined);
  }

  const options = { numRuns: process.env["MODE"] === "long" ? 50_000 : 500 };

  it("is what is balanced with all variables", () => {
    fc.assert(
      fc.property(randomHtml("a", "b"), (html) => {
        expect(imbalance(html, CONTRACT) === undefined).toBe(isBalancedWithAll(html));
      }),
      options,
    );
  });

  it("is balanced with all variables, including lists and objects", () => {
    fc.assert(
      fc.property(randomHtml("a", "b", "user", "list"), (html) => {
        if (!imbalance(html, CONTRACT)) expect(isBalancedWithAll(html)).toBe(true);
      }),
      options,
    );
  });

  it("is equivalent to having whole elements in each section", () => {
    fc.assert(
      fc.property(randomHtml("a", "b", "user", "list"), (html) => {
        const tags: TagTable = [];
        const { text } = protect(html, "/x.html", tags);
        if (findImbalance(text, tags, CONTRACT)) return;
        const whole = wholeSections({ text, tags }, CONTRACT);
        const written = restore(whole.text, whole.tags, "html");
        for (const variables of ALL)
          expect(renderMustache(written, variables, { escape: "html" })).toBe(
            renderMustache(html, variables, { escape: "html" }),
          );
      }),
      options,
    );
  });

  it.each([
    ["{{#a}}<b>{{/a}}x{{#a}}</b>{{/a}}y", "{{#a}}<b>x</b>{{/a}}{{^a}}x{{/a}}y"],
    ["<i>{{^a}}<b c>{{/a}}{{#a}}<b>{{/a}}x</b></i>", "<i>{{#a}}<b>x</b>{{/a}}{{^a}}<b c>x</b>{{/a}}</i>"],
    ["<b>x{{#a}}</b><i>{{/a}}y{{#a}}</i>{{/a}}{{^a}}</b>{{/a}}", "{{#a}}<b>x</b><i>y</i>{{/a}}{{^a}}<b>xy</b>{{/a}}"],
    ["{{#list}}{{#a}}<b>{{/a}}x{{#a}}</b>{{/a}}{{/list}}", "{{#list}}{{#a}}<b>x</b>{{/a}}{{^a}}x{{/a}}{{/list}}"],
    ["<b>{{#list}}x{{/list}}</b>", "<b>{{#list}}x{{/list}}</b>"],
  ])("is converted to whole elements in each section: %s", (html, expected) => {
    const tags: TagTable = [];
    const whole = wholeSections({ text: protect(html, "/x.html", tags).text, tags }, CONTRACT);
    expect(restore(whole.text, whole.tags, "html")).toBe(expected);
  });
});
