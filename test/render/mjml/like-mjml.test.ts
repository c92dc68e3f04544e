import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { completeVariables } from "../../../src/mustache/complete.js";
import { fill, renderMustache } from "../../../src/mustache/fill.js";
import type { Variables } from "../../../src/mustache/variables.js";
import { stableIds } from "../../../src/render/mjml/empty-values.js";
import { compactHtml } from "../../../src/render/bodies.js";
import { compiledOf, inColumn, places, useProjects } from "../project.js";

const { compileOne } = useProjects();
const mjml: (text: string, options: object) => Promise<{ html: string }> = createRequire(import.meta.url)("mjml");

const body = (elements: string, head = "") =>
  `<mjml><mj-head>${head}</mj-head><mj-body>\n${elements}\n</mj-body></mjml>`;
const section = (text: string) => `<mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section>`;
const wrapper = (sections: string) => body(`<mj-wrapper gap="10px">${sections}</mj-wrapper>`);
const column = (attributes: string) =>
  body(
    `<mj-section><mj-column ${attributes}><mj-image src="https://a.example/b.png" alt="" /></mj-column></mj-section>`,
  );
const fixtures = (values: readonly Variables[]) =>
  Object.fromEntries(values.map((each, index) => [`x/fixtures/${index}.json`, JSON.stringify(each)]));

/** The content of a body, including for Outlook, without space and boundaries of its comments. */
function comparable(html: string): string {
  return compactHtml(stableIds(html.slice(html.indexOf("<body"))))
    .replaceAll(/<!\[endif\]-->\s*<!--\[if mso \| IE\]>/g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/> | (?=[<>])/g, (space) => space.trim())
    .replaceAll(/ (?:class|bgcolor)=""/g, "");
}

async function expectLikeMjml(source: string, values: readonly Variables[]): Promise<void> {
  const compiled = compiledOf(await compileOne({ "x/x.mjml": source, ...fixtures(values) }));
  for (const each of values) {
    const variables = completeVariables(compiled.contract, each);
    const { html } = await mjml(renderMustache(source, variables, { escape: "html" }), { keepComments: false });
    const filled = fill(compiled, variables);
    expect(comparable(filled.html)).toBe(comparable(html));
  }
}

