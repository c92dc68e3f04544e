import { describe, expect, it } from "vitest";
import { compiledOf, inColumn, places, useProjects } from "../project.js";

const { compileOne } = useProjects();

const inHead = (defaults: string) =>
  `<mjml><mj-head><mj-attributes>\n${defaults}\n</mj-attributes></mj-head><mj-body></mj-body></mjml>`;
const body = (elements: string) => `<mjml><mj-body>\n${elements}\n</mj-body></mjml>`;

/** What MJML drops or corrupts silently, and where it is reported. */
const refused: Record<string, { readonly source: string; readonly at: string }> = {
  "an unclosed quote": {
    source: inColumn('<mj-button href="{{url}}>Pay</mj-button>\n<mj-button href="b">x</mj-button>'),
    at: "markup-unclosed x.mjml:2:17",
  },
  "an unclosed quote at the end": {
    source: inColumn('<mj-text css-class="a>Hi</mj-text>'),
    at: "markup-unclosed x.mjml:2:20",
  },
  "a tag without its >": {
    source: inColumn("<mj-text color='red'\n<b>Hi</b></mj-text>"),
    at: "markup-unclosed x.mjml:2:1",
  },
  "a hero whose height can't be computed": {
    source: body('<mj-hero mode="fluid-height" background-width="600px"><mj-text>a</mj-text></mj-hero>'),
    at: "mjml-attribute-value x.mjml:2:1",
  },
  "an unclosed comment": { source: body("<!-- hero\n<mj-section></mj-section>"), at: "markup-unclosed x.mjml:2:1" },
  "an unclosed mj-text": {
    source: inColumn("\n<mj-text>Hi\n<mj-text>There</mj-text>"),
    at: "mjml-unclosed x.mjml:3:1",
  },
  "an unclosed mj-text at the end of its column": {
    source: inColumn("<mj-text>Hi {{name}}"),
    at: "mjml-unclosed x.mjml:2:1",
  },
  "an unclosed mj-column": {
    source: body("<mj-section>\n  <mj-column><mj-text>a</mj-text>\n</mj-section>"),
    at: "mjml-unclosed x.mjml:3:3",
  },
  "an unclosed mj-image": {
    source: inColumn('<mj-image src="a.png">\n<mj-text>Lost</mj-text>'),
    at: "mjml-unclosed x.mjml:2:1",
  },
  "a superfluous closing tag": { source: inColumn("<mj-text>a</mj-text></mj-text>"), at: "mjml-structure x.mjml:2:21" },
  "a second mj-body": {
    source: "<mjml><mj-body></mj-body>\n<mj-body></mj-body></mjml>",
    at: "mjml-structure x.mjml:2:1",
  },
  "a second mj-head": {
    source: "<mjml><mj-head></mj-head>\n<mj-head></mj-head><mj-body></mj-body></mjml>",
    at: "mjml-structure x.mjml:2:1",
  },
  "no mj-body": { source: "<mjml>\n</mjml>", at: "mjml-structure x.mjml:1:1" },
  "no mjml": { source: "<mj-body></mj-body>", at: "mjml-structure x.mjml:1:1" },
  "content after mjml": { source: "<mjml><mj-body></mj-body></mjml>\n{{late}}", at: "mjml-structure x.mjml:2:1" },
  "an unknown element": { source: inColumn("<mj-txt>Hi</mj-txt>"), at: "mjml-unknown-element x.mjml:2:1" },
  "HTML between elements": { source: inColumn("<div>Hi {{name}}</div>"), at: "mjml-unknown-element x.mjml:2:1" },
  "text between elements": { source: body("Hello"), at: "mjml-lost-text x.mjml:2:1" },
  "a variable between elements": { source: inColumn("{{name}}"), at: "mjml-lost-text x.mjml:2:1" },
  "HTML next to the body": {
    source: "<mjml>\n<mj-raw><p>a</p></mj-raw><mj-body></mj-body></mjml>",
    at: "mjml-lost-text x.mjml:2:1",
  },
  "a misplaced element": { source: body("<mj-text>Hi</mj-text>"), at: "mjml-structure x.mjml:2:1" },
  "a misspelt attribute": {
    source: inColumn('<mj-button hrfe="a">Hi</mj-button>'),
    at: "mjml-unknown-attribute x.mjml:2:12",
  },
  "a misspelt attribute of all elements": {
    source: inHead('<mj-all font-siz="15px" />'),
    at: "mjml-unknown-attribute x.mjml:2:9",
  },
  "a misspelt attribute of a class": {
    source: inHead('<mj-class name="a" colr="red" />'),
    at: "mjml-unknown-attribute x.mjml:2:20",
  },
  "a tag in an unknown attribute": {
    source: inColumn('<mj-text data-track="{{id}}">Hi</mj-text>'),
    at: "mjml-unknown-attribute x.mjml:2:10",
  },
  "a tag among attributes": {
    source: inColumn("<mj-text {{attributes}}>Hi</mj-text>"),
    at: "mjml-attribute-tag x.mjml:2:10",
  },
  "a tag in a column's width": {
    source: body('<mj-section><mj-column width="{{w}}"></mj-column></mj-section>'),
    at: "mjml-attribute-tag x.mjml:2:24",
  },
  "a tag in a column's padding": {
    source: body('<mj-section><mj-column padding="{{p}}"><mj-image alt="" src="a" /></mj-column></mj-section>'),
    at: "mjml-attribute-tag x.mjml:2:24",
  },
  "a tag in an image's width": {
    source: inColumn('<mj-image alt="" src="a" width="{{w}}" />'),
    at: "mjml-attribute-tag x.mjml:2:26",
  },
  "a tag in a default with which MJML computes": {
    source: `<mjml><mj-head><mj-attributes>\n<mj-image width="{{w}}" /></mj-attributes></mj-head><mj-body><mj-section><mj-column><mj-image src="a" alt="" /></mj-column></mj-section></mj-body></mjml>`,
    at: "mjml-attribute-tag x.mjml:2:11",
  },
  "a tag in mj-class": {
    source: inColumn('<mj-text mj-class="{{k}}">a</mj-text>'),
    at: "mjml-attribute-tag x.mjml:2:10",
  },
  "a tag in the name of a class": {
    source: inHead('<mj-class name="{{k}}" color="red" />'),
    at: "mjml-attribute-tag x.mjml:2:11",
  },
  "a tag in a part of a mode": {
    source: inColumn('<mj-social mode="horizontal{{m}}"><mj-social-element href="a">a</mj-social-element></mj-social>'),
    at: "mjml-attribute-tag x.mjml:2:12",
  },
  "a loop in a carousel": {
    source: inColumn("<mj-carousel>{{#images}}<mj-carousel-image src='{{.}}' />{{/images}}</mj-carousel>"),
    at: "mjml-lost-text x.mjml:2:14",
  },
  "a section around the body": {
    source: "<mjml>{{#a}}<mj-body></mj-body>{{/a}}</mjml>",
    at: "mjml-lost-text x.mjml:1:7",
  },
  "a section across elements": {
    source: inColumn("{{#a}}<mj-text>a{{/a}}</mj-text>"),
    at: "mjml-section x.mjml:2:1",
  },
  "a section from one column into another": {
    source: body("<mj-section>\n<mj-column>{{#a}}</mj-column>\n<mj-column>{{/a}}</mj-column>\n</mj-section>"),
    at: "mjml-section x.mjml:3:12",
  },
  "a section around a part of the head": {
    source: "<mjml><mj-head>\n{{#dark}}<mj-style>a{}</mj-style>{{/dark}}</mj-head><mj-body></mj-body></mjml>",
    at: "mjml-section x.mjml:2:1",
  },
  "a section in inlined CSS": {
    source:
      '<mjml><mj-head><mj-style inline="inline">\n{{#a}}p { color: red }{{/a}}</mj-style></mj-head><mj-body></mj-body></mjml>',
    at: "mjml-section x.mjml:2:1",
  },
  "half a row in a section": {
    source: inColumn("<mj-table>\n{{#i}}<tr>{{/i}}<td>a</td></tr></mj-table>"),
    at: "markup-unbalanced x.mjml:3:1",
  },
  "an unclosed element in a text": {
    source: inColumn("<mj-text>\n<b>Hi</mj-text>"),
    at: "markup-unbalanced x.mjml:3:1",
  },
  "a section around half an element of mj-raw": {
    source: body("<mj-raw>\n{{#a}}<div></mj-raw><mj-section></mj-section><mj-raw>{{/a}}</div></mj-raw>"),
    at: "markup-unbalanced x.mjml:3:1",
  },
  "an element in mj-raw that is never closed": {
    source: body("<mj-raw><p>a</p></mj-raw><mj-section></mj-section><mj-raw>\n<div>b</mj-raw>"),
    at: "markup-unbalanced x.mjml:3:1",
  },
  "a tag in a button's width": {
    source: inColumn('<mj-button width="{{w}}">a</mj-button>'),
    at: "mjml-attribute-tag x.mjml:2:12",
  },
  "a tag in a divider's width": {
    source: inColumn('<mj-divider width="{{w}}" />'),
    at: "mjml-attribute-tag x.mjml:2:13",
  },
  "a tag in a border that MJML subtracts": {
    source: body('<mj-section><mj-column border="{{b}}"><mj-image alt="" src="a" /></mj-column></mj-section>'),
    at: "mjml-attribute-tag x.mjml:2:24",
  },
  "a tag in the size of a background, which MJML converts for Outlook": {
    source: body('<mj-section background-url="a" background-size="{{s}}"></mj-section>'),
    at: "mjml-attribute-tag x.mjml:2:32",
  },
  "a section in mj-attributes": {
    source: `<mjml><mj-head><mj-attributes>\n{{#a}}<mj-text color="red" />{{/a}}</mj-attributes></mj-head><mj-body></mj-body></mjml>`,
    at: "mjml-lost-text x.mjml:2:1",
  },
  "an attribute of mj-html-attributes that matches nothing": {
    source: `<mjml><mj-head><mj-html-attributes>\n<mj-selector path=".none"><mj-html-attribute name="a">{{b}}</mj-html-attribute></mj-selector></mj-html-attributes></mj-head><mj-body></mj-body></mjml>`,
    at: "tag-lost x.mjml:2:55",
  },
  "CDATA between elements": { source: body("<![CDATA[ {{a}} ]]>"), at: "markup-lost x.mjml:2:1" },
  "an include in a text": {
    source: inColumn('<mj-text><mj-include path="a.html" type="html" /></mj-text>'),
    at: "mjml-structure x.mjml:2:10",
  },
  "a comment inside another": {
    source: body("<!-- note\n<mj-section></mj-section><!-- x -->"),
    at: "markup-lost x.mjml:2:1",
  },
  "CDATA in a text": { source: inColumn("<mj-text><![CDATA[<b>{{a}}</b>]]></mj-text>"), at: "markup-lost x.mjml:2:10" },
  "a section that starts in an ordinary comment": {
    source: inColumn("<mj-text><!-- list: {{#a}} --><b>c</b>{{/a}}</mj-text>"),
    at: "markup-lost x.mjml:2:21",
  },
  "a section from one conditional comment into another": {
    source: body(
      "<mj-raw><!--[if mso]>{{#a}}<![endif]--></mj-raw><mj-section></mj-section><mj-raw><!--[if mso]>{{/a}}<![endif]--></mj-raw>",
    ),
    at: "markup-lost x.mjml:2:22",
  },
  "a repeated attribute": {
    source: inColumn('<mj-text color="red" color="{{b}}">a</mj-text>'),
    at: "markup-lost x.mjml:2:22",
  },
  "a selector in inlined CSS that counts repeated elements": {
    source: `<mjml><mj-head><mj-style inline="inline">\n.a { color: red } p:first-child { margin: 0 }</mj-style></mj-head><mj-body><mj-raw>{{#a}}<p>b</p>{{/a}}</mj-raw></mj-body></mjml>`,
    at: "inline-styles x.mjml:2:19",
  },
  "a class on which inlining depends": {
    source: `<mjml><mj-head><mj-style inline="inline">.a { color: red }</mj-style></mj-head><mj-body>\n<mj-raw><p class="{{a}}">b</p></mj-raw></mj-body></mjml>`,
    at: "inline-styles x.mjml:2:12",
  },
  "a condition in the syntax of another template language": {
    source: inColumn('<mj-text mj-if="vip">a</mj-text>'),
    at: "mjml-unknown-attribute x.mjml:2:10",
  },
  "a path outside the templates folder": {
    source: body('<mj-include path="../../a.mjml" />'),
    at: "part-outside x.mjml:2:1",
  },
  "an unclosed Mustache tag": { source: inColumn("<mj-text>{{#a}}</mj-text>"), at: "mustache-syntax x.mjml:2:10" },
  "an invalid name": { source: inColumn("<mj-text>{{a|b}}</mj-text>"), at: "mustache-name x.mjml:2:10" },
};

