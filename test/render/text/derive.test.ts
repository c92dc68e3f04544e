import { describe, expect, it } from "vitest";
import { completeVariables } from "../../../src/mustache/complete.js";
import { renderMustache } from "../../../src/mustache/fill.js";
import type { Variables } from "../../../src/mustache/variables.js";
import { compiledOf, inColumn, useProjects } from "../project.js";

const { compileOne } = useProjects();

async function textOf(body: string, variables: Variables = {}): Promise<string> {
  const { text_body, contract } = compiledOf(await compileOne({ "x.html": `<body>${body}</body>` }));
  // A section's last line ends with the section.
  return renderMustache(text_body, completeVariables(contract, variables), { escape: "none" }).trimEnd();
}

describe("the derived text", () => {
  it("keeps the case of headings, and of variable names in them", async () => {
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

  it("omits the preheader, its padding, images and hidden elements", async () => {
    const padding = "&nbsp;&zwnj;&#847;".repeat(20);
    expect(
      await textOf(`<div style="display:none">Preview {{x}}${padding}</div><img src="https://a.example/p" alt="Logo">${padding}
        <p>By post<img src="https://a.example/o" width="1" height="1" alt="pixel"></p>
        <p hidden>no</p><span style="max-height: 0; overflow: hidden">no</span><p>Family: 👩‍👩‍👧</p>`),
    ).toBe("By post\n\nFamily: 👩‍👩‍👧");
  });

  it.each([
    ["<p hidden>{{^u}}<p></p>{{/u}}</p>", "", ""],
    ["<p>A</p><p hidden>{{#u}}b<p>C</p>{{/u}}</p>D", "A\n\nC\n\nD", "A\n\nD"],
    ["<p hidden>{{#u}}a</p>B<p hidden>{{/u}}c</p>", "B", ""],
  ])("omits hidden content if a section continues outside: %s", async (html, shown, otherwise) => {
    expect(await textOf(html, { u: true })).toBe(shown);
    expect(await textOf(html, { u: false })).toBe(otherwise);
  });

  it("contains the content of an element that starts in one section and ends in another, in each case", async () => {
    const either =
      '{{#u}}<a href="https://a.example/u">{{/u}}{{^u}}<a href="https://a.example/o">{{/u}}Offers</a><p>Bye</p>';
    expect(await textOf(either, { u: true })).toBe("Offers (https://a.example/u)\n\nBye");
    expect(await textOf(either, { u: false })).toBe("Offers (https://a.example/o)\n\nBye");
    const hidden = "{{#u}}<div hidden>{{/u}}<p>{{name}}</p>{{#u}}</div>{{/u}}<p>Bye</p>";
    expect(await textOf(hidden, { u: true, name: "Ada" })).toBe("Bye");
    expect(await textOf(hidden, { u: false, name: "Ada" })).toBe("Ada\n\nBye");
  });

  it("merges text that is the same in both cases", async () => {
    const body = "<p>Hi {{name}}</p>{{#u}}<div title=a>{{/u}}<p>{{name}}, thank you</p>{{#u}}</div>{{/u}}<p>Bye</p>";
    const { compiled } = await compileOne({ "x.html": body });
    expect(compiled?.text_body).toBe("Hi {{{name}}}\n\n{{{name}}}, thank you\n\nBye");
    const section =
      "<mj-section><mj-column><mj-text>{{#u}}<b>{{/u}}Hi{{#u}}</b>{{/u}}</mj-text></mj-column></mj-section>";
    const [start, end] = ["{{#u}}<div>{{/u}}", "{{#u}}</div>{{/u}}"].map((half) => `<mj-raw>${half}</mj-raw>`);
    const mjml = await compileOne({ "x.mjml": `<mjml><mj-body>${start}${section}${end}</mj-body></mjml>` });
    expect(mjml.compiled?.text_body).toBe("Hi");
  });

  it("does not count hidden items", async () => {
    expect(await textOf("<ol><li hidden>a</li><li>B</li></ol>")).toBe("1. B");
  });

  it("rejects a section that decides whether what follows is hidden", async () => {
    const { diagnostics, compiled } = await compileOne({
      "x.html": "<body><p hidden>{{#u}}a<table></table>{{/u}}b</p></body>",
    });
    expect(compiled).toBeUndefined();
    expect(diagnostics).toMatchObject([{ rule: "markup-unbalanced", at: { line: 1, column: 17 } }]);
  });

  it.each([
    '<div style="display:none">x</div>',
    '<div style="DISPLAY: none !important">x</div>',
    '<div style="visibility: hidden">x</div>',
    '<div style="opacity:0">x</div>',
    '<div style="max-height:0px;overflow:hidden">x</div>',
    '<div style="height:0;overflow:hidden">x</div>',
    '<span style="font-size:0">x</span>',
    "<p hidden>x</p>",
    '<p data-skip-in-text="true">x</p>',
    '<style>.teaser, .b { display: none }</style><p class="a teaser">x</p>',
    '<div class="preheader">x</div>',
    "<!--[if mso]><p>x</p><![endif]-->",
    "<svg><title>x</title></svg>",
  ])("omits what nobody sees: %s", async (html) => {
    expect(await textOf(`<p>A</p>${html}<p>Z</p>`)).toBe("A\n\nZ");
  });

  it.each([
    // Hidden only from Outlook, which has its own button in a conditional comment.
    '<p style="mso-hide:all">x</p>',
    '<p style="max-height: 0.5em">x</p>',
    '<table style="font-size:0"><tr><td style="font-size:14px">x</td></tr></table>',
    "<style>@media (max-width: 9px) { .a { display: none } }</style><p class='a'>x</p>",
    "<!--[if !mso]><!--><p>x</p><!--<![endif]-->",
    '<p data-skip-in-text="false">x</p>',
  ])("contains what only some clients hide: %s", async (html) => {
    expect(await textOf(`<p>A</p>${html}<p>Z</p>`)).toBe("A\n\nx\n\nZ");
  });

  it.each([
    [
      "a button and its address as text",
      '<p><a href="{{u}}">Go</a></p><p>Or open {{u}}</p>',
      "Go\n\nOr open https://a.example/?a=1&b=2",
    ],
    [
      "two links to one place",
      '<p><a href="{{u}}">Go</a></p><p>or <a href="{{u}}">there</a></p>',
      "Go: https://a.example/?a=1&b=2\n\nor there",
    ],
    [
      "a link whose text is its host",
      '<p><a href="https://a.example">Go</a></p><p>a.example</p>',
      "Go: https://a.example\n\na.example",
    ],
    [
      "a section that may be hidden",
      '{{#no}}<p>{{u}}</p>{{/no}}<p><a href="{{u}}">Go</a></p>',
      "Go: https://a.example/?a=1&b=2",
    ],
    [
      "other variables of the same name",
      '<p><a href="{{u}}">Go</a></p>{{#o}}<p><a href="{{u}}">There</a></p>{{/o}}',
      "Go: https://a.example/?a=1&b=2\n\nThere: v",
    ],
    ["a telephone number", '<a href="tel:+44 20 1">+44 (20) 1</a>', "+44 (20) 1"],
    ["a question", '<p><a href="https://a.example">Why?</a></p>', "Why?\nhttps://a.example"],
    ["an arrow", '<p><a href="https://a.example">Go →</a></p>', "Go → https://a.example"],
    ["a block", '<a href="https://a.example"><h2>T</h2><p>x</p></a>', "T\n\nx\nhttps://a.example"],
    ["a link without text", '<a href="https://a.example"><img src="x"></a>', "https://a.example"],
    ["brackets", '<p>At home (<a href="https://a.example">map</a>)</p>', "At home (map: https://a.example)"],
    [
      "a word directly after a link",
      '<p><a href="https://a.example">Ada</a>Lovelace</p>',
      "Ada (https://a.example) Lovelace",
    ],
    [
      "adjacent links",
      '<p><a href="https://a.example/1">★</a><a href="https://a.example/2">★★</a></p>',
      "★ https://a.example/1\n★★ https://a.example/2",
    ],
    [
      "buttons next to each other",
      '<a href="https://a.example/y" style="display:inline-block">Yes</a> <a href="https://a.example/n" style="display:inline-block">No</a>',
      "Yes: https://a.example/y\nNo: https://a.example/n",
    ],
  ])("recognises a link by its context: %s", async (_, html, text) => {
    expect(await textOf(html, { u: "https://a.example/?a=1&b=2", o: { u: "v" } })).toBe(text);
  });

  it.each([
    [
      "a row with lines in a cell",
      "<table><tr><td>Tea{{#n}}<br>{{n}}{{/n}}</td><td>€4</td></tr></table>",
      "Tea, hot  €4",
    ],
    [
      "labels",
      "<table><tr><th>To</th><td>Ada</td></tr><tr><th>At</th><td>a<br>b<br>c</td></tr></table>",
      "To: Ada\nAt:\n  a\n  b\n  c",
    ],
    [
      "columns of known width",
      "<table><tr><td>Net</td><td>{{n}}</td></tr><tr><td>Total</td><td>{{n}}</td></tr></table>",
      "Net    hot\nTotal  hot",
    ],
    [
      "steps",
      "<table><tr><td>1</td><td>Go<br>Now</td></tr><tr><td>2</td><td>Stop</td></tr></table>",
      "1. Go\n   Now\n2. Stop",
    ],
    [
      "rows in separate tables",
      "<p>A</p>{{#l}}<table><tr><td>{{x}}</td><td>{{y}}</td></tr></table>{{/l}}<table><tr><td>S</td><td>9</td></tr></table>",
      "A\n\n1  a\n2  b\nS  9",
    ],
    [
      "a table in a table",
      "<table><tr><td><table><tr><td>A</td></tr></table></td></tr><tr><td>B</td></tr></table>",
      "A\n\nB",
    ],
    ["a row without cells", "<table><tr><p>Net</p><hr><p>€4</p></tr></table>", "Net\n\n---\n\n€4"],
    ["columns", '<div style="display:inline-block">Net</div><div style="display:inline-block">€4</div>', "Net  €4"],
  ])("prints tables according to their purpose: %s", async (_, html, text) => {
    expect(
      await textOf(html, {
        n: "hot",
        l: [
          { x: 1, y: "a" },
          { x: 2, y: "b" },
        ],
      }),
    ).toBe(text);
  });

  it.each([
    [
      "raised figures",
      "10 m<sup>2</sup>, €9<sup>{{c}}</sup>, H<sub>2</sub>O, 1<sup>st</sup>",
      "10 m², €9 99, H₂O, 1st",
    ],
    ["characters without width", "co&shy;operate&#8203;d a&nbsp;b &zwnj;&nbsp;&zwnj;", "cooperated a b"],
    ["joiners in words", "می&zwnj;خواهم", "می\u200Cخواهم"],
    ["quotes", "<blockquote><p>a</p><p>b</p></blockquote><p>c</p>", "> a\n>\n> b\n\nc"],
    ["nested lists", "<ol start='9'><li>a<ul><li>b</li></ul></li><li>c</li></ol>", " 9. a\n    - b\n10. c"],
    ["images among words", '<p>Rated <img alt="4 stars"> today</p><p><img alt="A hill"></p>', "Rated 4 stars today"],
    ["rules", "<hr><p>a</p><hr><div style='border-top:1px solid red'></div><p>b</p><hr>", "a\n\n---\n\nb"],
    ["a section without text", "<p>a</p>{{#c}}<p><img alt='x' src='y'></p>{{/c}}<p>b</p>", "a\n\nb"],
    ["paragraphs without a margin", "<p style='margin:0'>a</p><p style='margin:0'>b</p>", "a\nb"],
  ])("prints special HTML as text: %s", async (_, html, text) => {
    expect(await textOf(html, { c: 99 })).toBe(text);
  });

  it("separates the cells of data tables, but not of layout tables", async () => {
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

  it("is derived from MJML, too", async () => {
    const source = inColumn(`<mj-text><h1>Hi {{name}}</h1></mj-text>
      {{#lines}}<mj-text>{{.}}</mj-text>{{/lines}}
      <mj-button href="{{url}}">Open</mj-button>`);
    const { text_body } = compiledOf(await compileOne({ "x.mjml": source }));
    const fill = (lines: string[]) => renderMustache(text_body, { name: "Ada", lines, url: "u" }, { escape: "none" });
    expect(fill([])).toBe("Hi Ada\n\nOpen: u\n");
    expect(fill(["a", "b"])).toBe("Hi Ada\n\na\n\nb\n\nOpen: u\n");
  });
});

/** For each, the result if the section `s` is shown never, once and twice. */
const sections: Record<string, readonly [html: string, ...texts: string[]]> = {
  paragraphs: ["<p>A</p>{{#s}}<p>{{x}}</p>{{/s}}<p>Z</p>", "A\n\nZ", "A\n\n1\n\nZ", "A\n\n1\n\n2\n\nZ"],
  "paragraphs first": ["{{#s}}<p>{{x}}</p>{{/s}}<p>Z</p>", "Z", "1\n\nZ", "1\n\n2\n\nZ"],
  "paragraphs last": ["<p>A</p>{{#s}}<p>{{x}}</p>{{/s}}", "A", "A\n\n1", "A\n\n1\n\n2"],
  items: ["<p>A</p><ul>{{#s}}<li>{{x}}</li>{{/s}}</ul><p>Z</p>", "A\n\nZ", "A\n\n- 1\n\nZ", "A\n\n- 1\n- 2\n\nZ"],
  "items first": ["<ul>{{#s}}<li>{{x}}</li>{{/s}}</ul><p>Z</p>", "Z", "- 1\n\nZ", "- 1\n- 2\n\nZ"],
  "items after an item": [
    "<ul><li>0</li>{{#s}}<li>{{x}}</li>{{/s}}<li>3</li></ul>",
    "- 0\n- 3",
    "- 0\n- 1\n- 3",
    "- 0\n- 1\n- 2\n- 3",
  ],
  "words in a line": ["<p>A {{#s}}{{x}} {{/s}}Z</p>", "A Z", "A 1 Z", "A 1 2 Z"],
  "a line broken in an item": [
    "<ul><li>A {{#s}}{{x}}<br>{{/s}}</li><li>Z</li></ul>",
    "- A\n- Z",
    "- A\n  1\n- Z",
    "- A\n  1\n  2\n- Z",
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
    "A\n\n1\n\n- a\n- b\n\nZ",
    "A\n\n1\n\n- a\n- b\n\n2\n\nZ",
  ],
};

describe("styles and spans in the derived text", () => {
  it.each([
    ['<p style="white-space: pre-line">Dear {{name}},\n  first\n\nlast</p>', "Dear Ada,\nfirst\n\nlast"],
    ['<p style="white-space:pre-wrap">a   b\n  c</p>', "a   b\n  c"],
    ['<div style="white-space:pre">a\nb<p style="white-space:normal">c\nd</p></div>', "a\nb\n\nc d"],
    ["<pre>a\n  <b>b</b></pre>", "a\n  b"],
    ['<div style="white-space: pre-wrap"><ul>\n<li>a</li>\n<li>b\nc</li>\n</ul></div>', "- a\n- b\n  c"],
    ["<p>{{#name}}\n<span style='white-space:pre-line'>a\nb</span>{{/name}}</p>", "a\nb"],
  ])("keep visible line ends: %j", async (html, text) => {
    expect(await textOf(html, { name: "Ada" })).toBe(text);
  });

  it.each([
    ['<h1><img src="https://a.example/s.png" alt="Summer sale"></h1><p>All week.</p>', "Summer sale\n\nAll week."],
    ['<h1><img src="https://a.example/l.png" alt="Acme logo"></h1><p>Hi</p>', "Hi"],
    ['<h1><img src="https://a.example/l.png" alt="Logo"><img src="https://a.example/s.png" alt="Sale"></h1>', "Sale"],
    ['<h1>{{#sale}}<img src="https://a.example/s.png" alt="Sale">{{/sale}}</h1>', "Sale"],
    [
      '<h1><a href="https://a.example/"><img src="https://a.example/s.png" alt="Sale"></a></h1>',
      "Sale: https://a.example/",
    ],
  ])("use the text of an image in a heading: %s", async (html, text) => {
    expect(await textOf(html, { sale: true })).toBe(text);
  });

  it.each([
    [
      "<table><tr><th>Item</th><th>Qty</th><th>Price</th></tr><tr><td>Earl Grey</td><td>2</td><td>€4</td></tr><tr><td colspan=2>Total</td><td>€4</td></tr></table>",
      "Item       Qty  Price\nEarl Grey  2    €4\nTotal           €4",
    ],
    [
      "<table><tr><td>A</td><td>B</td><td>1</td></tr><tr><td colspan=2>A longer label</td><td>2</td></tr></table>",
      "A  B            1\nA longer label  2",
    ],
    [
      "<table><tr><td>A</td><td>1</td></tr><tr><td colspan=2>Thanks to all of you</td></tr></table>",
      "A  1\nThanks to all of you",
    ],
    [
      "<table><tr><td>A</td><td>B</td><td>1</td></tr><tr><td colspan=2>{{name}}</td><td>2</td></tr></table>",
      "A  B  1\nAda  2",
    ],
  ])("align columns next to cells that take several: %s", async (html, text) => {
    expect(await textOf(html, { name: "Ada" })).toBe(text);
  });
});

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

  it("keeps a list on its line", async () => {
    const files = {
      "x/x.html": "<body><p>In {{#tags}}{{.}}, {{/tags}}</p><p>{{#tags}}{{.}}, {{/tags}}</p><p>Z</p></body>",
      "x/fixtures/default.json": '{ "tags": ["a", "b"] }',
    };
    const { text_body, contract } = compiledOf(await compileOne(files));
    const fill = (variables: Variables) => renderMustache(text_body, variables, { escape: "none" });
    expect(fill(completeVariables(contract, { tags: ["a", "b"] }))).toBe("In a, b,\n\na, b, \n\nZ");
    expect(fill(completeVariables(contract, { tags: [] }))).toBe("In\n\nZ");
    // Without knowledge of the sections' values, only blank lines are lost.
    expect(fill({ tags: ["a", "b"] })).toBe("In a, b,\na, b, \nZ");
  });
});

/** The content of a component's body, and the result for each of none, one and three names. */
const loops: Record<string, readonly [jsx: string, ...texts: string[]]> = {
  "a join": ['<p>{names.join(", ")}</p><p>Z</p>', "Z", "Ada\n\nZ", "Ada, Bob, Cy\n\nZ"],
  "a join in a line": [
    '<p>By {names.join(" & ")} in Rye</p>',
    "By in Rye",
    "By Ada in Rye",
    "By Ada & Bob & Cy in Rye",
  ],
  "a join that begins a line": ['<p>{names.join(", ")} in Rye</p>', "in Rye", "Ada in Rye", "Ada, Bob, Cy in Rye"],
  "a join that ends a line": ['<p>By {names.join(", ")}</p><p>Z</p>', "By\n\nZ", "By Ada\n\nZ", "By Ada, Bob, Cy\n\nZ"],
  "separators in the section": [
    '<p>By {names.map((n, i) => <b key={n}>{i > 0 ? (i === names.length - 1 ? " and " : ", ") : ""}{n}</b>)}</p>',
    "By",
    "By Ada",
    "By Ada, Bob and Cy",
  ],
  "a list that may be missing": [
    '<p>{some ? names.join(" & ") : "nobody"}</p><p>Z</p>',
    "Z",
    "Ada\n\nZ",
    "Ada & Bob & Cy\n\nZ",
  ],
  "spans with spaces": [
    "<p>A</p><p>{people.map(({ name }) => <span key={name}>#{name} </span>)}</p><p>Z</p>",
    "A\n\nZ",
    "A\n\n#Ada\n\nZ",
    "A\n\n#Ada #Bob #Cy\n\nZ",
  ],
  "a choice that ends a line": [
    "<p>A {names.length > 0 ? <b>some </b> : <i>none </i>}</p><p>Z</p>",
    "A none\n\nZ",
    "A some\n\nZ",
    "A some\n\nZ",
  ],
  "items in paragraphs, above a rule": [
    "{names.length ? names.map((n) => <p key={n}>{n}</p>) : <p>Nobody</p>}<hr /><p>Z</p>",
    "Nobody\n\n---\n\nZ",
    "Ada\n\n---\n\nZ",
    "Ada\n\nBob\n\nCy\n\n---\n\nZ",
  ],
  "one of several": [
    "<p>A</p><p>{names.length > 2 ? <b>many</b> : names.length > 0 ? <i>one</i> : some ? <u>none</u> : null}</p><p>Z</p>",
    "A\n\nnone\n\nZ",
    "A\n\none\n\nZ",
    "A\n\nmany\n\nZ",
  ],
  "a list of items or an alternative text, at the start": [
    "<ul>{some ? names.map((n) => <li key={n}>{n}</li>) : <li>?</li>}</ul>{some && <p>Y</p>}<p>Z</p>",
    "Y\n\nZ",
    "- Ada\n\nY\n\nZ",
    "- Ada\n- Bob\n- Cy\n\nY\n\nZ",
  ],
};

describe("loops of a component in the derived text", () => {
  it.each(Object.entries(loops))("%s", async (_, [jsx, ...texts]) => {
    const variablesOf = (names: string[]) => ({ some: true, names, people: names.map((name) => ({ name })) });
    const files = {
      "x/x.tsx": `export default ({ names, people, some }: any) => <html><body>${jsx}</body></html>;`,
      "x/fixtures/a.json": JSON.stringify(variablesOf(["Ada", "Bob", "Cy"])),
      "x/fixtures/b.json": JSON.stringify({ ...variablesOf([]), some: false }),
    };
    const { text_body, contract } = compiledOf(await compileOne(files));
    const filled = [[], ["Ada"], ["Ada", "Bob", "Cy"]].map((names) =>
      renderMustache(text_body, completeVariables(contract, variablesOf(names)), { escape: "none" }).trimEnd(),
    );
    expect(filled).toEqual(texts);
  });
});
