import { describe, expect, it } from "vitest";
import { renderMustache } from "../../../src/mustache/fill.js";
import type { Variables } from "../../../src/mustache/variables.js";
import { compiledOf, inColumn, useProjects } from "../project.js";

const { compileOne } = useProjects();

async function textOf(body: string, variables: Variables = {}): Promise<string> {
  const { text_body } = compiledOf(await compileOne({ "x.html": `<body>${body}</body>` }));
  // A section's last line ends with its end.
  return renderMustache(text_body, variables, { escape: "none" }).trimEnd();
}

describe("the derived text", () => {
  it("keeps the case of headings, and with it the names of variables", async () => {
    expect(await textOf("<h1>Hi {{name}}</h1><h3>Ünder it</h3><p>Bye</p>", { name: "Ada" })).toBe(
      "Hi Ada\n\nÜnder it\n\nBye",
    );
  });

  it("escapes nothing", async () => {
    expect(await textOf("<p>{{a}} {{{b}}} {{&c}} &lt;tag&gt; &amp;</p>", { a: "<", b: "&", c: '"' })).toBe(
      '< & " <tag> &',
    );
  });

  it.each([
    ['<a href="{{u}}">Pay now</a>', "Pay now: https://a.example/?a=1&b=2"],
    ['<p>Read <a href="{{u}}">our terms</a>, please.</p>', "Read our terms (https://a.example/?a=1&b=2), please."],
    ['<p><a href="{{u}}">{{{u}}}</a></p>', "https://a.example/?a=1&b=2"],
    ['<a href="https://a.example/">a.example</a>', "a.example"],
    ['<p>Write to <a href="mailto:help@a.example?subject=x">help@a.example</a></p>', "Write to help@a.example"],
    ['<p><a href="#top">Up</a></p>', "Up"],
    ['<a href="https://a.example/b"><img src="https://a.example/c" alt="Sale"></a>', "Sale: https://a.example/b"],
    [
      '<a href="{{u}}"><img alt="Shoe" src="https://a.example/s"></a><h2><a href="{{u}}">Shoe</a></h2>',
      "Shoe: https://a.example/?a=1&b=2",
    ],
    ["<p>{{#u}}\n<a href='{{u}}'>\n  Open\n</a>\n{{/u}}</p>", "Open: https://a.example/?a=1&b=2"],
  ])("prints each link once, with its address: %s", async (html, text) => {
    expect(await textOf(html, { u: "https://a.example/?a=1&b=2" })).toBe(text);
  });

  it("leaves out the preheader, its padding, pictures and what is hidden", async () => {
    const padding = "&nbsp;&zwnj;&#847;".repeat(20);
    expect(
      await textOf(`<div style="display:none">Preview {{x}}${padding}</div><img src="https://a.example/p" alt="Logo">${padding}
        <p hidden>no</p><span style="max-height: 0; overflow: hidden">no</span><p>Family: 👩‍👩‍👧</p>`),
    ).toBe("Family: 👩‍👩‍👧");
  });

  it("parts the cells of data, and not those of the page", async () => {
    const data =
      "<table><tr><th>Item</th><th>Price</th></tr>{{#r}}<tr><td><p>{{a}}</p></td><td>{{b}}</td></tr>{{/r}}</table>";
    expect(
      await textOf(data, {
        r: [
          { a: "Tea", b: "€4" },
          { a: "Rye", b: "€3" },
        ],
      }),
    ).toBe("Item  Price\nTea  €4\nRye  €3");
    const several = "<table><tr><td>Tea<br><small>2 × €2</small></td><td>€4</td></tr></table>";
    expect(await textOf(several)).toBe("Tea, 2 × €2  €4");
    const page = "<table><tr><td><h2>Left</h2><p>One</p></td><td><p>Right</p></td></tr></table>";
    expect(await textOf(page)).toBe("Left\n\nOne\n\nRight");
  });

  it("keeps line breaks, rules and preformatted text", async () => {
    expect(await textOf("<p>a<br>b</p><hr><pre>x\n  y</pre>")).toBe("a\nb\n\n---\n\nx\n  y");
  });

  it("numbers a list, but not one that repeats", async () => {
    expect(await textOf("<ol><li>a</li><li>b</li></ol>")).toBe("1. a\n2. b");
    expect(await textOf("<ol>{{#s}}<li>{{.}}</li>{{/s}}</ol>", { s: ["a", "b"] })).toBe("- a\n- b");
  });

  it("is read from MJML as well", async () => {
    const source = inColumn(`<mj-text><h1>Hi {{name}}</h1></mj-text>
      {{#lines}}<mj-text>{{.}}</mj-text>{{/lines}}
      <mj-button href="{{url}}">Open</mj-button>`);
    const { text_body } = compiledOf(await compileOne({ "x.mjml": source }));
    const fill = (lines: string[]) => renderMustache(text_body, { name: "Ada", lines, url: "u" }, { escape: "none" });
    expect(fill([])).toBe("Hi Ada\n\nOpen: u");
    expect(fill(["a", "b"])).toBe("Hi Ada\n\na\n\nb\n\nOpen: u");
  });
});

