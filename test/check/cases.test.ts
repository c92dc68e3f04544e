import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkedTemplate } from "../../src/check/checked-template.js";
import { RULES } from "../../src/check/catalogue.js";
import { DEFAULT_SETTINGS } from "../../src/check/rule.js";
import { TruthTable } from "../../src/check/truth/truth-table.js";
import { renderMustache } from "../../src/mustache/fill.js";
import type { VariablesContract } from "../../src/mustache/variables.js";
import { page, useFindings } from "./findings.js";

const CONCERNED = [
  "attribute-quotes",
  "contrast",
  "duplicate-id",
  "empty-image",
  "empty-link",
  "end-tag-missing",
  "filled-subject",
  "html-moved",
  "link-text",
  "optional-variable",
  "preheader",
  "sections-break-html",
  "text-empty",
  "title-missing",
];
const { diagnostics, projects } = useFindings(RULES.filter(({ id }) => CONCERNED.includes(id)));

async function messages(html: string, fixture: object, more: Record<string, string> = {}): Promise<string[]> {
  const files = { "x/x.html": html, "x/fixtures/default.json": JSON.stringify(fixture), ...more };
  return (await diagnostics(files)).map(({ rule, message }) => `${rule}: ${message}`);
}

const inLink = (text: string) => page(`<p>Hello, <a href="https://a.example/x">${text}</a></p>`);
const toLink = (href: string) => page(`<p>Hello, <a href="${href}">your order</a></p>`);
const withImage = (src: string) => page(`<p>Hello</p><img src="${src}" alt="Tea" width="10" height="10">`);

describe("what happens when", () => {
  it.each([
    [
      toLink("{{#a}}https://a.example/a{{/a}}{{#b}}https://a.example/b{{/b}}"),
      'empty-link: With {"a":false,"b":false} the link "your order" leads nowhere: its URL is empty.',
    ],
    [
      toLink("{{#a}}#{{/a}}{{^a}}https://a.example/b{{/a}}"),
      'empty-link: With {"a":true} the link "your order" leads nowhere: its URL is #.',
    ],
    [
      page('{{#items}}<p><a href="{{#url}}{{url}}{{/url}}">{{name}}</a></p>{{/items}}'),
      'empty-link: With {"items":[{"url":""}]} the link "{{name}}" leads nowhere: its URL is empty.',
    ],
    [
      withImage("{{#a}}https://a.example/a.png{{/a}}"),
      'empty-image: With {"a":false} the image "Tea" has no URL, so clients show a broken image.',
    ],
    [
      inLink("{{#a}}Read{{/a}}{{#b}}<b>Buy</b>{{/b}}"),
      'link-text: With {"a":false,"b":false} the link to https://a.example/x has no text, so people can\'t see or hear it.',
    ],
    [
      page("<p>Hello</p>").replace("It should arrive on Tuesday.", "{{#a}}It should arrive on Tuesday.{{/a}}"),
      'preheader: With {"a":false} there is no preheader: inboxes show the first words of the body next to the subject.',
    ],
    [
      page("<ul>{{#items}}<li id=x>{{name}}</li>{{/items}}</ul>"),
      'duplicate-id: With {"items":[{},{}]} several elements have the id "x".',
    ],
    [
      page('<p style="color:{{#a}}#ffffff{{/a}}{{^a}}#000000{{/a}}">Hello</p>'),
      'contrast: With {"a":true} text in #ffffff on #ffffff has a contrast ratio of 1.00:1; it needs at least 4.5:1.',
    ],
    [
      page('<p title="{{#a}}x"{{/a}}>Hello</p>'),
      "sections-break-html: The section {{#a}} contains only one of the quotes around a value. When the section is not shown, the tag swallows what follows.",
    ],
  ])("finds it once: %#", async (html, expected) => {
    const fixture = { a: true, b: true, items: [{ name: "Tea", url: "https://a.example/tea" }] };
    expect(await messages(html, fixture)).toEqual([expected]);
  });

  it("finds an empty title, and an empty subject, each once", async () => {
    const titled = page("<p>Hello</p>").replace("<title>Your order is on its way", "<title>{{#a}}Your order{{/a}}");
    expect(await messages(titled, { a: true })).toEqual(['filled-subject: With {"a":false} the subject is empty.']);
    const own = { "x/template.json": JSON.stringify({ subject: "Your order" }) };
    expect(await messages(titled, { a: true }, own)).toEqual(['title-missing: With {"a":false} the <title> is empty.']);
  });

  it("finds an empty email", async () => {
    const html =
      "<!doctype html><html lang=en><head><title>Hi</title></head><body>{{#a}}<p>Hello</p>{{/a}}</body></html>";
    expect(await messages(html, { a: true })).toContain('text-empty: With {"a":false} the email is empty.');
  });

  it.each([
    toLink("{{#a}}https://a.example/a{{/a}}{{^a}}https://a.example/b{{/a}}"),
    toLink("https://a.example/{{#a}}a{{/a}}"),
    page('{{#a}}<p><a href="{{#a}}https://a.example/a{{/a}}">Hello</a></p>{{/a}}'),
    inLink("{{#name}}Hi {{name}}{{/name}}{{^name}}Hi{{/name}}"),
    inLink('{{#a}}<img src="https://a.example/a.png" alt="Tea" width="10" height="10">{{/a}}{{^a}}Tea{{/a}}'),
    inLink('{{#status equals "paid"}}Paid{{/status}}{{#status equals "open"}}Open{{/status}}'),
    page('{{#a}}<h2 id="x">A</h2>{{/a}}{{^a}}<h2 id="x">B</h2>{{/a}}'),
    page('{{#status equals "paid"}}<p id="x">A</p>{{/status}}{{#status equals "open"}}<p id="x">B</p>{{/status}}'),
    page('<p title="x{{#a}}" class="y{{/a}}">Hello</p>'),
    page('<p>Hello, <a href="https://a.example/x" aria-label="{{#a}}Your order{{/a}}">your order</a></p>'),
    page(
      '<div style="background:{{#a}}#000{{/a}}{{^a}}#fff{{/a}}">{{#a}}<p style="color:#fff">A</p>{{/a}}{{^a}}<p style="color:#000">B</p>{{/a}}</div>',
    ),
    page('{{#a}}<a href="https://a.example/a">{{/a}}{{^a}}<a href="https://a.example/b">{{/a}}Hello</a>'),
    page(
      '{{#a}}<div style="background:#000;color:#fff">{{/a}}{{^a}}<div style="color:#000">{{/a}}<p>A</p></div><p style="color:#111">B</p>',
    ),
    page(
      '<table role="presentation">{{#items}}{{#first}}<tr class="a">{{/first}}{{^first}}<tr>{{/first}}<td>{{name}}</td></tr>{{/items}}</table>',
    ),
  ])("has nothing against %#", async (html) => {
    const items = [{ name: "Tea", first: true }];
    const schema =
      'import { z } from "zod";\nexport default z.object({ a: z.boolean(), name: z.string().optional(), status: z.enum(["paid", "open"]), items: z.array(z.object({ name: z.string(), first: z.boolean() })) });';
    const fixture = { a: true, name: "Ada", status: "paid", items };
    expect(await messages(html, fixture, { "x/variables.ts": schema })).toEqual([]);
  });

  it("does not combine what is derived as no fixture has it", async () => {
    const schema =
      'import { z } from "zod";\nexport default z.object({ status: z.string() });\nexport const derive = ({ status }: { status: string }) => ({ isPaid: status === "paid", isOpen: status !== "paid" });';
    const found = await messages(
      inLink("{{#isPaid}}Paid{{/isPaid}}{{#isOpen}}Open{{/isOpen}}"),
      { status: "paid" },
      { "x/variables.ts": schema },
    );
    expect(found).toEqual([]);
  });
});

