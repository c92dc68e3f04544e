import { describe, expect, test } from "vitest";
import { renderMustache } from "../../../src/mustache/fill.js";
import { textOf } from "../../../src/render/computed/rendering-functions.js";
import { compiledOf, useProjects } from "../project.js";

const { compileOne } = useProjects();

/** The filled text body of a template, and the text body of the same component with real values. */
async function texts(
  markup: string,
  values: Readonly<Record<string, unknown>>,
  before = "",
): Promise<[string, string]> {
  const component = `import { Button, Column, Container, Hr, Markdown, Row, Section, Text } from "@react-email/components";
import { marked } from "marked";
${before}
const Email = (props: any) => <html lang="en"><body>${markup}</body></html>;
`;
  const compiled = compiledOf(
    await compileOne({
      "x/x.tsx": `${component}export default Email;\n`,
      "x/fixtures/one.json": JSON.stringify(values),
    }),
  );
  const real = await compileOne({
    "x/x.tsx": `${component}export default () => <Email {...${JSON.stringify(values)}} />;\n`,
  });
  const variables = compiled.fixtures[0]?.variables ?? {};
  return [renderMustache(compiled.text_body, variables, { escape: "none" }).trimEnd(), compiledOf(real).text_body];
}

const BODY = "# Big *news*\n\nSee [the docs](https://example.com/docs?a=1&b=2), **now** & then.\n\n- one\n- two\n";

describe("the text of computed HTML is that of the same HTML in the body", () => {
  test.each<[markup: string, values?: Readonly<Record<string, unknown>>]>([
    ["<Markdown>{props.body}</Markdown>"],
    ["<h1>Hi</h1><Markdown>{props.body}</Markdown><p>Bye</p>"],
    ["<h1>Hi</h1><Markdown>{props.body}</Markdown><p>Bye</p>", { body: "" }],
    [
      "<Text>Hi</Text><Markdown>{props.body}</Markdown><Markdown>{props.body.replaceAll('example', 'other')}</Markdown><Text>Bye</Text>",
    ],
    [
      "<Container><Section><Text>Hi</Text></Section><Section><Markdown>{props.body}</Markdown></Section><Hr /><Text>Bye</Text></Container>",
    ],
    ["<Section><Row><Column><Markdown>{props.body}</Markdown></Column></Row></Section><Text>Bye</Text>"],
    ["<p>Hi</p>{props.note && <Markdown>{props.note}</Markdown>}<p>Bye</p>", { note: "" }],
    ["<p>Hi</p>{props.note && <Markdown>{props.note}</Markdown>}<p>Bye</p>", { note: "A `note`" }],
    [
      "{props.list.map((each: any) => <Markdown key={each.a}>{each.a}</Markdown>)}<p>Bye</p>",
      { list: [{ a: "*x*" }, { a: "y" }] },
    ],
    ["{props.list.map((each: any) => <Markdown key={each.a}>{each.a}</Markdown>)}<p>Bye</p>", { list: [] }],
    ["<p>Hi</p><div dangerouslySetInnerHTML={{ __html: marked.parse(props.body, { async: false }) }} /><p>Bye</p>"],
    [
      "<p>Hi, <b dangerouslySetInnerHTML={{ __html: marked.parseInline(props.name, { async: false }) }} />!</p>",
      { name: "*Ann* & Bob" },
    ],
    ["<p>Hi</p><div>{props.body.length}<Markdown>{props.body}</Markdown></div>"],
    [
      "<p>Hi</p><Button href='https://example.com' style={{ padding: props.n }}>Go, {props.name}</Button><p>Bye</p>",
      { n: 4, name: "Ann" },
    ],
    ["<div style={{ display: 'none' }}><Markdown>{props.body}</Markdown></div><p>Bye</p>"],
  ])("%s", async (markup, values = { body: BODY }) => {
    const [filled, real] = await texts(markup, values);
    expect(filled).toBe(real);
  });
});

test("a hand-written text body needs no text of computed HTML", async () => {
  const compiled = compiledOf(
    await compileOne({
      "x/x.tsx": `import { Markdown } from "@react-email/components";
export default (props: { body: string }) => <html lang="en"><body><Markdown>{props.body}</Markdown></body></html>;`,
      "x/x.txt": "{{body}}",
      "x/fixtures/one.json": '{ "body": "*a*" }',
    }),
  );
  expect(compiled.text_body).toBe("{{{body}}}");
  expect(compiled.computed.map(({ source }) => source)).toEqual(["<Markdown>"]);
});

test("what a style sheet prints is not HTML", async () => {
  const compiled = compiledOf(
    await compileOne({
      "x/x.tsx":
        'export default (p: { c: string }) => <html lang="en"><head><style>{`p { color: ${p.c.trim()} }`}</style></head><body><p>a</p></body></html>;',
      "x/fixtures/one.json": '{ "c": " red" }',
    }),
  );
  expect(compiled.html_body).toContain("{{{c__");
  expect(compiled.computed).toHaveLength(1);
});

describe("the text of any HTML", () => {
  test.each([
    ["", ""],
    ["a &amp; b &lt;c&gt; &eacute;", "a & b <c> é"],
    ["<p>a<p>b", "a\n\nb"],
    ["<b>unclosed <i>a", "unclosed a"],
    ["</p></div>a", "a"],
    ["{{name}} \uE0000\uE001", "{{name}} \uE0000\uE001"],
    ["<script>alert(1)</script><style>p{}</style>a<!-- b -->", "a"],
    ["<table><tr><td>a</td><td>b</td></tr></table>", "a  b"],
    [`${"<div>".repeat(20_000)}a`, "a"],
    [`${"<ul><li>".repeat(2_000)}a`, expect.stringMatching(/a$/)],
  ])("%.40s", (html, text) => {
    expect(textOf(html)).toEqual(text);
  });

  test("of nothing, nothing", () => {
    expect([undefined, null].map(textOf)).toEqual(["", ""]);
  });
});