describe("what MJML drops", () => {
  it.each(Object.entries(refused))("%s", async (_, { source, at }) => {
    const result = await compileOne({ "x.mjml": source });
    expect(result.compiled).toBeUndefined();
    expect(places(result)[0]).toBe(at);
  });

  it.each([
    ["a tag in an element's name", "<mj-{{a}}>b</mj-{{a}}>", "MJML has no element <mj-{{a}}>"],
    ["a section that is never closed", "<mj-text>{{#a}}b</mj-text>", "The section {{#a}} is never closed."],
    [
      "an include inside HTML",
      '<mj-raw><mj-include path="./a.html" type="html" /></mj-raw>',
      "<mj-include> is not allowed in <mj-raw>",
    ],
    ["a tag in a repeated attribute", "<mj-raw><p a-{{b}}=1 title=2 title=3></mj-raw>", "title appears twice"],
    ["a mistyped element", '<mj-buton href="{{u}}">a</mj-button>', "MJML has no element <mj-buton>"],
    ["a mistyped element, twice", '<mj-buton href="{{u}}">a <b>c</b></mj-buton>', "MJML has no element <mj-buton>"],
    ["a mistyped container", "</mj-column><mj-colum><mj-text>a</mj-text>", "MJML has no element <mj-colum>"],
    ["a mistyped closing tag", "<mj-text>a</mj-txt>", "</mj-txt> has no opening tag."],
    ["a mistyped closing tag of a container", "</mj-colum><mj-column>", "</mj-colum> has no opening tag."],
  ])("is reported once, with tags as they were written: %s", async (_, source, message) => {
    const { diagnostics } = await compileOne({ "x.mjml": inColumn(source) });
    expect(diagnostics.map((diagnostic) => diagnostic.message)).toEqual([expect.stringContaining(message)]);
  });
});

