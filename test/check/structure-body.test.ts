import { describe, expect, it } from "vitest";
import { inColumn } from "../render/project.js";
import { page, useFindings, rulesOf } from "./findings.js";

const { diagnostics, findings } = useFindings(rulesOf("structure"));

/** What is found in a body that begins in line 14. */
function inBody(html: string, head = "") {
  return findings({ "x.html": page(html, head) });
}

function inMjml(column: string) {
  const head = "<mj-head><mj-title>Hi</mj-title></mj-head>";
  return findings({ "x.mjml": inColumn(column).replace("<mjml>", `<mjml lang="en">${head}`) });
}

function reactOf(body: string, setup = "") {
  return `import { Body, Head, Html, Img } from "@react-email/components";
${setup}
export default function Email() {
  return (
    <Html lang="en"><Head><title>Hi</title><meta name="viewport" content="width=device-width" /></Head><Body>
${body}
    </Body></Html>
  );
}`;
}

function inReact(body: string, setup = "") {
  return findings({ "x.tsx": reactOf(body, setup) });
}

const cell = "<tr><td>Hello</td></tr>";

describe("table-role", () => {
  it("reports an unmarked layout table", async () => {
    expect(await inBody(`<table width="100%">${cell}</table>`)).toEqual(["table-role warning x.html:14:1"]);
    expect(
      await inBody(`<div>\n  <table><tr><td><table><tr><th>a</th></tr></table></td><td>b</td></tr></table></div>`),
    ).toEqual(["table-role warning x.html:15:3"]);
    expect(await inBody("<table><tr><td>a</td><td>b</td></tr></table>")).toEqual(["table-role warning x.html:14:1"]);
    expect(await inReact(`<table><tbody>${cell}</tbody></table>`)).toEqual(["table-role warning x.tsx:6:1"]);
    expect(await inMjml(`<mj-text>\n<table>${cell}</table></mj-text>`)).toEqual([
      expect.stringMatching(/^table-role warning x\.mjml:\d+:1$/),
    ]);
  });

  it("fixes it", async () => {
    const [found] = await diagnostics({ "x.html": page(`<table width="100%">${cell}</table>`) });
    expect(found?.edits).toMatchObject([
      { at: { line: 14, column: 1 }, remove: "<table", insert: '<table role="presentation"' },
    ]);
  });

  it("reports a table that only Outlook sees", async () => {
    const outlook = (role: string) =>
      `<!--[if mso]>\n <table${role} width="600"><tr><td><![endif]-->\n<p>a</p><!--[if mso]></td></tr></table><![endif]-->`;
    expect(await inBody(outlook(""))).toEqual(["table-role info x.html:15:2"]);
    expect(await inBody(outlook(' role="presentation"'))).toEqual([]);
  });

  it("accepts marked tables and grids", async () => {
    expect(await inBody(`<table role="presentation">${cell}</table><table role="none">${cell}</table>`)).toEqual([]);
    expect(await inBody("<table><tr><th>a</th></tr><tr><td>b</td></tr></table>")).toEqual([]);
    expect(await inBody("<table><caption>Prices</caption><tr><td>b</td></tr></table>")).toEqual([]);
    expect(await inBody("<table>{{#rows}}<tr><td>{{a}}</td><td>{{b}}</td></tr>{{/rows}}</table>")).toEqual([]);
    expect(await inMjml(`<mj-table>${cell}</mj-table><mj-button href="https://a.example">Open</mj-button>`)).toEqual(
      [],
    );
  });
});

