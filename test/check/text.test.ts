import { describe, expect, it } from "vitest";
import { page, useFindings, rulesOf } from "./findings.js";

const { diagnostics, findings } = useFindings(rulesOf("text"));

function withText(body: string, text: string, fixture: object = {}) {
  return { "x/x.html": page(body), "x/x.txt": text, "x/fixtures/default.json": JSON.stringify(fixture) };
}

describe("text-empty", () => {
  it("reports a text body without words", async () => {
    const picture =
      '<!doctype html><html lang="en"><head><title>Hi</title></head><body><img src="https://a.example/b" alt=""></body></html>';
    expect(await findings({ "x.html": picture })).toEqual(["text-empty warning x.html"]);
    expect(await findings(withText("<p>Hi</p>", "\n"))).toEqual(["text-empty warning x.txt"]);
  });
});

describe("text-is-html", () => {
  it("reports HTML in a hand-written text", async () => {
    expect(await findings(withText("<p>Hi</p>", "Hello\n\n<p>Hi</p>\n"))).toEqual(["text-is-html warning x.txt:3:1"]);
    expect(await findings(withText("<p>Hi</p>", "Hello&nbsp;you"))).toEqual(["text-is-html warning x.txt:1:6"]);
  });

  it("accepts text", async () => {
    const text = "a < b, <https://a.example>, <ada@a.example>, AT&T; R&D";
    expect(await findings(withText("<p>Hi</p>", text))).toEqual([]);
  });
});

describe("text-is-html, for a variable that the HTML prints unescaped", () => {
  const body = "<p>Hi</p>\n<div>{{{note.html}}}</div>\n{{#items}}<p>{{{about}}}</p>{{/items}}";
  const fixture = (html: string, about: string) =>
    JSON.stringify({ note: { html, text: "Hi" }, items: [{ about: "none" }, { about }] });
  const derived = (html: string, about: string) => ({
    "x/x.html": page(body),
    "x/fixtures/default.json": fixture(html, about),
  });

  it("reports a derived text that prints its source", async () => {
    const [first, ...others] = await diagnostics(derived("<b>Hi</b>", "Tea &amp; jam"));
    expect(first).toMatchObject({
      severity: "warning",
      message: 'The text body prints the HTML source of {{{note.html}}}: with the fixture "default" it shows <b>.',
      at: { line: 15, column: 6 },
    });
    expect(others).toMatchObject([{ rule: "text-is-html", at: { line: 16, column: 14 } }]);
  });

  it("reports a hand-written text that prints its source", async () => {
    const files = { ...derived("<b>Hi</b>", "plain"), "x/x.txt": "Hi\n{{note.html}}\n{{#items}}{{about}}{{/items}}" };
    expect(await findings(files)).toEqual(["text-is-html warning x.txt:2:1"]);
  });

  it("accepts plain values, elements left out of the text, and a second variable", async () => {
    expect(await findings(derived("Tom & Ann", "1 < 2"))).toEqual([]);
    const skipped = body.replaceAll("{{{note.html}}}", '<p data-skip-in-text="true">{{{note.html}}}</p>');
    expect(await findings({ ...derived("<b>Hi</b>", "plain"), "x/x.html": page(skipped) })).toEqual([]);
    const files = { ...derived("<b>Hi</b>", "plain"), "x/x.txt": "Hi\n{{note.text}}\n{{#items}}{{about}}{{/items}}" };
    expect(await findings(files)).toEqual([]);
  });
});