describe("an attribute with a tag in part of its value renders as MJML renders the filled value", () => {
  it.each<[name: string, source: string, values: readonly Variables[]]>([
    [
      "a short colour in sections",
      body(section("a").replace("<mj-text", '<mj-text color="{{#k}}#fff{{/k}}{{^k}}#123{{/k}}"')),
      [{ k: true }, { k: false }],
    ],
    [
      "a default in a section, for an element in another section",
      body(
        `{{#j}}${section("a")}{{/j}}`,
        '<mj-attributes><mj-text color="{{#k}}red{{/k}}{{^k}}blue{{/k}}" /></mj-attributes>',
      ),
      [
        { k: true, j: true },
        { k: false, j: true },
        { k: true, j: false },
      ],
    ],
    [
      "an address in a section, with inlined styles",
      body(
        '<mj-section><mj-column><mj-image src="{{#k}}https://a.example/b.png{{/k}}" alt="" /></mj-column></mj-section>',
        '<mj-style inline="inline">.none { color: red }</mj-style>',
      ),
      [{ k: true }],
    ],
    [
      "a font in sections",
      body(section("a").replace("<mj-text", '<mj-text font-family="{{#k}}Lato{{/k}}{{^k}}Arial{{/k}}"')),
      [{ k: true }, { k: false }],
    ],
    ["a border's colour", column('border="1px solid {{c}}" border-left="3px {{s}} red"'), [{ c: "red", s: "dotted" }]],
    ["a padding's top", column('padding="{{p}} 10px"'), [{ p: "4px" }, { p: "50px" }]],
    [
      "a class's colour",
      body(
        section("a").replace("<mj-text", '<mj-text mj-class="k"'),
        '<mj-attributes><mj-class name="k" background-color="{{c}}" /></mj-attributes>',
      ),
      [{ c: "red" }],
    ],
    [
      "a section's classes",
      body(section("a").replace("<mj-section", '<mj-section css-class="{{#k}}a b{{/k}}"')),
      [{ k: true }, { k: false }],
    ],
    [
      "a section's classes, with others",
      body(section("a").replace("<mj-section", '<mj-section css-class="x {{#k}}a{{/k}} y{{#k}}-b{{/k}}"')),
      [{ k: true }],
    ],
    [
      "a column's classes",
      body(section("a").replace("<mj-column", '<mj-column css-class="{{#k}}a b{{/k}}{{^k}}c{{/k}}"')),
      [{ k: true }, { k: false }],
    ],
    [
      "a link in two sections",
      inColumn('<mj-button href="https://{{#k}}a{{/k}}{{^k}}b{{/k}}.example">a</mj-button>'),
      [{ k: true }, { k: false }],
    ],
  ])("%s", async (_, source, values) => {
    await expectLikeMjml(source, values);
  });

  it.each([
    ["a border's width", column('border="{{w}} solid red"'), "mjml-attribute-tag x.mjml:2:24"],
    ["a padding's side", column('padding="10px {{p}}"'), "mjml-attribute-tag x.mjml:2:24"],
    [
      "a link that may be empty",
      inColumn('<mj-button href="{{#u}}https://a.example{{/u}}">a</mj-button>'),
      "mjml-attribute-tag x.mjml:2:12",
    ],
    [
      "the padding on two sides",
      body('<mj-section padding-left="{{a}}"\npadding-right="{{b}}"><mj-column></mj-column></mj-section>'),
      "mjml-attribute-tag x.mjml:2:13 mjml-attribute-tag x.mjml:3:1",
    ],
  ])("or is rejected: %s", async (_, source, at) => {
    const result = await compileOne({ "x.mjml": source });
    expect(result.compiled).toBeUndefined();
    expect(places(result).join(" ")).toBe(at);
  });

  it("or in a list whose items may have the name", async () => {
    const source = body(
      `{{#l}}${section("{{n}}")}{{/l}}`,
      '<mj-attributes>\n<mj-text color="{{#k}}red{{/k}}{{^k}}blue{{/k}}" /></mj-attributes>',
    );
    const refused = await compileOne({ "x/x.mjml": source, ...fixtures([{ l: [{ n: "a", k: true }], k: false }]) });
    expect(new Set(refused.diagnostics.map(({ rule, at }) => `${rule} ${at?.line}`))).toEqual(new Set(["tag-moved 2"]));
    await expectLikeMjml(source, [{ l: [{ n: "a" }, { n: "b" }], k: false }]);
  });

  it("is reported if MJML ignores it", async () => {
    const result = await compileOne({
      "x.mjml": inColumn('<mj-image name="{{n}}" src="https://a.example/b.png" alt="" />'),
    });
    expect(result.diagnostics.map(({ severity, message }) => [severity, message])).toEqual([
      ["warning", "MJML does not use name of <mj-image> here, so {{n}} is not printed."],
    ]);
  });
});

it.each([
  ["{{#a}}Follow us{{/a}}", ["mjml-section x.mjml:2:31"]],
  ["{{#a}}Follow us{{/a}}{{^a}}Bye{{/a}}", []],
  ["Follow {{#a}}us{{/a}}", []],
])("reports a social element's text that may be empty: %s", async (text, expected) => {
  const source = inColumn(`<mj-social><mj-social-element>${text}</mj-social-element></mj-social>`);
  expect(places(await compileOne({ "x.mjml": source }))).toEqual(expected);
});

describe("a variable in classes that MJML repeats for Outlook", () => {
  const source = body(section("a").replace("<mj-section", '<mj-section css-class="{{k}}"'));
  const variables = (type: string) => `import { z } from "zod"; export default z.object({ k: ${type} });`;

  it.each([
    ["z.string()", ["mjml-attribute-tag x.mjml:2:24"]],
    ['z.enum(["a", "b c"])', ["mjml-attribute-tag x.mjml:2:24"]],
    ['z.enum(["a", "b"])', []],
    ["z.number()", []],
  ])("is reported if it may contain several words: %s", async (type, expected) => {
    const files = { "x/x.mjml": source, "x/variables.ts": variables(type), "x/fixtures/a.json": "{}" };
    const result = await compileOne({
      ...files,
      "x/fixtures/a.json": type === "z.number()" ? '{ "k": 1 }' : '{ "k": "a" }',
    });
    expect(places(result)).toEqual(expected);
    expect(result.compiled).toBeDefined();
  });
});