describe("table-role", () => {
  it("reports headings hidden by a role", async () => {
    const table = (role: string) => `<table\n role="${role}"><tr><th>Item</th></tr><tr><td>Tea</td></tr></table>`;
    expect(await inBody(table("presentation"))).toEqual(["table-role warning x.html:15:2"]);
    expect(await inBody(table("none"))).toEqual(["table-role warning x.html:15:2"]);
    expect(
      await inMjml('<mj-table role="presentation">\n<tr><th>Item</th></tr><tr><td>Tea</td></tr></mj-table>'),
    ).toEqual([expect.stringMatching(/^table-role warning x\.mjml:\d+:\d+$/)]);
  });

  it("accepts headings in a nested table, and other roles", async () => {
    const inner = "<table><tr><th>Item</th></tr><tr><td>Tea</td></tr></table>";
    expect(await inBody(`<table role="presentation"><tr><td>${inner}</td></tr></table>`)).toEqual([]);
    expect(await inBody(inner.replace("<table>", '<table role="table">'))).toEqual([]);
  });

  it("accepts <th> cells in a layout", async () => {
    const columns = '<th width="50%"><p>Left</p></th><th width="50%"><p>Right</p></th>';
    expect(await inBody(`<table role="presentation"><tr>${columns}</tr></table>`)).toEqual([]);
    expect(await inBody(`<table role="none"><tr>${columns}</tr><tr><td>Below</td></tr></table>`)).toEqual([]);
  });
});

describe("headings", () => {
  it("reports a skipped level, also if a section is absent", async () => {
    expect(await inBody("<h2>a</h2>\n<h4>b</h4>")).toEqual(["headings warning x.html:15:1"]);
    expect(await inBody("{{#vip}}<h2>a</h2>{{/vip}}\n<h3>b</h3>")).toEqual(["headings warning x.html:15:1"]);
  });

  it("reports a second h1", async () => {
    expect(await inBody("<p>a</p>\n<h1>b</h1>")).toEqual(["headings info x.html:15:1"]);
  });

  it("accepts levels in order, and headings that are never shown together", async () => {
    expect(await inBody("<h2>a</h2><h3>b</h3><h2>c</h2>")).toEqual([]);
    expect(await inBody("{{#vip}}<h2>a</h2>{{/vip}}{{#vip}}<h3>b</h3>{{/vip}}")).toEqual([]);
    expect(
      await inBody('<h2>a</h2>{{#vip}}<h3>b</h3>{{/vip}}{{^vip}}<h3>c</h3>{{/vip}}<h4 style="display:none">d</h4>'),
    ).toEqual([]);
    const turns = page("").replace(/<h1>.*<\/h1>/, "{{#vip}}<h1>a</h1>{{/vip}}{{^vip}}<h1>b</h1>{{/vip}}");
    expect(await findings({ "x.html": turns })).toEqual([]);
    expect(await findings({ "x.html": page("<h2>a</h2>").replace(/<h1>.*<\/h1>/, "") })).toEqual([]);
  });

  it("reports a first heading below the second level", async () => {
    const without = (html: string) => findings({ "x.html": page(html).replace(/<h1>.*<\/h1>/, "") });
    expect(await without("<p>a</p>\n<h3>b</h3>\n<h3>c</h3>")).toEqual(["headings info x.html:15:1"]);
    expect(await without("{{#vip}}<h2>a</h2>{{/vip}}{{^vip}}\n<h4>b</h4>{{/vip}}")).toEqual([
      "headings info x.html:15:1",
    ]);
  });
});

describe("headings", () => {
  it("reports an empty heading", async () => {
    expect(await inBody("<h2>&nbsp;</h2>")).toEqual(["headings warning x.html:14:1"]);
    expect(await inBody('<h2>{{title}}</h2><h2><img src="https://a.example/b" alt="News"></h2>')).toEqual([]);
  });
});

describe("duplicate-id", () => {
  it("reports an id that appears twice", async () => {
    expect(await inBody('<a href="#a">Terms</a><p id="a">a</p>\n<p id="a">b</p>')).toEqual([
      "duplicate-id warning x.html:15:4",
    ]);
    expect(await inBody('<p id="a">a</p><p id="a">b</p>')).toEqual(["duplicate-id info x.html:14:19"]);
    expect(await inBody('<a href="#a">Terms</a>{{#x}}<p id="a">a</p>{{/x}}{{^x}}<p id="a">b</p>{{/x}}')).toEqual([]);
  });
});

