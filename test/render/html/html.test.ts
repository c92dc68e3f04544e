import { describe, expect, it } from "vitest";
import { compiledOf, places, useProjects } from "../project.js";

const { compileOne } = useProjects();

describe("an HTML body", () => {
  it("stays unchanged", async () => {
    const html = `<!doctype html>
<html lang="en">
<head><title>Hi {{name}}</title><style>a > b { color: {{colour}} }</style></head>
<body>
<table>{{#rows}}<tr><td {{#wide}}colspan=2{{/wide}}>{{ name }}</td></tr>{{/rows}}</table>
<!--[if mso]><p>{{{raw}}}</p><![endif]-->
</body>
</html>`;
    expect(compiledOf(await compileOne({ "x.html": html })).html_body).toBe(html);
  });

  it("loses its comments, including tags in them", async () => {
    expect(compiledOf(await compileOne({ "x.html": "<p>{{a}}</p><!-- {{#b}}c{{/b}} -->{{! d }}" })).html_body).toBe(
      "<p>{{a}}</p>",
    );
  });

  it("may contain elements with names that all objects inherit", async () => {
    const html = "<constructor><table><tr><td>a<td>b</table></constructor>";
    expect(compiledOf(await compileOne({ "x.html": html })).html_body).toBe(html);
  });

  it("may repeat an attribute if only one of them is shown, or if both are equal", async () => {
    const html = '<td {{#a}}class="b"{{/a}}{{^a}}class="c"{{/a}} title="d" title="d">e</td>';
    expect(compiledOf(await compileOne({ "x.html": html })).html_body).toBe(html);
  });

  it("keeps a brace separate from the tag before it, because some engines read three braces as one token", async () => {
    const html = `<style>p{color:{{a}}}</style><script>{"b":{{b}}}</script><p title="({{c}}})">{{d}}}</p>`;
    expect(compiledOf(await compileOne({ "x.html": html })).html_body).toBe(
      `<style>p{color:{{a}} }</style><script>{"b":{{b}} }</script><p title="({{c}}&#125;)">{{d}}&#125;</p>`,
    );
  });

  it.each([
    "<table>{{#x}}<tr><td>{{a}}{{/x}}</table>",
    "<table>\n{{#x}}\n<tr>\n<td>{{a}}\n<td>b\n{{/x}}\n</table>",
    "<table><tbody>{{#x}}<tr><td>{{a}}{{/x}}{{^x}}<tr><td>b{{/x}}</tbody></table>",
    "<table><tr>{{#x}}<td>{{a}}{{/x}}</tr></table>",
    "<table>{{#x}}<tr><td>{{a}}{{/x}}<tr><td>Total</table>",
    "<table><tr><th>Item<th>Price{{#x}}<tr><td>{{a}}<td>{{b}}{{/x}}</table>",
  ])("may omit end tags that HTML allows to omit, in a section, too: %j", async (html) => {
    const { html_body: body } = compiledOf(await compileOne({ "x.html": html }));
    expect(body).toBe(html);
  });

  it.each([
    "<table><tr>{{#x}}<td>{{a}}{{/x}}b</tr></table>",
    "<table>{{#x}}<tr><td>{{a}}{{/x}}{{b}}</table>",
    "<table>{{#x}}b<tr><td>{{a}}{{/x}}</table>",
    "<table>{{#x}}<tr><td>{{a}}{{/x}}{{#y}}<tr><td>b</td></tr>{{/y}}c</table>",
    "<table><tr><th>Item{{#x}}<tr><td>{{a}}</td></tr>{{/x}}b</table>",
    "<table><tr>{{#x}}<td><b>{{a}}{{/x}}</tr></table>",
  ])("must not omit them if what follows would change: %j", async (html) => {
    expect(places(await compileOne({ "x.html": html }))).toEqual([expect.stringMatching(/^markup-unbalanced /)]);
  });

  it.each([
    ['<p>\n<a href="{{url}}>b</a></p><p class="c">', "markup-unclosed x.html:2:9"],
    ["<p>\n <!-- a </p>", "markup-unclosed x.html:2:2"],
    ["<table>\n  {{#i}}<tr>{{/i}}<td></td></tr></table>", "markup-unbalanced x.html:2:3"],
    ["<div>\n<b>{{a}}\n</div>", "markup-unbalanced x.html:2:1"],
    ["<p>{{#a}}</p>", "mustache-syntax x.html:1:4"],
    ["<p><!-- all {{#a}} -->b{{/a}}</p>", "markup-lost x.html:1:13"],
    ["{{#a}}<!--{{/a}} b {{#a}}-->{{/a}}", "markup-lost x.html:1:11"],
    ["<!-- {{#a}}{{b}} --><p>c</p>{{/a}}", "markup-lost x.html:1:6"],
    ["<p class=a\nclass='{{b}}'>c</p>", "markup-lost x.html:2:1"],
    ["<p {{#a}}title=b{{/a}} lang=c {{^a}}lang=d{{/a}}>e</p>", "markup-lost x.html:1:31"],
    ["<p><![CDATA[{{#a}}<b>{{b}}</b>{{/a}}]]></p>", "markup-lost x.html:1:4"],
    ["<p>a</p><!-- note\n<p>{{b}}</p>\n<!-- x -->", "markup-lost x.html:1:9"],
    ["<p>{{a}} &#123;&#123;b&#125;&#125;</p>", "output-residue x.html:1:10"],
    ["<p>a</p>\n<p>&#123;<b>&#123;</b></p>", "output-residue x.html:2:4"],
    ["<p>a</p>\n<!--[if mos]><b>a</b><![endif]-->", "markup-unbalanced x.html:2:1"],
    ["<p>&#123;{{a}}&#125;</p>", "output-residue x.html:1:4"],
    ["<p>\n{{this.a}}</p>", "mustache-name x.html:2:1"],
    ["<p>\uE000</p>", "mustache-syntax x.html:1:4"],
  ])("is rejected at the right position: %j", async (html, place) => {
    const result = await compileOne({ "x.html": html });
    expect(result.compiled).toBeUndefined();
    expect(places(result)).toEqual([place]);
  });
});