describe("a value that may be empty, and on which MJML's output depends, renders as in MJML", () => {
  const urls = [{ url: "https://a.example" }, { url: "" }, {}];
  const image = '<mj-image href="{{url}}" src="https://a.example/b.png" alt="b" />';
  const social = (element: string, attributes = "") => inColumn(`<mj-social ${attributes}>${element}</mj-social>`);

  it.each<[name: string, source: string, values: readonly Variables[]]>([
    ["a button's link", inColumn('<mj-button href="{{url}}"><b>Open</b> {{{url}}}</mj-button>'), urls],
    ["an image's link", inColumn(image), urls],
    [
      "a default's link",
      body(
        '<mj-section><mj-column><mj-image src="https://a.example/b.png" /></mj-column></mj-section>',
        '<mj-attributes><mj-image href="{{url}}" /></mj-attributes>',
      ),
      urls,
    ],
    [
      "a link in a list, and one outside of it",
      body(`{{#items}}<mj-section><mj-column>${image}</mj-column></mj-section>{{/items}}
        <mj-section><mj-column>${image}</mj-column></mj-section>`),
      [
        { url: "https://o.example", items: [{ url: "https://a.example" }, { url: "" }, {}] },
        { url: "", items: [] },
      ],
    ],
    ["a dotted name", inColumn('<mj-button href="{{a.url}}">Open</mj-button>'), [{ a: { url: "b" } }, { a: {} }]],
    ["a number", social('<mj-social-element src="https://a.example/b.png">{{n}}</mj-social-element>'), [{ n: 0 }, {}]],
    [
      "link, image and text of a social element",
      social('<mj-social-element name="facebook" href="{{url}}" src="{{i}}">{{t}}</mj-social-element>'),
      [{ url: "u", i: "https://a.example/i.png", t: "t" }, { url: "u" }, { i: "https://a.example/i.png" }, { t: "t" }],
    ],
    [
      "what a social element has from its parent",
      social('<mj-social-element name="x" href="{{url}}">a</mj-social-element>', 'color="{{c}}" inner-padding="3px"'),
      [{ url: "u", c: "red" }, { c: "red" }, { url: "u" }],
    ],
    [
      "a background",
      body(section("a").replace("<mj-section", '<mj-section background-url="{{bg}}" background-color="{{c}}"')),
      [{ bg: "https://a.example/b.png", c: "red" }, { c: "red" }, { bg: "https://a.example/b.png" }, {}],
    ],
    [
      "the background of a hero",
      body('<mj-hero background-url="{{bg}}" height="90px"><mj-text>a</mj-text></mj-hero>'),
      [{ bg: "https://a.example/b.png" }, {}],
    ],
    [
      "round corners, around a navbar",
      body(
        '<mj-section border-radius="{{r}}"><mj-column border-radius="{{r}}"><mj-navbar hamburger="hamburger"><mj-navbar-link href="{{url}}">a</mj-navbar-link></mj-navbar></mj-column></mj-section>',
      ),
      [
        { r: "3px", url: "u" },
        { r: "", url: "" },
      ],
    ],
    [
      "a carousel's links",
      inColumn('<mj-carousel><mj-carousel-image href="{{url}}" src="b" /><mj-carousel-image src="c" /></mj-carousel>'),
      urls,
    ],
  ])("%s", async (_, source, values) => {
    await expectLikeMjml(source, values);
  });

  it("and other types render without a condition", async () => {
    const source = inColumn('<mj-button href="{{url}}">a</mj-button>');
    const typeWith = async (values: readonly Variables[]) =>
      compiledOf(await compileOne({ "x/x.mjml": source, ...fixtures(values) })).contract;
    expect(await typeWith([{ url: "u" }])).toEqual({
      input: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
      conditions: [{ name: "url__is_empty", within: [], path: "url", test: { kind: "empty" } }],
    });
    expect((await typeWith([{ url: "u" }, {}])).input.required).toBeUndefined();
  });

  it("and is rendered once if it can't be empty", async () => {
    const conditionsOf = async (files: Readonly<Record<string, string>>) => {
      const { contract, html_body } = compiledOf(await compileOne(files));
      expect(html_body).toMatch(/<a[^>]* href="\{\{url\}\}"/);
      return contract.conditions.map(({ name }) => name);
    };
    const button = '<mj-button href="{{url}}">a</mj-button>';
    const schema = (type: string, more = "") =>
      `import { z } from "zod"; export default z.object({ url: ${type} });${more}`;
    const withSchema = (variables: string) =>
      conditionsOf({
        "x/x.mjml": inColumn(button),
        "x/variables.ts": variables,
        "x/fixtures/a.json": '{ "url": "https://a.example" }',
      });
    expect(await withSchema(schema("z.url()"))).toEqual([]);
    expect(await withSchema(schema("z.string()"))).toEqual(["url__is_empty"]);
    expect(await withSchema(schema("z.url().optional()"))).toEqual(["url__is_empty"]);
    expect(await withSchema(schema("z.url()", " export const derive = ({ url }) => ({ url: url.slice(8) });"))).toEqual(
      ["url__is_empty"],
    );
    expect(await conditionsOf({ "x.mjml": inColumn(`{{#url}}${button}{{/url}}`) })).toEqual([]);
  });

  it("also if styles are inlined, except for declarations, which is reported", async () => {
    const head = '<mj-style inline="inline">a, p { color: red }</mj-style>';
    const button = '<mj-section><mj-column><mj-button href="{{url}}">a</mj-button></mj-column></mj-section>';
    await expectLikeMjml(body(button, head), urls);
    const result = await compileOne({ "x.mjml": body('<mj-section border-radius="{{r}}"></mj-section>', head) });
    expect(places(result)).toEqual(["mjml-attribute-tag x.mjml:2:13"]);
    expect(compiledOf(result).contract.conditions).toEqual([]);
  });

  it("or is reported if that is impossible", async () => {
    const items = inColumn('\n{{#urls}}<mj-button\nhref="{{.}}">a</mj-button>{{/urls}}');
    const result = await compileOne({ "x.mjml": items });
    expect(places(result)).toEqual(["mjml-attribute-tag x.mjml:4:1"]);
    expect(compiledOf(result).html_body).not.toContain("<p");
    const schema = (type: string) => `import { z } from "zod"; export default z.object({ urls: z.array(${type}) });`;
    const files = { "x/x.mjml": items, "x/fixtures/a.json": '{ "urls": ["https://a.example"] }' };
    expect(places(await compileOne({ ...files, "x/variables.ts": schema("z.url()") }))).toEqual([]);
    expect(places(await compileOne({ ...files, "x/variables.ts": schema("z.string()") }))).toHaveLength(1);
  });
});