describe("image-alt", () => {
  const src = 'src="https://a.example/b.png"';

  it("reports images without alt text", async () => {
    expect(await inBody(`<p>a</p>\n <img ${src}>`)).toEqual(["image-alt warning x.html:15:2"]);
    expect(await inBody(`<a href="https://a.example"><img ${src} alt=""></a>`)).toEqual([
      "image-alt warning x.html:14:29",
    ]);
    expect(await inReact('<Img src="https://a.example/b.png" width="20" />')).toEqual(["image-alt warning x.tsx:6:1"]);
    expect(await inMjml('<mj-text>Hello</mj-text><mj-image src="https://a.example/b.png" width="80px" />')).toEqual([
      expect.stringMatching(/^image-alt warning x\.mjml:/),
    ]);
  });

  it("reports images whose empty alt text comes from a component, as in React Email 6", async () => {
    const kit = {
      "node_modules/kit/package.json": '{ "name": "kit", "type": "module", "main": "index.js" }',
      "node_modules/kit/index.js":
        'import { createElement } from "react";\nexport const Img = ({ alt = "", ...others }) => createElement("img", { alt, ...others });',
    };
    const images = [
      `<Img ${src} />`,
      `<Img ${src} alt="" />`,
      `<Img {...{ ${src.replace("=", ": ")} }} />`,
      `<Img ${src} width="1" height="1" />`,
    ];
    const text = `import { Img } from "kit";\nexport const subject = "Hi";\nexport default () => <div>\n${images.join("\n")}\n<p>Your order left our warehouse this morning, and is on its way to you.</p></div>;`;
    expect(await findings({ "x.tsx": text, ...kit })).toEqual(["image-alt warning x.tsx:4:1"]);
  });

  it("reports an image in a loop once", async () => {
    const images = '{["a", "b"].map((name) => (\n<Img key={name} src={`https://a.example/${name}.png`} />))}';
    const found = await inReact(images);
    expect(found.filter((each) => each.startsWith("image-alt"))).toEqual(["image-alt warning x.tsx:7:1"]);
  });

  it("reports alt text that says nothing", async () => {
    expect(await inBody(`<img ${src} alt="hero_2.png">`)).toEqual(["image-alt warning x.html:14:36"]);
    expect(await inBody(`<img ${src} alt="image">`)).toEqual(["image-alt warning x.html:14:36"]);
    expect(await inBody(`<a href="https://a.example"><img ${src} alt="Terms"> Terms</a>`)).toEqual([
      "image-alt info x.html:14:64",
    ]);
  });

  it("fixes decorative images", async () => {
    const [found] = await diagnostics({ "x.html": page(`<img ${src} width="1" height="1">`) });
    expect(found?.edits).toMatchObject([{ at: { line: 14, column: 1 }, remove: "<img", insert: '<img alt=""' }]);
  });

  it("accepts the rest", async () => {
    expect(await inBody(`<img ${src} alt=""><img ${src} alt="{{name}}"><img ${src} alt="A red bicycle">`)).toEqual([]);
    expect(await inBody(`<a href="https://a.example"><img ${src} alt=""> Home</a>`)).toEqual([]);
    expect(
      await inMjml('<mj-text>Hello</mj-text><mj-image src="https://a.example/b.png" alt="" width="80px" />'),
    ).toEqual([]);
  });
});

describe("link-text", () => {
  const link = (text: string, more = "") => `<a href="https://a.example"${more}>${text}</a>`;

  it("reports links without text", async () => {
    expect(await inBody(`<p>a</p>\n${link(" &nbsp;")}`)).toEqual(["link-text warning x.html:15:1"]);
  });

  it.each(["Click here", "here.", "Read more →", "Hier klicken", "En savoir plus", "Más información", "こちら"])(
    "finds links that don't say where they lead: %s",
    async (text) => {
      expect(await inBody(`<p>a</p>\n${link(text)}`)).toEqual(["link-text info x.html:15:1"]);
    },
  );

  it("accepts the rest", async () => {
    expect(await inBody(link("Your order") + link("{{label}}") + link("Read more about it"))).toEqual([]);
    expect(await inBody(link("Read more", ' aria-label="Read more about tea"') + '<a name="top"></a>')).toEqual([]);
    expect(await inBody(link('<img src="https://a.example/b.png" alt="Home">'))).toEqual([]);
  });
});

