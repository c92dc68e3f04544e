import { describe, expect, it } from "vitest";
import { checkedTemplate } from "../../src/check/checked-template.js";
import { variablesRules } from "../../src/check/rules/variables/index.js";
import { sectionsBreakHtml } from "../../src/check/rules/variables/sections-break-html.js";
import { valueBreaksHtml } from "../../src/check/rules/variables/value-breaks-html.js";
import { fullExample } from "../../src/check/truth/example.js";
import { imbalanceOf, structureOf } from "../../src/check/truth/filled-html.js";
import { skeleton } from "../../src/check/truth/skeleton.js";
import { inWords, smallest } from "../../src/check/truth/smallest.js";
import { DEFAULT_SETTINGS } from "../../src/check/settings.js";
import { withoutWholeSections } from "../../src/check/truth/whole-sections.js";
import { protect, type TagTable } from "../../src/mustache/tokens.js";
import { page, useFindings } from "./findings.js";

const { diagnostics, findings, projects } = useFindings(variablesRules);

/** A template as if compiling had let another html pass. */
async function withHtml(html: string, fixture: object, body = html) {
  const files = { "x/x.html": body, "x/fixtures/default.json": JSON.stringify(fixture) };
  const { compiled, ...result } = await projects.compileOne(files);
  if (!compiled) throw new Error(JSON.stringify(result.diagnostics));
  return checkedTemplate({ ...result, compiled: { ...compiled, html_body: html } }, undefined, {
    settings: DEFAULT_SETTINGS,
  });
}

function skeletonOf(html: string): string {
  const tags: TagTable = [];
  return skeleton(protect(html, "", tags).text, tags);
}

describe("fullExample", () => {
  it("takes what the fixtures have together, and what the schema says", () => {
    const input = {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string" },
        link: { type: "string", format: "uri" },
        items: {
          type: "array",
          items: { type: "object", properties: { n: { type: "number" }, note: { type: "string" } } },
        },
      },
    } as const;
    const fixture = (variables: object) => ({ name: "x", input: {}, variables: { ...variables } });
    const fixtures = [fixture({ name: "Al", items: [] }), fixture({ name: "Adam", items: [{ n: 2 }] })];
    const full = { name: "Adam", link: "https://example.com", items: [{ n: 2, note: "text" }] };
    const contract = { input, conditions: [] };
    expect(fullExample({ contract, fixtures })).toEqual(full);
  });
});

describe("skeleton", () => {
  it("keeps what decides how the html is built", () => {
    const html = `<table width="1"><tr><td>a</td></tr>{{#rows}}<tr><td style="a" title="x {{b}} y">text<br></td></tr>{{/rows}}</table>`;
    expect(skeletonOf(html)).toBe('<table>{{#rows}}<tr><td title="{{b}}"></td></tr>{{/rows}}</table>');
    expect(skeletonOf("<!--[if mso]><table><tr><![endif]--><p>{{a}}</p><!--[if mso]></tr></table><![endif]-->")).toBe(
      "<!--[if mso]><table><tr><![endif]--><p>{{a}}</p><!--[if mso]></tr></table><![endif]-->",
    );
  });
});

describe("withoutWholeSections", () => {
  it.each([
    ["<ul>{{#items}}<li><b>{{.}}</b></li>{{/items}}</ul>", ""],
    ['<td title="{{#a}}{{b}}{{/a}}" {{#c}}colspan="{{d}}"{{/c}}></td>', ""],
    ["{{#a}}<!--[if mso]><table><![endif]-->{{#b}}<p></p>{{/b}}<!--[if mso]></table><![endif]-->{{/a}}", ""],
    ["<table>{{#a}}<b></b>{{/a}}{{#rows}}<tr>{{/rows}}</table>", "<table>{{#rows}}<tr>{{/rows}}</table>"],
    ["{{#a}}<!--[if mso]>{{/a}}<b></b><![endif]-->", "{{#a}}<!--[if mso]>{{/a}}<b></b><![endif]-->"],
    ["<div>{{#a}}</div><div>{{/a}}</div>", "<div>{{#a}}</div><div>{{/a}}</div>"],
  ])("%s", (html, left) => {
    expect(withoutWholeSections(html)).toBe(left);
  });
});