const CONTRACT: VariablesContract = {
  input: {
    type: "object",
    required: ["a", "b", "list", "kind"],
    properties: {
      a: { type: "boolean" },
      b: { type: "boolean" },
      text: { type: "string" },
      kind: { enum: ["x", "y"] },
      list: { type: "array", items: { type: "object", required: ["c"], properties: { c: { type: "boolean" } } } },
    },
  },
  conditions: [{ name: "kind__is_x", within: [], path: "kind", test: { kind: "equals", value: "x" } }],
};

/** All that the contract takes, as far as it matters. */
const ALL = [true, false].flatMap((a) =>
  [true, false].flatMap((b) =>
    [null, "t"].flatMap((text) =>
      ["x", "y"].flatMap((kind) =>
        [[], [true], [false], [true, true], [false, false]].map((list) => ({
          a,
          b,
          text,
          kind,
          kind__is_x: kind === "x",
          list: list.map((c) => ({ c })),
        })),
      ),
    ),
  ),
);

describe("a union", () => {
  it("is not combined as no fixture has it", async () => {
    const schema = `import { z } from "zod";
export default z.object({ payment: z.discriminatedUnion("by", [z.object({ by: z.literal("card"), last4: z.string() }), z.object({ by: z.literal("bank"), iban: z.string() })]) });`;
    const html = inLink(
      "{{#payment.last4}}Card {{payment.last4}}{{/payment.last4}}{{#payment.iban}}Bank{{/payment.iban}}",
    );
    const fixture = { payment: { by: "card", last4: "4242" } };
    expect(await messages(html, fixture, { "x/variables.ts": schema })).toEqual([]);
  });
});

describe("TruthTable", () => {
  it("finds what is blank with some variables, and with which", async () => {
    const { compiled, ...result } = await projects.compileOne({ "x.html": page("<p>Hello</p>") });
    if (!compiled) throw new Error("The page does not compile.");
    const settings = DEFAULT_SETTINGS;
    const checked = checkedTemplate({ ...result, compiled: { ...compiled, contract: CONTRACT } }, undefined, {
      settings,
    });
    const table = TruthTable.of(checked);
    const { part } = fc.letrec<{ part: string; piece: string; section: string }>((tie) => ({
      part: fc.array(tie("piece"), { maxLength: 4 }).map((pieces) => pieces.join("")),
      piece: fc.oneof({ depthSize: "small" }, fc.constantFrom("x", " "), tie("section")),
      section: fc
        .tuple(fc.constantFrom("#", "^"), fc.constantFrom("a", "b", "c", "text", "kind__is_x", "list"), tie("part"))
        .map(([sigil, name, inner]) => `{{${sigil}${name}}}${inner}{{/${name}}}`),
    }));
    let blanks = 0;
    fc.assert(
      fc.property(part, (text) => {
        const found = table.blank({ text });
        const isBlank = ALL.some((variables) => renderMustache(text, variables, { escape: "none" }).trim() === "");
        const isSectioned = text.includes("{{");
        expect(found !== undefined).toBe(isBlank && isSectioned);
        if (!found) return;
        blanks += 1;
        expect(found.texts[0]?.[0]?.trim()).toBe("");
      }),
      { numRuns: process.env["MODE"] === "long" ? 20_000 : 300 },
    );
    expect(blanks).toBeGreaterThan(0);
  });
});