describe("attribute values", () => {
  it.each([
    ["<a href='{{url}}'>a</a>", '<a href="{{url}}">a</a>'],
    ["<a href={{url}}>a</a>", '<a href="{{url}}">a</a>'],
    ["<p style='font-family:\"A\"; color:{{c}}'>a</p>", '<p style="font-family:&quot;A&quot;; color:{{c}}">a</p>'],
    ["<td {{#w}}width={{n}}{{/w}} class=b>a</td>", '<td {{#w}}width="{{n}}"{{/w}} class=b>a</td>'],
    ["<td class=a{{#w}} width=2{{/w}}>a</td>", "<td class=a{{#w}} width=2{{/w}}>a</td>"],
    ["<p title=`{{n}}`>a</p>", '<p title="`{{n}}`">a</p>'],
    ["<p title={{#a}}{{b}}{{/a}}>a</p>", '<p title="{{#a}}{{b}}{{/a}}">a</p>'],
    [
      "<!--[if mso]><v:rect href='{{url}}'></v:rect><![endif]-->",
      '<!--[if mso]><v:rect href="{{url}}"></v:rect><![endif]-->',
    ],
    ["<p title='a' class=b>{{c}}</p>", "<p title='a' class=b>{{c}}</p>"],
  ])("are in double quotes if they contain a tag, because every engine escapes these: %s", async (html, expected) => {
    expect(compiledOf(await compileOne({ "x.html": html })).html_body).toBe(expected);
  });
});

describe("the language of template.json", () => {
  const compile = (html: string, metadata: object) =>
    compileOne({ "x/x.html": html, "x/template.json": JSON.stringify({ subject: "a", ...metadata }) });

  it.each([
    ["<html><body>a</body></html>", { locale: "de-at" }, '<html lang="de-AT"><body>a</body></html>'],
    [
      '<html class="a"><body>a</body></html>',
      { locale: "ar" },
      '<html lang="ar" dir="rtl" class="a"><body>a</body></html>',
    ],
    ["<html><body>a</body></html>", { direction: "rtl" }, '<html dir="rtl"><body>a</body></html>'],
    ['<html lang="ur"><body>a</body></html>', { locale: "ur-PK" }, '<html dir="rtl" lang="ur"><body>a</body></html>'],
    ['<html lang="{{l}}"><body>a</body></html>', { locale: "de" }, '<html lang="{{l}}"><body>a</body></html>'],
  ])("is added if the body has none: %s", async (html, metadata, expected) => {
    const result = await compile(html, metadata);
    expect(compiledOf(result).html_body).toBe(expected);
    expect(result.diagnostics).toEqual([]);
  });

  it.each([
    ["<p>a</p>", { locale: "de" }, "language-missing x.html:1:1"],
    ['<!doctype html>\n<html lang="en"><body>a</body></html>', { locale: "de" }, "language-missing x.html:2:7"],
    ['<html dir="ltr"><body>a</body></html>', { locale: "he" }, "language-missing x.html:1:7"],
  ])("is warned about if the body can't have it, or has another: %s", async (html, metadata, place) => {
    const result = await compile(html, metadata);
    expect(places(result)).toEqual([place]);
    expect(compiledOf(result).html_body).toContain(html.slice(-14));
  });
});