describe("filled html", () => {
  it("is balanced for mail clients and for Outlook", () => {
    expect(imbalanceOf("<table><tr><td>a<br><p>b</td></tr></table>")).toBeUndefined();
    expect(imbalanceOf("<table><tr><th>a<th>b<tr><td>c</table>")).toBeUndefined();
    expect(imbalanceOf("<div><b></div>")).toBe("<b> is never closed before </div>.");
    expect(imbalanceOf("<!--[if mso]><b><![endif]-->")).toMatch(/^<b> for Outlook/);
    expect(imbalanceOf("<b></b><![endif]-->")).toBe("0 conditional comments begin and 1 end.");
  });

  it("has a structure", () => {
    expect(structureOf('<p title="a">b</p>')).toBe("<p title></p>");
  });
});

describe("smallest", () => {
  it("leaves out what does not matter", () => {
    const variables = { name: "Ada", items: [{ name: "Tea" }, { name: "Jam" }], order: { note: "x", number: 1 } };
    const hasItems = ({ items }: Readonly<Record<string, unknown>>): boolean =>
      Array.isArray(items) && items.length > 0;
    expect(smallest(variables, hasItems)).toEqual({ items: [null] });
    expect(smallest(variables, () => true)).toEqual({});
    const noted = ({ order }: { order?: { note?: string } }): boolean => order?.note === "x";
    expect(smallest(variables, noted)).toEqual({ order: { note: "x" } });
    expect(inWords({ a: "w".repeat(200) })).toBe(`{"a":"${"w".repeat(24)}…"}`);
  });
});

describe("the truth table", () => {
  it("finds sections that leave html unbalanced, with the smallest variables", async () => {
    const body = "<p>{{name}}</p>\n{{#items}}<p>{{title}}</p>{{/items}}{{#vip}}x{{/vip}}";
    const fixture = { name: "Ada", items: [{ title: "Tea" }, { title: "Jam" }], vip: true };
    const inComment = await withHtml(
      "<p>{{name}}</p>{{#items}}<!--[if mso]>{{/items}}<b>x</b><![endif]-->",
      fixture,
      body,
    );
    const [absent, ...others] = (await sectionsBreakHtml.checkTemplate?.(inComment)) ?? [];
    expect(others).toEqual([]);
    expect(absent?.message).toBe('With {"items":[]} the HTML is not balanced: 0 conditional comments begin and 1 end.');
    expect(absent?.at).toMatchObject({ line: 2, column: 1 });
    const half = await withHtml("<p>{{name}}</p>{{#items}}<div>{{title}}{{/items}}</div>", fixture, body);
    const twice = await withHtml("<div>{{#vip}}<b>{{/vip}}</div>", fixture, body);
    expect(sectionsBreakHtml.checkTemplate?.(half)).toMatchObject([{ at: { line: 2, column: 1 } }]);
    expect(sectionsBreakHtml.checkTemplate?.(twice)).toMatchObject([
      {
        message: 'With {"vip":true} the HTML is not balanced: <b> is never closed before </div>.',
        at: { line: 2, column: 37 },
      },
    ]);
  });

  it("finds a text that is more than text, with the smallest variables", async () => {
    const fixture = { name: "Ada", title: "Tea" };
    const unquoted = await withHtml("<p class={{title}}>{{name}}</p>", fixture);
    const [found] = (await valueBreaksHtml.checkTemplate?.(unquoted)) ?? [];
    expect(found?.message).toMatch(/^With \{"title":"text text"\} the HTML gains elements or attributes/);
  });

  it("finds html in a fixture that is not whole", async () => {
    const files = {
      "x/x.html": page("<div>{{{content}}}</div><p>{{name}}</p>"),
      "x/fixtures/default.json": JSON.stringify({ content: "<p><b>x</p>", name: "Ada" }),
    };
    const found = await diagnostics(files, { settings: { rawVariables: ["content"] } });
    expect(found).toMatchObject([{ rule: "value-breaks-html", severity: "error", at: { line: 14, column: 6 } }]);
    expect(found[0]?.message).toContain(
      'With the fixture "default", {"content":"<p><b>x</p>"}, the HTML is not balanced: <b> is',
    );
  });

  it("is silent on texts with html and Mustache in them where they are printed as text", async () => {
    const text = `<lettershop-x a="b">'&{{x}}{{{y}}}\n😀 שלום ${"w".repeat(10_000)}`;
    const body = `<p title="{{text}}" class='{{text}}' id={{text}}>{{text}}</p>{{#items}}<p>{{.}}</p>{{/items}}
<!--[if mso]><p title='{{text}}'>{{text}}</p><![endif]-->`;
    const files = {
      "x/x.html": page(body),
      "x/fixtures/default.json": JSON.stringify({ text, items: [text, text] }),
    };
    expect(await findings(files)).toEqual([]);
  });
});