describe("the gap of a wrapper is above every section except the first that is shown", () => {
  it.each<[name: string, source: string, values: readonly Variables[]]>([
    ["one in a section", wrapper(`{{#a}}${section("a")}{{/a}}${section("b")}`), [{ a: true }, { a: false }]],
    [
      "two in a section",
      wrapper(`{{#a}}${section("a")}${section("b")}{{/a}}${section("c")}`),
      [{ a: true }, { a: false }],
    ],
    [
      "several in sections",
      wrapper(`{{#a}}${section("a")}{{/a}}{{#b}}${section("b")}{{/b}}{{^a}}${section("d")}{{/a}}${section("c")}`),
      [
        { a: true, b: true },
        { a: true, b: false },
        { a: false, b: true },
        { a: false, b: false },
      ],
    ],
    [
      "a list behind one",
      wrapper(`${section("a")}{{#l}}${section("{{n}}")}{{/l}}`),
      [{ l: [{ n: "1" }, { n: "2" }] }, { l: [] }],
    ],
  ])("%s", async (_, source, values) => {
    await expectLikeMjml(source, values);
  });

  it("and above the first section of a list, which is reported", async () => {
    const source = wrapper(`\n{{#l}}${section("{{n}}")}{{/l}}${section("b")}`);
    const result = await compileOne({ "x/x.mjml": source, ...fixtures([{ l: [{ n: "1" }] }]) });
    expect(places(result)).toEqual(["mjml-section x.mjml:3:7"]);
    const { html_body } = compiledOf(result);
    expect(html_body.match(/margin-top:10px/g)).toHaveLength(2);
    expect(html_body).toContain("{{#l__has_items}}margin-top:10px;{{/l__has_items}}");
  });
});
