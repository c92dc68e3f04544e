import { describe, expect, it } from "vitest";
import { fullExample } from "../../src/check/truth/choices.js";
import { formatVariables } from "../../src/check/truth/truth-table.js";
import { page, useFindings, rulesOf } from "./findings.js";

const { diagnostics, findings } = useFindings(rulesOf("variables"));

describe("fullExample", () => {
  it("merges the fixtures and fills gaps from the schema", () => {
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

describe("formatVariables", () => {
  it("cuts long values", () => {
    expect(formatVariables({ a: "w".repeat(200) })).toBe(`{"a":"${"w".repeat(24)}…"}`);
  });
});

describe("values that break html", () => {
  it("reports unbalanced HTML in a fixture", async () => {
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

  it("accepts strings with HTML and Mustache that are printed escaped", async () => {
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
