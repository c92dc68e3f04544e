import { describe, expect, it } from "vitest";
import { compiledOf, inColumn, places, useProjects } from "../project.js";

const { compileOne } = useProjects();

const body = (elements: string) => `<mjml><mj-body>\n${elements}\n</mj-body></mjml>`;

/** What MJML drops or corrupts without a word, and where it is reported. */
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
  "a closing tag too much": { source: inColumn("<mj-text>a</mj-text></mj-text>"), at: "mjml-structure x.mjml:2:21" },
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
  "something after mjml": { source: "<mjml><mj-body></mj-body></mjml>\n{{late}}", at: "mjml-structure x.mjml:2:1" },
  "an unknown element": { source: inColumn("<mj-txt>Hi</mj-txt>"), at: "mjml-unknown-element x.mjml:2:1" },
  "html between elements": { source: inColumn("<div>Hi {{name}}</div>"), at: "mjml-unknown-element x.mjml:2:1" },
  "text between elements": { source: body("Hello"), at: "mjml-lost-text x.mjml:2:1" },
  "html beside the body": {
    source: "<mjml>\n<mj-raw><p>a</p></mj-raw><mj-body></mj-body></mjml>",
    at: "mjml-lost-text x.mjml:2:1",
  },
  "a misplaced element": { source: body("<mj-text>Hi</mj-text>"), at: "mjml-structure x.mjml:2:1" },
  "a misspelt attribute": {
    source: inColumn('<mj-button hrfe="a">Hi</mj-button>'),
    at: "mjml-unknown-attribute x.mjml:2:12",
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
  "a tag in a default that MJML computes with": {
    source: `<mjml><mj-head><mj-attributes>\n<mj-image width="{{w}}" /></mj-attributes></mj-head><mj-body><mj-section><mj-column><mj-image src="a" alt="" /></mj-column></mj-section></mj-body></mjml>`,
    at: "mjml-attribute-tag x.mjml:2:11",
  },
  "a tag in mj-class": {
    source: inColumn('<mj-text mj-class="{{k}}">a</mj-text>'),
    at: "mjml-attribute-tag x.mjml:2:10",
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
  "Mustache that is not closed": { source: inColumn("<mj-text>{{#a}}</mj-text>"), at: "mustache-syntax x.mjml:2:10" },
  "a name that is none": { source: inColumn("<mj-text>{{a|b}}</mj-text>"), at: "mustache-name x.mjml:2:10" },
};

describe("what MJML loses", () => {
  it.each(Object.entries(refused))("%s", async (_, { source, at }) => {
    const result = await compileOne({ "x.mjml": source });
    expect(result.compiled).toBeUndefined();
    expect(places(result)[0]).toBe(at);
  });
});

describe("what MJML loses and we keep", () => {
  const kept: Record<string, { readonly source: string; readonly has: string }> = {
    "a css-class with spaces in its tag": {
      source: body('<mj-section css-class="{{ cls }}"><mj-column><mj-text>a</mj-text></mj-column></mj-section>'),
      has: '<div class="{{ cls }}"',
    },
    "tags with markup's characters": { source: inColumn('<mj-text>{{! "<" }}{{{ a }}}</mj-text>'), has: "{{{ a }}}" },
    "inlined CSS": {
      source:
        '<mjml><mj-head><mj-style inline="inline">.a div { background: {{bg}} }</mj-style></mj-head><mj-body><mj-section css-class="a"><mj-column><mj-text>a</mj-text></mj-column></mj-section></mj-body></mjml>',
      has: "background: {{bg}}",
    },
    "defaults of elements that there are, beside those of others": {
      source: `<mjml><mj-head><mj-attributes><mj-text color="{{text}}" /><mj-table color="{{table}}" /><mj-class name="a" color="{{class}}" /></mj-attributes></mj-head><mj-body><mj-section><mj-column><mj-text>a</mj-text></mj-column></mj-section></mj-body></mjml>`,
      has: "color:{{text}}",
    },
    "a br beside mj-html-attributes": {
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

  it("gives navbars and carousels the same ids in every build", async () => {
    const source = inColumn(
      '<mj-navbar hamburger="hamburger"></mj-navbar><mj-carousel><mj-carousel-image src="https://a.example/b.png" /></mj-carousel>',
    );
    const first = compiledOf(await compileOne({ "x.mjml": source }));
    const second = compiledOf(await compileOne({ "x.mjml": source }));
    expect(second.html_body).toBe(first.html_body);
  });
});
