import { describe, expect, it } from "vitest";
import { page, useFindings, rulesOf } from "./findings.js";

const { findings, diagnostics } = useFindings(rulesOf("variables"));

/** An HTML template with its fixtures, and with a schema if one is passed. */
function template(body: string, fixtures: readonly object[] = [{}], schema?: string) {
  return {
    "x/x.html": page(body),
    ...Object.fromEntries(fixtures.map((fixture, index) => [`x/fixtures/f${index}.json`, JSON.stringify(fixture)])),
    ...(schema && { "x/variables.ts": `import { z } from "zod";\nexport default z.object({\n${schema}\n});\n` }),
  };
}

function findingsIn(body: string, fixtures?: readonly object[], schema?: string): Promise<string[]> {
  return findings(template(body, fixtures, schema));
}

describe("unused-variable", () => {
  it("reports a field of the schema that no tag uses", async () => {
    expect(await findingsIn("<p>{{name}}</p>", [{ name: "Ada", age: 1 }], "name: z.string(),\nage: z.int(),")).toEqual([
      "unused-variable warning variables.ts:4:1",
    ]);
  });

  it("reports a field of a fixture that no tag uses, also in lists", async () => {
    const fixture = { name: "Ada", age: 1, items: [{ title: "Tea", colour: "red" }] };
    const files = template("<p>{{name}}{{#items}}{{title}}{{/items}}</p>", [fixture]);
    expect(await findings({ ...files, "x/fixtures/f0.json": JSON.stringify(fixture, null, 2) })).toEqual([
      "unused-variable warning f0.json:3:3",
      "unused-variable info f0.json:7:7",
    ]);
  });

  it("counts what derive reads as used", async () => {
    const derive = "});\nexport const derive = ({ first, rest }) => ({ name: first, more: rest.last";
    const fixture = { first: "Ada", rest: { last: "L" }, other: 1 };
    const schema = `first: z.string(),\nrest: z.object({ last: z.string() }),\nother: z.int(),\n${derive} `;
    expect(await findingsIn("<p>{{name}}{{more}}</p>", [fixture], schema)).toEqual([
      "unused-variable warning variables.ts:5:1",
    ]);
    const all = schema.replace("name: first", "...rest, name: first");
    expect(await findingsIn("<p>{{name}}{{more}}</p>", [fixture], all)).toEqual([]);
  });

  it("reports a field that derive returns and no tag uses", async () => {
    const derive = "});\nexport const derive = ({ first }) => ({\n  name: first,\n  twice: first + first,\n";
    const schema = `first: z.string(),\n${derive}`;
    expect(await findingsIn("<p>{{name}}</p>", [{ first: "Ada" }], schema)).toEqual([
      "unused-variable warning variables.ts:7:3",
    ]);
  });

  it("does not count styles that a component spreads as variables", async () => {
    const body = `const base = { color: "red" };
const other = { ...base, margin: 0 };
export default function Email({ name }: { name: string; age?: number }) {
  return <p style={{ ...base, padding: 0 }}><b style={other}>{name}</b></p>;
}
Email.PreviewProps = { name: "Ada" };
export const subject = "Hi";`;
    const files = { "x/x.tsx": body, "x/fixtures/default.json": '{ "name": "Ada", "age": 1 }' };
    expect(await findings(files)).toEqual(["unused-variable warning default.json:1:18"]);
    const handedOn = body.replace("<b style={other}>", "<b {...rest}>").replace("{ name }", "{ name, ...rest }");
    expect(await findings({ ...files, "x/x.tsx": handedOn })).toEqual([]);
  });

  it("counts what components read and conditions test as used", async () => {
    const body = `export default function Email({ items }: { items: { id: string; name: string }[] }) {
  return <ul>{items.map((item) => <li key={item.id}>{item.name}</li>)}</ul>;
}
Email.PreviewProps = { items: [{ id: "1", name: "Tea" }] };
export const subject = "Hi";`;
    expect(await findings({ "x.tsx": body })).toEqual([]);
    expect(await findingsIn("<p>{{#note is-present}}x{{/note}}</p>", [{ note: "a" }])).toEqual([]);
  });
});