describe("text-link-missing", () => {
  it("reports a link whose URL the text lacks", async () => {
    const body =
      '<p><a href="https://a.example/pay">Pay</a> <a href="https://a.example/help">Help</a></p>\n<a href="{{order.url}}">Order</a>';
    expect(await findings(withText(body, "Help: a.example/help", { order: { url: "https://a.example" } }))).toEqual([
      "text-link-missing warning x.html:14:7",
      "text-link-missing warning x.html:15:4",
    ]);
  });

  it("accepts a URL that the text has, in any scope", async () => {
    const body = `<a href="https://www.a.example/pay/">Pay</a><a href="{{order.url}}">Order</a><a href="#top">Up</a>
<a href="https://a.example"><img src="https://a.example/logo.png" alt="Logo"></a><a href="https://a.example/{{order.id}}">x</a>
{{#items}}<a href="{{url}}">{{name}}</a>{{/items}}`;
    const text =
      "Pay: https://a.example/pay\n{{#order}}{{url}} https://a.example/{{ order.id }}{{/order}}\n{{#items}}\n{{name}}: {{url}}\n{{/items}}";
    const fixture = {
      order: { url: "https://a.example", id: "1" },
      items: [{ name: "Tea", url: "https://a.example" }],
    };
    expect(await findings(withText(body, text, fixture))).toEqual([]);
  });

  it("accepts an email address or a phone number written as text", async () => {
    const body = `<p><a href="mailto:help@a.example?subject=Hi">help@a.example</a> <a href="tel:+441752000000">Call</a></p>`;
    expect(await findings(withText(body, "help@a.example or 01752 000-000"))).toEqual([]);
    expect(await findings(withText(body, "Reply to this mail"))).toEqual([
      "text-link-missing info x.html:14:7",
      "text-link-missing info x.html:14:69",
    ]);
  });

  it("accepts a derived text", async () => {
    expect(await findings({ "x.html": page('<p><a href="https://a.example/pay">Pay</a></p>') })).toEqual([]);
  });
});

describe("text-section-missing, for inverted sections", () => {
  const due =
    "<p>{{#due is-present}}Please pay by {{due}}{{/due}}\n{{^due is-present}}It is paid already, thank you{{/due}}</p>";

  it("reports a text that only has the inverted section", async () => {
    const opposite =
      "Hi. {{^due is-present}}Please pay by {{due}}{{/due}}\n{{^due is-present}}It is paid already{{/due}}";
    expect(await findings(withText(due, opposite, { due: "Friday" }))).toEqual([
      "text-section-missing warning x.html:14:4",
    ]);
  });

  it("accepts another greeting", async () => {
    const html = "<p>{{#due is-present}}Hi {{due}}{{/due}}{{^due is-present}}Hi there{{/due}}</p>";
    expect(await findings(withText(html, "Hello{{#due is-present}} {{due}}{{/due}}", { due: "Ada" }))).toEqual([]);
  });
});

describe("text-section-missing", () => {
  it("reports a list of which the text only says that it has items", async () => {
    const html = "{{#items has-items}}<p>Still to come:</p>{{/items}}\n{{#items}}<p>{{name}}</p>{{/items}}";
    const fixture = { items: [{ name: "Tea" }] };
    const text = "Hi.\n{{#items has-items}}\nStill to come:\n{{/items}}\n";
    expect(await findings(withText(html, text, fixture))).toEqual(["text-section-missing warning x.html:15:1"]);
    expect(await findings(withText(html, `${text}{{#items}}\n- {{name}}\n{{/items}}`, fixture))).toEqual([]);
  });

  it("reports a section that the text lacks", async () => {
    const body = "<ul>\n{{#items}}<li>{{.}}</li>{{/items}}\n</ul>{{#note is-present}}<p>{{note}}</p>{{/note}}";
    expect(await findings(withText(body, "Note: {{note}}", { items: ["a"], note: "x" }))).toEqual([
      "text-section-missing warning x.html:15:1",
    ]);
  });

  it("accepts a test in another form, and sections that are not shown", async () => {
    const body = `{{#items has-items}}<ul>{{#items}}<li>{{.}}</li>{{/items}}</ul>{{/items}}
<p class="{{#vip}}gold{{/vip}}">x</p><div style="display:none">{{#vip}}VIP{{/vip}}</div>`;
    expect(await findings(withText(body, "Hi.\n{{#items}}\n- {{.}}\n{{/items}}", { items: ["a"], vip: true }))).toEqual(
      [],
    );
  });
});