it("a repeated attribute without a tag is only a warning: MJML uses the first one, too", async () => {
  const source = inColumn('<mj-text color="red" color="blue"><a href="x" href="y">{{a}}</a></mj-text>');
  const result = await compileOne({ "x.mjml": source });
  expect(places(result)).toEqual(["markup-lost x.mjml:2:22", "markup-lost x.mjml:2:47"]);
  expect(result.diagnostics.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
  expect(result.compiled?.html_body).toMatch(/color:red[^]*href="x" href="y"/);
  expect(result.compiled?.html_body).not.toContain("blue");
});

describe("a mistyped name", () => {
  it.each([
    ["<mj-buton>a</mj-button>", "Did you mean <mj-button>?"],
    ["<mj-button>a</mj-buton>", "Did you mean </mj-button>?"],
  ])("is reported with a similar one: %s", async (source, hint) => {
    const { diagnostics } = await compileOne({ "x.mjml": inColumn(source) });
    expect(diagnostics.map((diagnostic) => diagnostic.hint)).toEqual([hint]);
  });
});

describe("what MJML drops, but the compiler keeps", () => {
  const kept: Record<string, { readonly source: string; readonly has: string }> = {
    "a css-class with spaces in its tag": {
      source: body('<mj-section css-class="{{ cls }}"><mj-column><mj-text>a</mj-text></mj-column></mj-section>'),
      has: '<div class="{{ cls }}"',
    },
    "double quotes in an attribute": {
      source: inColumn(`<mj-text font-family='"Open Sans", Arial'>a</mj-text>`),
      has: "font-family:&quot;Open Sans&quot;, Arial;",
    },
    "a tag in a size that MJML prints": {
      source: inColumn('<mj-text font-size="{{size}}" padding="{{p}} 10px">a</mj-text>'),
      has: "font-size:{{size}};",
    },
    "sections in the title and the preview": {
      source: `<mjml><mj-head><mj-title>{{#a}}b{{/a}}{{^a}}c{{/a}}</mj-title><mj-preview>{{#a}}d{{/a}}</mj-preview></mj-head><mj-body></mj-body></mjml>`,
      has: "<title>{{#a}}b{{/a}}{{^a}}c{{/a}}</title>",
    },
    "entities and Outlook's comments in a text": {
      source: inColumn("<mj-text><!--[if mso]>{{#a}}b{{/a}}<![endif]-->&nbsp;&zwnj;</mj-text>"),
      has: "<!--[if mso]>{{#a}}b{{/a}}<![endif]-->&nbsp;&zwnj;",
    },
    "elements in capitals, CRLF and a byte order mark": {
      source: `\uFEFF${inColumn("<MJ-TEXT>{{a}}</MJ-TEXT>").replaceAll("\n", "\r\n")}`,
      has: "{{a}}",
    },
    "attributes without a value": {
      source: inColumn("<mj-text><input disabled value={{a}}></mj-text>"),
      has: '<input disabled value="{{a}}">',
    },
    "tags in the CSS that MJML would beautify or minify": {
      source: `<mjml owa="desktop"><mj-head><mj-style>.{{a}} { color: {{b}} }{{#c}} p { color: red }{{/c}}</mj-style></mj-head><mj-body></mj-body></mjml>`,
      has: ".{{a}} { color: {{b}} }{{#c}} p { color: red }{{/c}}",
    },
    "tags in every place that takes mj-raw": {
      source: body(
        `{{#a}}<mj-wrapper>{{#b}}<mj-section>{{#c}}<mj-group width="50%">{{#d}}<mj-column width="50%">{{#e}}<mj-social>{{#f}}<mj-social-element href="{{u}}">g</mj-social-element>{{/f}}</mj-social><mj-navbar>{{#h}}<mj-navbar-link href="{{u}}">i</mj-navbar-link>{{/h}}</mj-navbar><mj-accordion>{{#j}}<mj-accordion-element>{{#k}}<mj-accordion-title>l</mj-accordion-title>{{/k}}</mj-accordion-element>{{/j}}</mj-accordion>{{/e}}</mj-column>{{/d}}</mj-group>{{/c}}</mj-section>{{/b}}</mj-wrapper><mj-hero>{{#m}}<mj-text>n</mj-text>{{/m}}</mj-hero>{{/a}}`,
      ),
      has: "{{/a}}",
    },
    "tags with markup characters": { source: inColumn('<mj-text>{{! "<" }}{{{ a }}}</mj-text>'), has: "{{{ a }}}" },
    "inlined CSS": {
      source:
        '<mjml><mj-head><mj-style inline="inline">.a div { background: {{bg}} }</mj-style></mj-head><mj-body><mj-section css-class="a"><mj-column><mj-text>a</mj-text></mj-column></mj-section></mj-body></mjml>',
      has: "background: {{bg}}",
    },
    "CSS to be inlined that a style attribute can't contain": {
      source: `<mjml><mj-head><mj-style inline="inline">.a { color: red } .a:hover { color: {{c}} } @media print { .a { color: blue } }</mj-style></mj-head><mj-body><mj-raw><p class="a">b</p></mj-raw></mj-body></mjml>`,
      has: "\n.a:hover { color: {{c}} }\n@media print { .a { color: blue } }\n",
    },
    "a section whose tags are in comments": {
      source: body("<!-- {{#a}} --><mj-section></mj-section><!--{{/a}}-->"),
      has: "{{#a}}",
    },
    "defaults of existing elements, next to unused ones": {
      source: `<mjml><mj-head><mj-attributes><mj-text color="{{text}}" /><mj-table color="{{table}}" /><mj-class name="a" color="{{class}}" /></mj-attributes></mj-head><mj-body><mj-section><mj-column><mj-text>a</mj-text></mj-column></mj-section></mj-body></mjml>`,
      has: "color:{{text}}",
    },
    "a br next to mj-html-attributes": {
      source:
        '<mjml><mj-head><mj-html-attributes><mj-selector path=".a div"><mj-html-attribute name="data-id">{{id}}</mj-html-attribute></mj-selector></mj-html-attributes></mj-head><mj-body><mj-section><mj-column><mj-text css-class="a">a<br>b<p></p></mj-text></mj-column></mj-section></mj-body></mjml>',
      has: 'data-id="{{id}}">a<br/>b<p></p></div>',
    },
    "a raw conditional comment before a section": {
      source: body(
        "<mj-raw><!--[if !mso]><!--></mj-raw><mj-raw><!--<![endif]--></mj-raw><mj-section><mj-column><mj-text>a</mj-text></mj-column></mj-section>",
      ),
      has: "<!--<![endif]--><!--[if mso | IE]>",
    },
  };

  it.each(Object.entries(kept))("%s", async (_, { source, has }) => {
    const { html_body } = compiledOf(await compileOne({ "x.mjml": source }));
    expect(html_body.replace(/>\s+</g, "><")).toContain(has);
  });

  it("adds the language of template.json", async () => {
    const files = (mjml: string) => ({ "x/x.mjml": mjml, "x/template.json": '{ "subject": "a", "locale": "fa-IR" }' });
    const { html_body } = compiledOf(await compileOne(files("<mjml><mj-body></mj-body></mjml>")));
    expect(html_body).toContain('<html lang="fa-IR" dir="rtl"');
    expect(html_body).toMatch(/<div [^>]*lang="fa-IR" dir="rtl"/);
    const other = await compileOne(files('<mjml\n lang="de"><mj-body></mj-body></mjml>'));
    expect(places(other)).toEqual(["language-missing x.mjml:2:2"]);
    expect(compiledOf(other).html_body).toContain('<html lang="de" dir="rtl"');
  });

  it("warns about a column in a section whose width depends on the others", async () => {
    const column = (attributes: string) =>
      body(`<mj-section>{{#a}}\n<mj-column${attributes}><mj-text>a</mj-text></mj-column>{{/a}}</mj-section>`);
    expect(places(await compileOne({ "x.mjml": column("") }))).toEqual(["mjml-column-width x.mjml:3:1"]);
    expect(places(await compileOne({ "x.mjml": column(' width="50%"') }))).toEqual([]);
  });

  it.each(["5000px", "60px"])("warns of a body that is %s wide", async (width) => {
    const source = `<mjml>\n<mj-body width="${width}"><mj-section></mj-section></mj-body></mjml>`;
    expect(places(await compileOne({ "x.mjml": source }))).toEqual(["mjml-column-width x.mjml:2:10"]);
  });

  it.each([
    [["50%", "75%"], ["mjml-column-width x.mjml:4:12"]],
    [["500%"], ["mjml-column-width x.mjml:3:12"]],
    [["75%", undefined], ["mjml-column-width x.mjml:3:12"]],
    [["400px", "400px"], ["mjml-column-width x.mjml:3:12"]],
    [["900px"], ["mjml-column-width x.mjml:3:12"]],
    [["33.34%", "33.34%", "33.34%"], []],
    [["50%", "50%", "50%", "50%"], []],
    [["100%", "100%"], []],
    [["200px", "400px"], []],
    [["600px"], []],
    [["60%"], []],
    [[undefined, undefined, undefined], []],
  ])("adds up the widths of columns: %j", async (widths, expected) => {
    const columns = widths.map((width) => `<mj-column${width === undefined ? "" : ` width="${width}"`}></mj-column>`);
    const source = body(`<mj-section>\n${columns.join("\n")}\n</mj-section>`);
    expect(places(await compileOne({ "x.mjml": source }))).toEqual(expected);
  });

  it.each<[row: string, at: string | undefined]>([
    ['<mj-section><mj-group><mj-column width="60%" />\n<mj-column width="60%" /></mj-group></mj-section>', "2:34"],
    ['<mj-section><mj-group width="50%">\n<mj-column width="400px" /></mj-group></mj-section>', "3:12"],
    ['<mj-section padding="0 50px">\n<mj-column width="300px" /><mj-column width="300px" /></mj-section>', "3:12"],
    ['<mj-wrapper padding-left="40px"><mj-section>\n<mj-column width="600px" /></mj-section></mj-wrapper>', "3:12"],
    [
      '<mj-section><mj-group width="50%"><mj-column width="100px" /><mj-column width="200px" /></mj-group></mj-section>',
      undefined,
    ],
    ['<mj-section><mj-group><mj-column width="30%" /><mj-column width="30%" /></mj-group></mj-section>', undefined],
    ['<mj-section padding="50px 0"><mj-column width="300px" /><mj-column width="300px" /></mj-section>', undefined],
    ['<mj-section padding="0 50px"><mj-column width="250px" /><mj-column width="250px" /></mj-section>', undefined],
    [
      '<mj-section padding="0 50px" padding-left="0" padding-right="0"><mj-column width="600px" /></mj-section>',
      undefined,
    ],
  ])("adds up the columns of groups, and what padding leaves: %s", async (row, at) => {
    expect(places(await compileOne({ "x.mjml": body(row) }))).toEqual(
      at === undefined ? [] : [`mjml-column-width x.mjml:${at}`],
    );
  });

  it.each<[element: string, at: string | undefined]>([
    ['<mj-head>\n<mj-style inline="inlin">a { color: red; }</mj-style></mj-head><mj-body />', "2:11"],
    ['<mj-head>\n<mj-style inline="true">a { color: red; }</mj-style></mj-head><mj-body />', "2:11"],
    ['<mj-body>\n<mj-hero mode="fluid"><mj-text>a</mj-text></mj-hero></mj-body>', "2:10"],
    ['<mj-body>\n<mj-include path="./a.css" type="cs" /></mj-body>', "2:28"],
    ['<mj-body>\n<mj-include path="./a.css" type="css" css-inline="true" /></mj-body>', "2:39"],
    ['<mj-head><mj-style inline="inline">a { color: red; }</mj-style></mj-head><mj-body />', undefined],
    ['<mj-head><mj-style inline="false">a { color: red; }</mj-style></mj-head><mj-body />', undefined],
    ['<mj-body><mj-include path="./a.css" type="css" css-inline="inline" /></mj-body>', undefined],
    ['<mj-body><mj-hero mode="fixed-height" height="200px"><mj-text>a</mj-text></mj-hero></mj-body>', undefined],
  ])("warns about a value that MJML ignores: %s", async (inner, at) => {
    const files = { "x/x.mjml": `<mjml>${inner}</mjml>`, "x/a.css": "a { color: red; }" };
    const found = places(await compileOne(files)).filter((each) => each.startsWith("mjml-attribute-value"));
    expect(found).toEqual(at === undefined ? [] : [`mjml-attribute-value x.mjml:${at}`]);
  });

  it("ignores columns whose number or width is determined elsewhere", async () => {
    const shown = body(
      '<mj-section>{{#a}}<mj-column width="60%"></mj-column>{{/a}}<mj-column width="60%"></mj-column></mj-section>',
    );
    expect(places(await compileOne({ "x.mjml": shown }))).toEqual([]);
  });

  it("gives navbars and carousels the same ids in every build", async () => {
    const source = inColumn(
      '<mj-navbar hamburger="hamburger"></mj-navbar><mj-carousel><mj-carousel-image src="https://a.example/b.png" /></mj-carousel>',
    );
    const first = compiledOf(await compileOne({ "x.mjml": source }));
    const second = compiledOf(await compileOne({ "x.mjml": source }));
    expect(second.html_body).toBe(first.html_body);
  });
});

it("a fluid hero needs its image's size, from itself or from mj-attributes; a missing one is reported", async () => {
  const hero = '<mj-hero mode="fluid-height" background-width="600px"><mj-text>a</mj-text></mj-hero>';
  const lacking = await compileOne({ "x.mjml": `<mjml><mj-body>${hero}</mj-body></mjml>` });
  expect(lacking.diagnostics.map(({ message, hint }) => [message, hint])).toEqual([
    [
      '<mj-hero mode="fluid-height"> needs background-height, because its height depends on the image\'s size.',
      'Add background-height="400px", with the image\'s actual size.',
    ],
  ]);
  const head = '<mj-head><mj-attributes><mj-hero background-height="300px" /></mj-attributes></mj-head>';
  const sized = await compileOne({ "x.mjml": `<mjml>${head}<mj-body>${hero}</mj-body></mjml>` });
  expect(sized.diagnostics).toEqual([]);
});

describe("hints", () => {
  const found = async (source: string) =>
    (await compileOne({ "x.mjml": source })).diagnostics.map(({ message, hint }) => `${message} ${hint}`);

  it.each([
    [
      body("{% if vip %}<mj-section></mj-section>{% endif %}"),
      'MJML drops text directly inside <mj-body>: "{% if vip %}". This is the syntax of another template engine. Write Mustache: {{#section}} … {{/section}}, or {{> part}} to include a file.',
    ],
    [
      body("<mj-container><mj-section>Hi</mj-section></mj-container>"),
      "MJML has no element <mj-container>, and drops it with its content. Since MJML 4, write its elements and attributes in <mj-body>.",
    ],
    [
      inColumn("<mj-link>Shoes</mj-link>"),
      "MJML has no element <mj-link>, and drops it with its content. Since MJML 4, it is called <mj-navbar-link>.",
    ],
    [
      inColumn("<mj-countdown />"),
      "MJML has no element <mj-countdown>, and drops it with its content. Only MJML's own elements can be used. Put HTML into <mj-text> or <mj-raw>.",
    ],
    [
      inHead('{{#dark}}<mj-text color="#fff" />'),
      "A Mustache tag can't be directly inside <mj-attributes>. Put it into an attribute's value: color=\"{{#dark}}#fff{{/dark}}{{^dark}}#000{{/dark}}\".",
    ],
    [
      "<mj-text>Hi</mj-text>",
      "This file has no <mjml> element. If other templates include this file, put it into a folder whose name begins with _, such as _shared.",
    ],
    [
      inColumn("<mj-text><h{{level}}>Hi</h{{level}}></mj-text>"),
      "A Mustache tag can't be part of an element name. Write one element for each name, each in a separate section.",
    ],
  ])("%s", async (source, expected) => {
    expect(await found(source)).toContain(expected);
  });

  it("an unknown element is reported once, whatever it contains", async () => {
    expect(await found(inColumn("<mj-list>One <mj-li>two</mj-li></mj-list>"))).toHaveLength(1);
  });
});