describe("variable-without-example", () => {
  it("reports a template without a fixture", async () => {
    expect(await findings({ "x.html": page("<p>{{name}}</p>") })).toEqual(["variable-without-example warning x.html"]);
  });

  it("reports a variable that no fixture has, at its tag", async () => {
    const schema = "name: z.string(),\nitems: z.array(z.object({ title: z.string(), note: z.string().optional() })),";
    const body = "<p>{{name}}</p>\n{{#items}}<p>{{title}}</p>{{#note is-present}}<p>{{note}}</p>{{/note}}{{/items}}";
    expect(await findingsIn(body, [{ name: "Ada", items: [] }], schema)).toEqual([
      "variable-without-example warning x.html:15:1",
    ]);
    expect(await findingsIn(body, [{ name: "Ada", items: [{ title: "Tea" }] }], schema)).toEqual([
      "variable-without-example warning x.html:15:50",
    ]);
    expect(await findingsIn(body, [{ name: "Ada", items: [{ title: "Tea", note: "x" }] }], schema)).toEqual([]);
  });

  it.each([
    ["{{orderNumbr}} {{total}}", { orderNumber: "A1", total: 1 }, "orderNumber"],
    ["{{order.numbr}}", { order: { number: 1 } }, "number"],
    ["{{#items}}{{naem}}{{/items}}", { items: [{ name: "Tea" }] }, "name"],
    // Another tag uses the similar name.
    ["{{nam}} {{name}}", { name: "Ada" }, undefined],
    ["{{colour}}", { name: "Ada" }, undefined],
  ])("%s: suggests a similar variable of a fixture that no tag uses", async (body, fixture, meant) => {
    const found = await diagnostics(template(`<p>${body}</p>`, [fixture]));
    expect(found.find(({ rule }) => rule === "variable-without-example")?.hint).toBe(
      meant === undefined ? "Add it to a fixture." : `Did you mean ${meant}? If not, add it to a fixture.`,
    );
  });
});