describe("fixed-width", () => {
  it("reports what is wide even on a phone", async () => {
    expect(await inBody(`<table role="presentation" width="700">${cell}</table>`)).toEqual([
      "fixed-width warning x.html:14:28",
    ]);
    expect(await inBody('<div style="width: 680px">a</div>')).toEqual(["fixed-width warning x.html:14:13"]);
    expect(await inBody('<div style="min-width: 680px; max-width: 100%">a</div>')).toEqual([
      "fixed-width warning x.html:14:13",
    ]);
    expect(
      await inBody(
        '<p>a</p>\n<img src="https://a.example/b.png" width="1200" alt="A bicycle, seen from its side, on a road"><p>It left our warehouse this morning, on its way to you.</p>',
      ),
    ).toEqual(["fixed-width warning x.html:15:36"]);
  });

  it("reports a cell wider than its table", async () => {
    const row = (width: string) =>
      `<table role="presentation" width="100%"><tr><td style="width: ${width}">a</td></tr></table>`;
    expect(await inBody(row("800px"))).toEqual(["fixed-width info x.html:14:56"]);
    expect(await inBody(`<div style="max-width: 900px">${row("800px")}</div>`)).toEqual([]);
    expect(await inBody(row("600px"))).toEqual([]);
    expect(await inBody(`<table role="presentation" width="700"><tr><td width="700">a</td></tr></table>`)).toEqual([
      "fixed-width warning x.html:14:28",
    ]);
  });

  it("accepts fluid widths", async () => {
    expect(await inBody(`<table role="presentation" width="600">${cell}</table>`)).toEqual([]);
    expect(await inBody(`<table role="presentation" width="700" style="max-width:100%">${cell}</table>`)).toEqual([]);
    expect(
      await inBody(`<table role="presentation" width="700" style="width:100%;max-width:700px">${cell}</table>`),
    ).toEqual([]);
    const narrow = "<style>@media only screen and (max-width: 720px) { .wide { width: 100% !important } }</style>";
    expect(await inBody(`<table role="presentation" class="wide" width="700">${cell}</table>`, narrow)).toEqual([]);
    expect(await inBody('<div style="width: {{width}}px">a</div>')).toEqual([]);
    expect(
      await inMjml(
        '<mj-text>Hello</mj-text><mj-image src="https://a.example/b.png" alt="" width="900px" /><mj-text>It left our warehouse this morning, and you can follow it on its way to you.</mj-text>',
      ),
    ).toEqual([]);
  });
});

describe("image-only", () => {
  const image = '<img src="https://a.example/b.png" alt="Everything is half price until Sunday" width="600">';
  const bare = (body: string) => findings({ "x.html": page(body).replace(/<h1>.*<\/h1>/, "") });

  it("reports an email that is an image", async () => {
    expect(await bare(image)).toEqual(["image-only warning x.html:14:1"]);
    expect(await bare(image.replace(' width="600"', ""))).toEqual(["image-only warning x.html:14:1"]);
    expect(await bare(`${image}<p>Unsubscribe</p>`)).toEqual(["image-only warning x.html:14:1"]);
  });

  it("accepts an email that has text, or may have", async () => {
    expect(
      await bare(`${image}<p>Everything in our shop is half price, until Sunday night or while stocks last.</p>`),
    ).toEqual([]);
    expect(await bare(`${image}<p>{{message}}</p>`)).toEqual([]);
    expect(await bare(`${image.replace(' width="600"', "")}<p>Your code is 1234 5678.</p>`)).toEqual([]);
    expect(await bare("<p>Hello</p>")).toEqual([]);
    expect(await bare(`${image.replace("600", "120")}<p>Your code is 1234.</p>`)).toEqual([]);
  });
});
