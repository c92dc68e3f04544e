import { describe, expect, it } from "vitest";
import { fill } from "../../src/mustache/fill.js";
import type { CompileResult } from "../../src/project/template.js";
import { compiledOf, inColumn, places, useProjects } from "./project.js";

const { compileOne } = useProjects();

const order = {
  status: "paid",
  total: 12,
  note: "",
  items: [
    { name: "Tea", kinds: [] },
    { name: "Jam", kinds: ["plum"] },
  ],
};

/** The message with the template's own fixture. */
function filled(result: CompileResult) {
  const compiled = compiledOf(result);
  const [fixture] = compiled.fixtures;
  return fill(compiled, fixture?.variables ?? {});
}

describe("the condition of a section", () => {
  it("becomes a section over a boolean, with the same name in every body", async () => {
    const result = await compileOne({
      "x/x.html": `<p class="{{#status equals "paid"}}green{{/status}}">{{#items has-items}}<ul>{{#items}}<li>{{name}}</li>{{/items}}</ul>{{/items}}{{^items has-items}}Nothing{{/items has-items}}</p>`,
      "x/x.txt": "{{#status equals 'paid'}}Paid.{{/status}}{{#total over 10}} Much.{{/total}}",
      "x/template.json": JSON.stringify({ subject: 'Hi{{#status equals "paid"}}, thanks{{/status}}' }),
      "x/fixtures/default.json": JSON.stringify(order),
    });
    const { html_body, text_body, subject, contract } = compiledOf(result);
    expect(html_body).toBe(
      `<p class="{{#status__is_paid}}green{{/status__is_paid}}">{{#items__has_items}}<ul>{{#items}}<li>{{name}}</li>{{/items}}</ul>{{/items__has_items}}{{^items__has_items}}Nothing{{/items__has_items}}</p>`,
    );
    expect(text_body).toContain("{{#status__is_paid}}Paid.{{/status__is_paid}}");
    expect(subject).toBe("Hi{{#status__is_paid}}, thanks{{/status__is_paid}}");
    expect(contract.conditions.map(({ name }) => name)).toEqual([
      "status__is_paid",
      "items__has_items",
      "total__is_above_10",
    ]);
    expect(filled(result)).toEqual({
      subject: "Hi, thanks",
      html: '<p class="green"><ul><li>Tea</li><li>Jam</li></ul></p>',
      text: "Paid. Much.",
    });
  });

  it("is evaluated where the section is: in the surrounding list, in parts, in attributes", async () => {
    const result = await compileOne({
      "x/x.html":
        "<title>{{#note is-truthy}}{{note}}{{/note}}{{^note is-truthy}}None{{/note}}</title>{{#items}}{{> _shared/line}}{{/items}}",
      "_shared/line.html":
        '<p {{#name equals "Jam"}}class="jam"{{/name}}>{{name}}{{#kinds has-items}}: {{#kinds}}{{.}}{{/kinds}}{{/kinds}}</p>',
      "x/fixtures/default.json": JSON.stringify(order),
    });
    expect(compiledOf(result).contract.conditions).toEqual([
      { name: "note__is_truthy", within: [], path: "note", test: { kind: "truthy" } },
      { name: "name__is_jam", within: ["items"], path: "name", test: { kind: "equals", value: "Jam" } },
      { name: "kinds__has_items", within: ["items"], path: "kinds", test: { kind: "has-items" } },
    ]);
    const { subject, html, text } = filled(result);
    expect(subject).toBe("None");
    expect(html).toBe('<title>None</title><p >Tea</p><p class="jam">Jam: plum</p>');
    expect(text.replace(/\n+/g, "\n").trim()).toBe("Tea\nJam: plum");
  });

  it("may be used wherever sections are allowed in MJML", async () => {
    const result = await compileOne({
      "x/x.mjml": `<mjml><mj-head><mj-title>{{#status equals "paid"}}Thanks{{/status}}</mj-title><mj-style>{{#total at-least 12}}.a { color: red }{{/total}}</mj-style></mj-head><mj-body>
        {{#items has-items}}<mj-section>{{#items}}<mj-column width="100%">{{^kinds has-items}}<mj-text css-class="{{#status equals "paid"}}p{{/status}}">{{name}}</mj-text>{{/kinds}}<mj-table><tr><td>a</td></tr>{{#name equals "Jam"}}<tr><td>jam</td></tr>{{/name}}</mj-table></mj-column>{{/items}}</mj-section>{{/items}}
        <mj-include path="../_shared/foot.mjml" /></mj-body></mjml>`,
      "_shared/foot.mjml": `<mj-section>{{#note is-present}}<mj-column><mj-text>noted</mj-text></mj-column>{{/note}}</mj-section>`,
      "x/fixtures/default.json": JSON.stringify(order),
    });
    const { html, subject, text } = filled(result);
    expect(subject).toBe("Thanks");
    expect(html).toContain(".a { color: red }");
    expect(html.match(/>(?:Tea|Jam|jam|noted)</g)).toEqual([">Tea<", ">jam<", ">noted<"]);
    expect(text.match(/Tea|Jam|jam|noted/g)).toEqual(["Tea", "jam", "noted"]);
    expect(compiledOf(result).html_body).not.toMatch(/equals|has-items|is-present|at-least/);
  });

  it("determines the variables' types, without an example", async () => {
    const { contract } = compiledOf(
      await compileOne({ "x.html": '<p>{{#items has-items}}a{{/items}}{{#status equals "paid"}}b{{/status}}</p>' }),
    );
    expect(contract.input.properties).toEqual({ items: { type: "array" }, status: { type: "string" } });
  });

  it.each([
    ["<p>\n {{#items has-item}}a{{/items}}</p>", "mustache-name x.html:2:2"],
    ["<p>\n {{#status equals paid}}a{{/status}}</p>", "mustache-name x.html:2:2"],
    ["<p>\n{{#if items}}a{{/if}}</p>", "mustache-name x.html:2:1"],
    ["<p>{{#a is-present}}a</p>", "mustache-syntax x.html:1:4"],
    ["<p>{{#a is-present}}a{{/b}}</p>", "mustache-syntax x.html:1:4"],
  ])("is rejected at the position of the error: %j", async (html, place) => {
    expect(places(await compileOne({ "x.html": html }))[0]).toBe(place);
  });

  it("must refer to existing variables", async () => {
    const result = await compileOne({
      "x/x.html": "<p>{{name}}\n{{#itmes has-items}}a{{/itmes}}</p>",
      "x/template.json": '{ "subject": "a" }',
      "x/variables.ts":
        'import { z } from "zod";\nexport default z.object({ name: z.string(), items: z.array(z.string()) });',
      "x/fixtures/default.json": '{ "name": "a", "items": [] }',
    });
    expect(places(result)).toEqual(["unknown-variable x.html:2:1"]);
    expect(result.diagnostics[0]?.hint).toBe('Did you mean "items"?');
  });

  it("may have its tags where the compiler repeats them", async () => {
    const source = inColumn('{{#items has-items}}<mj-text color="{{colour}}">a</mj-text>{{/items}}').replace(
      "<mj-body>",
      '<mj-head><mj-attributes><mj-text font-family="{{font}}" /></mj-attributes></mj-head><mj-body>',
    );
    expect(compiledOf(await compileOne({ "x.mjml": source })).html_body).toContain("font-family:{{font}}");
  });
});