describe("optional-variable", () => {
  it("reports a string inside its own inverted section", async () => {
    for (const opening of ["{{^note}}", "{{^note is-truthy}}"])
      expect(
        await findingsIn(`<p>${opening}Your note: {{note}}{{/note}}</p>`, [{ note: "a" }, { note: "" }]),
      ).toContain(`optional-variable warning x.html:14:${15 + opening.length}`);
    const body = "<p>{{^order.note is-truthy}}{{order.note}}{{/order.note}}</p>";
    expect(await findingsIn(body, [{ order: { note: "a" } }, { order: { note: "" } }])).toEqual([
      "optional-variable warning x.html:14:29",
    ]);
    const count = await findingsIn("<p>{{^count}}{{count}} items{{/count}}</p>", [{ count: 1 }, { count: 0 }]);
    expect(count.filter((each) => each.startsWith("optional-variable"))).toEqual([]);
  });

  const two = [{ name: "Ada", url: "https://a.example" }, {}];

  it.each([
    ["<p>Hi {{name}},</p>", 7],
    ["<p>Your order for {{name}} is on its way.</p>", 19],
    ["<p>Phone: {{name}}</p>", 11],
    ["<p>Your seat, {{name}}</p>", 15],
    ["<p>Dear <b>{{name}}</b>!</p>", 12],
  ])("reports the gap in %s", async (body, column) => {
    expect(await findingsIn(body, [{ name: "Ada" }, {}])).toEqual([`optional-variable warning x.html:14:${column}`]);
  });

  it("reports a link that leads nowhere", async () => {
    expect(await findingsIn('<p><a href="{{url}}">Open</a></p>', [{ url: "https://a.example" }, {}])).toEqual([
      "optional-variable warning x.html:14:13",
    ]);
  });

  it.each([
    ['<p><a href="https://a.example/b">{{name}}</a></p>', "warning"],
    ["<h2><b>{{name}}</b></h2>", "warning"],
    ['<p><a href="https://a.example/b"><img src="https://a.example/b.png" alt="{{name}}"></a></p>', "warning"],
    ['<img src="https://a.example/b.png" alt="{{name}}">', "info"],
    ['<img src="https://a.example/b.png" alt="Photo of {{name}}">', "warning"],
    ['<p><a href="https://a.example/b" aria-label="{{name}}">Open</a></p>', "warning"],
  ])("reports an element left without words: %s", async (body, severity) => {
    const found = await findingsIn(body, [{ name: "Ada" }, {}]);
    expect(found.filter((each) => each.startsWith("optional"))).toEqual([
      `optional-variable ${severity} x.html:14:${body.indexOf("{{name}}") + 1}`,
    ]);
  });

  it("reports a title and a preheader that may be empty", async () => {
    const files = template("<p>{{#name is-present}}{{name}}{{/name}}</p>", [{ name: "Ada" }, {}]);
    const html = files["x/x.html"].replace("<title>Your order is on its way<", "<title>{{name}}<");
    expect(await findings({ ...files, "x/x.html": html, "x/template.json": '{ "subject": "Hi" }' })).toEqual([
      "optional-variable warning x.html:8:8",
    ]);
    const preheader = files["x/x.html"].replace("It should arrive on Tuesday.", "{{name}}");
    expect(await findings({ ...files, "x/x.html": preheader })).toEqual([
      expect.stringMatching(/^optional-variable warning x\.html:12:\d+$/),
    ]);
  });

  it("accepts a variable next to words, and one inside its own section", async () => {
    for (const body of [
      '<p><a href="https://a.example/b">Open {{name}}</a></p>',
      '<p><a href="https://a.example/b">{{name}} <img src="https://a.example/b.png" alt="Open"></a></p>',
      '<p>{{#name is-present}}<a href="https://a.example/b">{{name}}</a>{{/name}}</p>',
      '<p title="{{name}}">a</p>',
    ])
      expect(await findingsIn(body, [{ name: "Ada" }, {}])).toEqual([]);
  });

  it("reports the gap in a subject", async () => {
    const files = { ...template("<p>x</p>", two), "x/template.json": '{\n  "subject": "Hi {{name}}, welcome"\n}' };
    expect(await findings({ ...files, "x/x.html": page("<p>{{#url is-present}}{{url}}{{/url}}</p>") })).toEqual([
      "optional-variable warning template.json:2:14",
    ]);
  });

  it("reports the gap in a text body, also after a preposition", async () => {
    const files = template("<p>{{#name is-present}}{{name}}{{/name}}</p>", [{ name: "Ada" }, {}]);
    const text = "Hello {{name}}\n\nSent to {{name}}\nName: {{name}}\n";
    expect(await findings({ ...files, "x/x.txt": text })).toEqual([
      "optional-variable warning x.txt:3:9",
      "optional-variable warning x.txt:4:7",
    ]);
  });

  it("reports a field of an object that may be null", async () => {
    expect(await findingsIn("<p>On {{back.day}}.</p>", [{ back: { day: "Monday" } }, { back: null }])).toEqual([
      "optional-variable warning x.html:14:7",
    ]);
  });

  it.each([
    "<p>{{name}}</p>",
    "<p>Thank you {{name}}</p>",
    "<p>{{#name is-present}}Hi {{name}},{{/name}}</p>",
    "<p>{{#vip}}Hi {{name}},{{/vip}}</p>",
    "<p>{{first}} {{name}} {{last}}</p>",
  ])("accepts %s", async (body) => {
    const always = { vip: true, first: "A", last: "B" };
    const found = await findingsIn(body, [{ ...always, name: "Ada" }, always]);
    expect(found.filter((each) => !each.startsWith("unused-variable"))).toEqual([]);
  });

  it("accepts a variable with a default in the schema", async () => {
    expect(await findingsIn("<p>Hi {{name}},</p>", [{ name: "Ada" }], 'name: z.string().default("you"),')).toEqual([]);
  });
});

describe("raw-variable", () => {
  it("reports an unescaped variable, unless the configuration allows it", async () => {
    const files = template("<div>{{{content}}}</div>\n<div>{{& content}}</div>", [{ content: "<p>x</p>" }]);
    expect(await findings(files)).toEqual(["raw-variable warning x.html:14:6", "raw-variable warning x.html:15:6"]);
    expect(await findings(files, { settings: { rawVariables: ["content"] } })).toEqual([]);
  });

  it("reports it in React", async () => {
    const body = `export default function Email({ content }: { content: string }) {
  return <div dangerouslySetInnerHTML={{ __html: content }} />;
}
Email.PreviewProps = { content: "<p>x</p>" };
export const subject = "Hi";`;
    expect((await findings({ "x.tsx": body })).map((each) => each.split(":")[0])).toEqual([
      "raw-variable warning x.tsx",
    ]);
  });
});

