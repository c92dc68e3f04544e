import path from "node:path";
import { describe, expect, it } from "vitest";
import { fill } from "../../src/mustache/fill.js";
import { compileAll } from "../../src/render/compile.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import { compiledOf, type Files, inColumn, places, useProjects } from "./project.js";

const projects = useProjects();
const { compile, compileOne } = projects;

async function hashOf(files: Files): Promise<string> {
  return compiledOf(await compileOne(files)).hash;
}

describe("compileAll", () => {
  it("reports all templates if one is broken, and keeps the order", async () => {
    const results = await compile({
      "c.html": "<p>{{c}}</p>",
      "b.mjml": "<mjml>",
      "a.mjml": inColumn("<mj-text>{{a}}</mj-text>"),
    });
    expect(results.map(({ name, compiled }) => [name, compiled !== undefined])).toEqual([
      ["a", true],
      ["b", false],
      ["c", true],
    ]);
    expect(results[1]?.diagnostics[0]).toMatchObject({ template: "b", rule: "mjml-unclosed", severity: "error" });
  });

  it("reads as many adjacent elements and tags as a file can have", async () => {
    const elements = "<p>{{a}}</p>\n".repeat(process.env["MODE"] === "long" ? 100_000 : 20_000);
    const [result] = await compile({ "x.html": elements });
    expect(result?.diagnostics.map(({ rule }) => rule)).toEqual(["too-long", "too-long"]);
  });

  it.each(["div", "b", "table"])("refuses <%s> in itself where it is too deep for email clients", async (name) => {
    const [open, close] = name === "table" ? ["<table><tr><td>", "</td></tr></table>"] : [`<${name}>`, `</${name}>`];
    const nested = (depth: number) => `${open.repeat(depth)}{{a}}${close.repeat(depth)}`;
    const results = await compile({
      "deep.html": nested(200),
      "deeper.html": nested(201),
      "deepest.html": nested(50_000),
    });
    const message = `Elements are nested more than 200 deep; the innermost is <${name}>.`;
    expect(results.map(({ diagnostics }) => diagnostics.map((each) => each.message))).toEqual([
      [],
      [message],
      [message],
    ]);
  });

  it("names the attributes with tags on which MJML fails, and compiles the others", async () => {
    const failing = `<mjml><mj-body><mj-section padding="{{w}}"><mj-column width="{{w}}"><mj-image width="{{w}}" src="https://example.com/a.png" alt=""/></mj-column></mj-section></mj-body></mjml>`;
    const results = await compile({ "b.mjml": failing, "a.mjml": inColumn("<mj-text>{{a}}</mj-text>"), "c.html": "c" });
    expect(results.map(({ compiled }) => compiled !== undefined)).toEqual([true, false, true]);
    expect(results[1]?.diagnostics.map(({ message }) => message.split(" when ")[0])).toEqual([
      "MJML needs the value of padding of <mj-section>",
      "MJML needs the value of width of <mj-column>",
      "MJML needs the value of width of <mj-image>",
    ]);
  });

  it("gives the same output, byte for byte, whatever else is compiled", async () => {
    const root = await projects.write({
      "a.mjml": inColumn(
        '<mj-navbar hamburger="hamburger"><mj-navbar-link href="{{a}}">a</mj-navbar-link></mj-navbar>',
      ),
      "b.mjml": inColumn('<mj-navbar hamburger="hamburger"></mj-navbar><mj-text>{{b}}</mj-text>'),
      "c.html": "<h1>{{c}}</h1>{{! x }}",
    });
    const { templates } = loadTemplates([root]);
    const together = await compileAll(templates, projects.context());
    const separate = await Promise.all(
      templates.toReversed().map((template) => compileAll([template], projects.context())),
    );
    expect(separate.flat().toReversed()).toEqual(together);
  });
});

describe("compileTemplate", () => {
  it("returns the service's fields", async () => {
    const result = await compileOne({
      "receipt/receipt.html": "<p>{{order.number}} {{{html}}} {{&raw}}</p>",
      "receipt/template.json": '{ "subject": "Receipt {{order.number}}", "description": "After paying." }',
    });
    expect(compiledOf(result)).toMatchObject({
      name: "receipt",
      description: "After paying.",
      engine: "html",
      subject: "Receipt {{{order.number}}}",
      html_body: "<p>{{order.number}} {{{html}}} {{&raw}}</p>",
      text_body: "{{{order.number}}} {{{html}}} {{{raw}}}",
    });
  });

  it("lists every file from which it was made", async () => {
    const { sources } = compiledOf(
      await compileOne({
        "x/x.html": "{{> _a}}",
        "x/x.txt": "{{> _a}}",
        "x/template.json": "{}",
        "x/fixtures/default.json": "{}",
        "x/variables.ts": 'import { z } from "zod"; import "./names.js"; export default z.object({});',
        "x/names.ts": "",
        "_a.html": "<p>a</p>",
        "_a.txt": "a",
      }),
    );
    const names = sources.map((source) => path.basename(source));
    expect(names).toEqual([
      "_a.html",
      "_a.txt",
      "default.json",
      "names.ts",
      "template.json",
      "variables.ts",
      "x.html",
      "x.txt",
    ]);
  });

  it("has a hash of exactly these fields", async () => {
    const first = await hashOf({ "x.html": "<p>a</p>" });
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf({ "x.html": "<p>a</p>\n<!-- b -->" })).toBe(first);
    expect(await hashOf({ "x.html": "<p>b</p>" })).not.toBe(first);
  });
});