describe("styles to be inlined", () => {
  it("are applied to the elements that they match, and nothing else changes", async () => {
    const html = `<!doctype html>
<html><head><style data-inline>
/* a comment */ td, a:hover { padding: 1px; color: {{colour}} }
.b { font-family: "Open Sans", serif; margin: 0 !important }
@media (max-width: 600px) { .b { width: 100% !important } }
@font-face { font-family: X; src: url(x.woff) }
</style><style>.c { color: red }</style></head>
<body><table>{{#rows}}<tr><td class='b' style='color:"{{x}}"' {{#wide}}colspan=2{{/wide}}>{{name}}</td></tr>{{/rows}}</table><br /><!--[if mso]><td><![endif]--><!--[if mso]></td><![endif]-->
</body></html>`;
    expect(compiledOf(await compileOne({ "x.html": html })).html_body).toBe(`<!doctype html>
<html><head><style>
a:hover { padding: 1px; color: {{colour}} }
@media (max-width: 600px) { .b { width: 100% !important } }
@font-face { font-family: X; src: url(x.woff) }
</style><style>.c { color: red }</style></head>
<body><table>{{#rows}}<tr><td class='b' style="padding: 1px; color: {{colour}}; font-family: 'Open Sans', serif; margin: 0 !important; color:&quot;{{x}}&quot;" {{#wide}}colspan=2{{/wide}}>{{name}}</td></tr>{{/rows}}</table><br /><!--[if mso]><td><![endif]--><!--[if mso]></td><![endif]-->
</body></html>`);
  });

  it("may be in a file, with its own problems", async () => {
    const files = (css: string) => ({
      "x/x.html": '<head><link rel="stylesheet" href="../_shared/a.css" data-inline></head><p>{{a}}</p>',
      "_shared/a.css": css,
    });
    expect(compiledOf(await compileOne(files("p { color: {{c}} }\n.unused { color: {{d}} }"))).html_body).toBe(
      '<head></head><p style="color: {{c}};">{{a}}</p>',
    );
    expect(places(await compileOne(files("p { color:\n {{#c}}red }")))).toEqual(["mustache-syntax a.css:2:2"]);
    expect(
      places(await compileOne({ "x.html": '<link rel="stylesheet" href="_b.css"><p>a</p>', "_a.css": "" })),
    ).toEqual(["part-missing x.html:1:1"]);
  });

  it("stay in the body if they can't be inlined, or are elsewhere", async () => {
    const html = '<link rel="stylesheet" href="https://a.example/b.css"><link rel="stylesheet" href="_a.css"><p>a</p>';
    expect(compiledOf(await compileOne({ "x.html": html, "_a.css": "p { color: red }" })).html_body).toBe(
      '<link rel="stylesheet" href="https://a.example/b.css"><style>\np { color: red }\n</style><p>a</p>',
    );
  });

  it.each([
    ["<style data-inline>\np { {{#a}}color: red{{/a}} }</style><p>a</p>", "inline-styles x.html:2:5"],
    ['<style data-inline>p { color: red }</style>\n<p class="{{c}}">a</p>', "inline-styles x.html:2:4"],
    [
      "<style data-inline>\n tr:first-child { color: red }</style><table>{{#r}}<tr></tr>{{/r}}</table>",
      "inline-styles x.html:2:2",
    ],
  ])("are rejected if they depend on filled-in values: %s", async (html, place) => {
    expect(places(await compileOne({ "x.html": html }))).toEqual([place]);
  });
});

describe("markup in a quoted value", () => {
  it.each([
    '<p><a href="data:text/html,<script>alert(1)</script>">{{a}}</a></p>',
    `<iframe srcdoc="<p class='b'>{{a}}</p><script>1</script>"></iframe>`,
    '<style data-inline>p { color: red }</style><p title="1 <b>2</b> > 3">{{a}}</p>',
  ])("stays unchanged: %s", async (html) => {
    const { html_body } = compiledOf(await compileOne({ "x.html": html }));
    const [, value = "none"] = /=(["'].*<.*["'])>/.exec(html) ?? [];
    expect(html_body).toContain(value);
  });
});