describe("variable-in-address", () => {
  it("reports a value without a scheme in a fixture", async () => {
    const files = template('<p><a href="{{host}}/pay">Pay</a></p>', [{ host: "shop.example" }]);
    expect(await findings(files)).toEqual(["variable-in-address warning x.html:14:13"]);
    const [found] = await diagnostics(files);
    expect(found?.message).toContain('{"host":"shop.example"} of the fixture "f0"');
  });

  it("reports a value in a fixture that email clients strip", async () => {
    const body = '<p><a href="{{url}}">Open</a></p>';
    expect(await findingsIn(body, [{ url: "javascript:alert(1)" }])).toEqual([
      "variable-in-address warning x.html:14:13",
    ]);
  });

  it("notes a schema that accepts any string", async () => {
    const body = '<p><a href="{{url}}">Open</a></p>';
    expect(await findingsIn(body, [{ url: "https://a.example" }], "url: z.string(),")).toEqual([
      "variable-in-address info x.html:14:13",
    ]);
    expect(await findingsIn(body, [{ url: "https://a.example" }], "url: z.url(),")).toEqual([]);
  });

  it("reports a value that has to be encoded", async () => {
    expect(await findingsIn('<p><a href="https://a.example/?q={{q}}">Find</a></p>', [{ q: "tea & jam" }])).toEqual([
      "variable-in-address warning x.html:14:34",
    ]);
  });

  it.each([
    ['<a href="{{url}}">x</a>', "https://a.example"],
    ['<a href="{{url}}/pay">x</a>', "https://a.example"],
    ['<a href="{{url}}">x</a>', "mailto:a@b.example"],
    ['<a href="https://{{url}}/pay">x</a>', "a.example"],
    ['<a href="https://a.example/?q={{url}}">x</a>', "tea%20jam"],
    ['<a href="{{#vip}}https://a.example{{/vip}}{{^vip}}https://b.example{{/vip}}">{{url}}</a>', "x"],
  ])("accepts %s with %s", async (body, url) => {
    expect(await findingsIn(`<p>${body}</p>`, [{ url, ...(body.includes("vip") && { vip: true }) }])).toEqual([]);
  });
});

describe("a mistake in what a template passes to a shared component", () => {
  it("is reported where the template passes it", async () => {
    const files = {
      "x/x.tsx": `import { Action } from "../_action.js";
export const subject = "Hi";
export default ({ site }: { site: string }) => (
  <html lang="en"><body>
    <Action to={site} />
  </body></html>
);`,
      "x/fixtures/default.json": '{ "site": "a.example" }',
      "_action.tsx": `export function Action({ to }: { to: string }) {
  return <a href={to}>Open</a>;
}`,
    };
    expect(await findings(files)).toEqual(["variable-in-address warning x.tsx:5:17"]);
  });

  it("is reported at the use with the same words", async () => {
    const files = {
      "x/x.tsx": `import { Action } from "../_action.js";
export const subject = "Hi";
export default ({ order }: { order: string }) => (
  <html lang="en"><body>
    <Action to="https://a.example">Home</Action>
    <Action
      to={\`\${order}\`}
    >
      See your order
    </Action>
  </body></html>
);`,
      "x/fixtures/default.json": '{ "order": "a.example" }',
      "_action.tsx": `export function Action({ to, children }: { to: string; children: string }) {
  return <a href={to}>{children}</a>;
}`,
    };
    expect(await findings(files)).toEqual(["variable-in-address warning x.tsx:6:5"]);
  });
});

describe("variable-in-css", () => {
  it("reports a free string in a style attribute and in a style element", async () => {
    const text = [{ colour: "red; display: none" }];
    expect(await findingsIn('<p style="color:{{colour}}">x</p>', text)).toEqual([
      "variable-in-css warning x.html:14:17",
    ]);
    const files = { ...template("", text), "x/x.html": page("<p>x</p>", "<style>p { color: {{colour}} }</style>") };
    expect(await findings(files)).toEqual(["variable-in-css warning x.html:9:19"]);
  });

  it.each([
    ["<style>{`p { font-family: ${font}; }`}</style>", "adds declarations"],
    [
      "<style dangerouslySetInnerHTML={{ __html: `p { font-family: ${font}; }` }} />",
      "a string with </style> in it ends the style sheet",
    ],
  ])("reports once what a component prints into its style sheet: %s", async (style, danger) => {
    const body = `export default function X({ font }: { font: string }) {
  return <html lang="en"><head>${style}</head><body><p>x</p></body></html>;
}`;
    const files = { "x/x.tsx": body, "x/fixtures/default.json": '{ "font": "x; display: none" }' };
    const found = await diagnostics(files);
    expect(found).toMatchObject([
      { rule: "variable-in-css", message: expect.stringContaining(danger), at: { line: 2 } },
    ]);
  });

  it("is an info if the examples are CSS values", async () => {
    expect(await findingsIn('<p style="color:{{colour}}">x</p>', [{ colour: "#ff0000" }])).toEqual([
      "variable-in-css info x.html:14:17",
    ]);
  });

  it("accepts sections, numbers and enums", async () => {
    const body = '<p style="color:{{#vip}}gold{{/vip}}{{^vip}}grey{{/vip}};width:{{n}}px;background:{{c}}">x</p>';
    const schema = 'vip: z.boolean(), n: z.int(), c: z.enum(["red", "blue"]),';
    expect(await findingsIn(body, [{ vip: true, n: 1, c: "red" }], schema)).toEqual([]);
  });
});