describe("the subject", () => {
  it("is the body's title, entities decoded, on one line", async () => {
    const html = "<title>\n  Tea &amp; {{ name }}\n</title><p>a</p>";
    expect(compiledOf(await compileOne({ "x.html": html })).subject).toBe("Tea & {{{name}}}");
    const mjml = "<mjml><mj-head><mj-title>Tea &amp; {{name}}</mj-title></mj-head><mj-body></mj-body></mjml>";
    expect(compiledOf(await compileOne({ "x.mjml": mjml })).subject).toBe("Tea & {{{name}}}");
  });

  it("is that of template.json if present, whose problems are reported there", async () => {
    const files = { "x/x.html": "<title>a</title>", "x/template.json": '{\n  "subject": "Hi {{name}}"\n}' };
    expect(compiledOf(await compileOne(files)).subject).toBe("Hi {{{name}}}");
    const broken = { ...files, "x/template.json": '{\n  "subject": "Hi {{#name}}"\n}' };
    expect(places(await compileOne(broken))).toEqual(["mustache-syntax template.json:2:14"]);
    const misnamed = { ...files, "x/template.json": '{\n  "subject": "Hi {{a b}}"\n}' };
    expect(places(await compileOne(misnamed))).toEqual(["mustache-name template.json:2:14"]);
  });
});

describe("a hand-written text", () => {
  it("is used as it is, unescaped", async () => {
    const files = { "x/x.html": "<p>{{name}} {{#a}}b{{/a}}</p>", "x/x.txt": "Hi {{name}},\n\n{{! note }}\nbye\n" };
    expect(compiledOf(await compileOne(files)).text_body).toBe("Hi {{{name}}},\n\nbye");
  });

  it("is checked as Mustache, at its own lines", async () => {
    const files = { "x/x.html": "<p>a</p>", "x/x.txt": "Hi\n {{/name}}" };
    expect(places(await compileOne(files))).toEqual(["mustache-syntax x.txt:2:2"]);
  });
});

describe("the contract", () => {
  it("is inferred from tags and fixtures", async () => {
    const { contract, fixtures } = compiledOf(
      await compileOne({
        "x/x.html": "<p>{{name}}</p>{{#items}}<p>{{title}}</p>{{/items}}",
        "x/template.json": '{ "subject": "{{#vip}}VIP{{/vip}}" }',
        "x/fixtures/default.json": '{ "name": "Ada", "vip": true, "items": [{ "title": "Tea" }] }',
        "x/fixtures/empty.json": '{ "vip": false, "items": [] }',
      }),
    );
    expect(contract.input).toMatchObject({
      properties: { name: { type: "string" }, vip: { type: "boolean" }, items: { type: "array" } },
      required: ["vip", "items"],
    });
    expect(fixtures).toEqual([
      { name: "default", input: expect.anything(), variables: { name: "Ada", vip: true, items: [{ title: "Tea" }] } },
      { name: "empty", input: { vip: false, items: [] }, variables: { name: null, vip: false, items: [] } },
    ]);
  });

  const withSchema = {
    "x/x.html": "<p>{{name}}: {{total}}</p>{{#items}}<p>{{note}}</p>{{/items}}",
    "x/variables.ts": `import { z } from "zod";
      export default z.object({ name: z.string(), note: z.string().optional(), items: z.array(z.object({ note: z.string().optional(), price: z.number() })) });
      export function derive(variables) { return { total: variables.items.reduce((sum, { price }) => sum + price, 0) + " €" }; }`,
    "x/fixtures/default.json": '{ "name": "Ada", "note": "outer", "items": [{ "price": 2 }, { "price": 3 }] }',
  };

  it("is the schema, with what derive adds, and explicit nulls", async () => {
    const compiled = compiledOf(await compileOne(withSchema));
    expect(compiled.contract).toMatchObject({
      derived: { properties: { total: { type: "string" } } },
      printed: ["total"],
      conditions: [],
    });
    const [fixture] = compiled.fixtures;
    expect(fixture?.variables).toEqual({
      name: "Ada",
      note: "outer",
      total: "5 €",
      items: [
        { price: 2, note: null },
        { price: 3, note: null },
      ],
    });
    // No value of an outer scope is used if an item has no value of its own.
    expect(fill(compiled, fixture?.variables ?? {}).html).toBe("<p>Ada: 5 €</p><p></p><p></p>");
  });

  it("must contain every variable of the tags", async () => {
    const result = await compileOne({
      ...withSchema,
      "x/x.html": "<p>{{nmae}}</p>\n{{#items}}<p>{{prise}}</p>{{/items}}",
    });
    expect(places(result)).toEqual(["unknown-variable x.html:1:4", "unknown-variable x.html:2:14"]);
    expect(result.diagnostics.map(({ hint }) => hint)).toEqual(['Did you mean "name"?', 'Did you mean "price"?']);
  });

  it("must match every fixture", async () => {
    const result = await compileOne({ ...withSchema, "x/fixtures/bad.json": '{\n  "name": 1,\n  "items": []\n}' });
    expect(result.compiled).toBeUndefined();
    expect(result.diagnostics[0]?.at).toMatchObject({ file: expect.stringMatching(/bad\.json$/), line: 2 });
  });
});

it("a component reports fixtures that differ, next to refusals that they cause", async () => {
  const result = await compileOne({
    "x/x.tsx": "export default ({ items }) => <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>;",
    "x/fixtures/a.json": '{ "items": ["Tea"] }',
    "x/fixtures/b.json": '{ "items": { "name": "Tea" } }',
  });
  expect(places(result)).toContain("fixture-kinds b.json:1:12");
});