/** For each, what comes out where the section `s` is shown never, once and twice. */
const sections: Record<string, readonly [html: string, ...texts: string[]]> = {
  paragraphs: ["<p>A</p>{{#s}}<p>{{x}}</p>{{/s}}<p>Z</p>", "A\n\nZ", "A\n\n1\n\nZ", "A\n\n1\n\n2\n\nZ"],
  "paragraphs first": ["{{#s}}<p>{{x}}</p>{{/s}}<p>Z</p>", "Z", "1\n\nZ", "1\n\n2\n\nZ"],
  "paragraphs last": ["<p>A</p>{{#s}}<p>{{x}}</p>{{/s}}", "A", "A\n\n1", "A\n\n1\n\n2"],
  items: ["<p>A</p><ul>{{#s}}<li>{{x}}</li>{{/s}}</ul><p>Z</p>", "A\n\nZ", "A\n- 1\n\nZ", "A\n- 1\n- 2\n\nZ"],
  "items first": ["<ul>{{#s}}<li>{{x}}</li>{{/s}}</ul><p>Z</p>", "\nZ", "- 1\n\nZ", "- 1\n- 2\n\nZ"],
  "items after an item": [
    "<ul><li>0</li>{{#s}}<li>{{x}}</li>{{/s}}<li>3</li></ul>",
    "- 0\n- 3",
    "- 0\n- 1\n- 3",
    "- 0\n- 1\n- 2\n- 3",
  ],
  "words in a line": ["<p>A {{#s}}{{x}} {{/s}}Z</p>", "A Z", "A 1 Z", "A 1 2 Z"],
  "a line broken in an item": [
    "<ul><li>A {{#s}}{{x}}<br>{{/s}}</li><li>Z</li></ul>",
    "- A \n- Z",
    "- A 1 \n- Z",
    "- A 1 2 \n- Z",
  ],
  "this or that": [
    "<p>A</p>{{#s}}<p>{{x}}</p>{{/s}}{{^s}}<p>none</p>{{/s}}<p>Z</p>",
    "A\n\nnone\n\nZ",
    "A\n\n1\n\nZ",
    "A\n\n1\n\n2\n\nZ",
  ],
  "sections in sections": [
    "<p>A</p>{{#s}}<h2>{{x}}</h2><ul>{{#l}}<li>{{.}}</li>{{/l}}</ul>{{/s}}<p>Z</p>",
    "A\n\nZ",
    "A\n\n1\n- a\n- b\n\nZ",
    "A\n\n1\n- a\n- b\n\n2\n\nZ",
  ],
};

describe("sections in the derived text", () => {
  it.each(Object.entries(sections))("%s", async (_, [html, ...texts]) => {
    const items = [
      { x: 1, l: ["a", "b"] },
      { x: 2, l: [] },
    ];
    for (const [count, text] of texts.entries()) {
      expect(await textOf(html, { s: items.slice(0, count) })).toBe(text);
    }
  });

  it("leaves no gap for a paragraph that is hidden as a whole", async () => {
    const html = "<p>A</p><p>{{#note}}Note: {{note}}{{/note}}</p><p>Z</p>";
    expect(await textOf(html)).toBe("A\n\nZ");
    expect(await textOf(html, { note: "x" })).toBe("A\n\nNote: x\n\nZ");
  });

  it("keeps a list on one line that is on one line in html", async () => {
    const files = {
      "x/x.html": "<body><p>{{#tags}}{{.}}, {{/tags}}</p></body>",
      "x/fixtures/default.json": '{ "tags": ["a", "b"] }',
    };
    expect(compiledOf(await compileOne(files)).text_body).toBe("{{#tags}}{{{.}}}, {{/tags}}");
  });
});