describe("variables in markup and scripts", () => {
  it("reports a variable among attributes, but not a section", async () => {
    expect(await findingsIn("<p {{more}}>x</p>", [{ more: "id=a" }])).toEqual(["variable-in-markup error x.html:14:4"]);
    expect(await findingsIn('<p {{#vip}}title="x"{{/vip}}>x</p>', [{ vip: true }])).toEqual([]);
  });

  it("reports a variable right after a <", async () => {
    const found = ["variable-in-markup error x.html:14:11"];
    expect(await findingsIn("<p>Hello <{{name}}>, bye</p>", [{ name: "Ada" }])).toEqual(found);
    expect(await findingsIn("<p>Under <{{max}} kg</p>", [{ max: 5 }])).toEqual(found);
    const fine = "<p>{{name}} &lt;{{name}}&gt; < {{name}} 3<4</p><style>p{}/*<{{name}}*/</style>";
    expect((await findingsIn(fine, [{ name: "Ada" }])).filter((each) => /markup/.test(each))).toEqual([]);
  });

  it("reports a variable in a script and in an event handler", async () => {
    const body = '<script>go("{{name}}")</script>\n<p onclick="go(\'{{name}}\')">x</p>';
    expect(await findingsIn(body, [{ name: "Ada" }])).toEqual([
      "variable-in-script error x.html:14:13",
      "variable-in-script error x.html:15:17",
    ]);
  });

  it("reports a variable in JSON-LD only if an example contains what HTML escapes", async () => {
    const body = '<script type="application/ld+json">{ "url": "{{url}}", "name": "{{name}}" }</script>';
    expect(await findingsIn(body, [{ name: "Ada", url: "https://a.example/1" }])).toEqual([
      "variable-in-script warning x.html:14:46",
    ]);
  });
});

describe("variable-in-address, for values of fixtures", () => {
  it("reports a second scheme, and an empty string", async () => {
    expect(await findingsIn('<a href="https://{{url}}">Pay</a>', [{ url: "https://a.example/pay" }])).toEqual([
      "variable-in-address warning x.html:14:18",
    ]);
    expect(await findingsIn('<a href="{{url}}">Pay</a>', [{ url: "https://a.example/pay" }, { url: "" }])).toEqual([
      "variable-in-address warning x.html:14:10",
    ]);
  });

  it("accepts a host, and an empty string inside a section", async () => {
    expect(await findingsIn('<a href="https://{{host}}/pay">Pay</a>', [{ host: "a.example" }])).toEqual([]);
    const asked = '{{#url is-truthy}}<a href="{{url}}">Pay</a>{{/url}}';
    expect(await findingsIn(asked, [{ url: "https://a.example/pay" }, { url: "" }])).toEqual([]);
  });
});

describe("raw-variable, in a component", () => {
  it("points to dangerouslySetInnerHTML, not to where the variable is read first", async () => {
    const body = `export default ({ note }: { note: string }) => (
  <html><body>
    <h1>{note}</h1>
    <div
      className="x"
      dangerouslySetInnerHTML={{ __html: note }}
    />
  </body></html>
);`;
    const files = { "x/x.tsx": body, "x/fixtures/default.json": '{ "note": "Hi" }' };
    expect(await findings(files)).toEqual(["raw-variable warning x.tsx:6:7"]);
  });

  it("doesn't report what a component of a package renders", async () => {
    const body = `import { Markdown } from "@react-email/components";
export default ({ note }: { note: string }) => <html><body><Markdown>{note}</Markdown></body></html>;`;
    expect(await findings({ "x/x.tsx": body, "x/fixtures/default.json": '{ "note": "Hi" }' })).toEqual([]);
  });
});
