import { describe, expect, it } from "vitest";
import { spamWording } from "../../src/check/rules/language/spam-wording.js";
import { suspiciousLink } from "../../src/check/rules/links/suspicious-link.js";
import { inColumn } from "../render/project.js";
import { page, useFindings, rulesOf } from "./findings.js";

const { diagnostics, findings } = useFindings([...rulesOf("safety"), suspiciousLink, spamWording]);

function found(body: string, head = ""): Promise<string[]> {
  return findings({ "x.html": page(body, head) });
}

const link = (address: string) => `<a href="${address}">Your order</a>`;

describe("safety", () => {
  it("tiny-text: one finding for each place where a size is set", async () => {
    const head = '<mj-head><mj-attributes>\n<mj-class name="small" font-size="6px" />\n</mj-attributes></mj-head>';
    const body = '<mj-text mj-class="small">One <b>two</b> three</mj-text>';
    const mjml = `<mjml>${head}<mj-body><mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`;
    const [tiny, ...others] = await diagnostics({ "x.mjml": mjml });
    expect(tiny).toMatchObject({ rule: "tiny-text", at: { line: 2, column: 24 } });
    expect(tiny?.message).toMatch(/^"One" is 6 pixels high: /);
    expect(others).toEqual([]);
  });

  it.each([
    '<p>Hello {{name}}</p><img src="https://a.example/open.gif?id={{id}}" width="1" height="1" alt="">',
    '<p>a</p><script type="application/ld+json">{ "@context": "http://schema.org" }</script>',
    link("https://www.paypal.com/x") + link("https://github.com") + link("https://amazon.co.uk"),
    link("https://münchen.example") + link("https://москва.example"),
    link("https://cdn1.shop.example") + link("https://cdn2.shop.example"),
    link("https://apply.example") + link("https://outlook.office.com") + link("https://chaser.example"),
    link("https://a.example/app.dmg") + link("https://a.example.com") + link("https://a.example/file.com/x"),
    '<p style="font-size:0;line-height:0">&nbsp;</p><p style="font-size:12px">Small print</p>',
    '<div style="font-size:0"><p style="font-size:16px">Hello there, you</p></div>',
    "<p>This is urgent. It is a one-time code for your family.</p>",
    "<p>Your money was sent back, as we guarantee.</p><p>Credit card: {{card}}</p><p>Dear {{name}},</p>",
    "<p>می\u200Cخواهم 👩\u200D💻 Donau\u00ADdampf\u00ADschiff</p>",
    '<input type="checkbox" id="more"><label for="more">More</label>',
    '<div style="display:none"> &nbsp;&zwnj; </div>',
    `<p>${"your order, ".repeat(20)}</p><p>VAT ID AND IBAN</p>`,
  ])("accepts %s", async (body) => {
    expect(await found(body)).toEqual([]);
  });

  it.each([
    ["stripped-element error", "<script>\nx()</script>"],
    ["event-handler error", '<a onclick="x()" href="https://a.example">Open</a>'],
    ["stripped-element error", '<iframe src="https://a.example"></iframe>'],
    ["stripped-element error", '<object data="https://a.example/x.swf"><embed src="https://a.example/x.swf"></object>'],
    ["stripped-element warning", '<base href="https://a.example">'],
    ["stripped-element error", '<meta http-equiv="Refresh" content="0; url=https://a.example">'],
    ["stripped-element warning", '<form action="https://a.example"><input name="a"><button>Send</button></form>'],
    ["stripped-element warning", '<input name="a">'],
    ["hidden-text warning", '<div style="display:none">a hidden text here</div>'],
    ["hidden-text warning", '<div style="max-height:0;overflow:hidden"><b>a hidden text here</b></div>'],
    ["hidden-text warning", '<span style="font-size:0">a hidden text here</span>'],
    ["tiny-text warning", '<p style="font-size:2px">Terms of use</p>'],
    ["invisible-characters warning", "<p>your f\u200Bile</p>"],
    ["invisible-characters warning", "<p>your f\uFEFFile</p>"],
    ["invisible-characters warning", "<p>your \u202Eelif</p>"],
    ["tiny-text info", '<p style="font-size:9px">Terms of use</p>'],
    ["suspicious-link warning", link("https://203.0.113.7/pay")],
    ["suspicious-link warning", link("https://3405803783/pay")],
    ["suspicious-link warning", link("https://0xcb.0.113.7/")],
    ["suspicious-link warning", link("https://0313.0.0161.07/")],
    ["suspicious-link warning", link("https://0xcb007107/")],
    ["suspicious-link warning", link("https://a.example/setup.exe?x=1")],
    ["spam-wording info", "<p>Dear Friend, act now</p>"],
    ["spam-wording info", "<p>You get 100% guaranteed results</p>"],
    ["spam-wording info", "<p>ACT NOW and win</p>"],
    ["spam-wording info", "<p>Dear traveller, your seat is booked</p>"],
    ["spam-wording info", "<p>A one-time charge of 4 EUR is on your card</p>"],
    ["spam-wording info", "<p>You have unclaimed rewards</p>"],
    ["spam-wording info", "<p>An urgent request for a signature</p>"],
    ["spam-wording info", `<p>${"THIS IS YOUR ORDER. ".repeat(10)}</p>`],
  ])("%s: %s", async (expected, body) => {
    expect(await found(`<p>Hello</p>\n${body}`)).toEqual([expect.stringMatching(`^${expected} x\\.html:15:`)]);
  });

  it("points to the exact place", async () => {
    expect(await found('<p>a</p>\n  <a href="https://a.example"\n    onclick="x()">Open</a>')).toEqual([
      "event-handler error x.html:16:5",
    ]);
    expect(await found("<p>a</p>\n  <p>Well,\n  dear friend</p>")).toEqual(["spam-wording info x.html:16:3"]);
    expect(await found('<p>a</p>\n  <div style="display:none">a hidden text here</div>')).toEqual([
      "hidden-text warning x.html:15:29",
    ]);
  });

  it("suspicious-link: one letter off what the other links lead to", async () => {
    const links = link("https://fernhill.example/a") + link("https://www.fernhill.example/b");
    expect(await found(`${links}\n${link("https://fernhil.example/c")}`)).toEqual([
      expect.stringMatching("^suspicious-link warning x.html:15:"),
    ]);
    expect(await found(`${links}\n${link("https://fernhi1l.example/c")}`)).toHaveLength(1);
    expect(await found(links + link("https://fernhill.com"))).toEqual([]);
  });

  it("hidden-text: accepts a preheader in each of two bodies", async () => {
    const body = (words: string) => `<div style="display:none">A preheader of ${words}</div><p>${words}</p>`;
    const hidden = async (html: string) => {
      const files = { "x/x.html": html, "x/fixtures/default.json": '{ "late": true, "other": true }' };
      return (await findings(files)).filter((each) => each.startsWith("hidden-text"));
    };
    const [late, onTime] = [`{{#late}}${body("late")}{{/late}}`, body("on time")];
    expect(await hidden(`${late}{{^late}}${onTime}{{/late}}`)).toHaveLength(0);
    expect(await hidden(`${late}{{#other}}${onTime}{{/other}}`)).toHaveLength(1);
  });

  it("hidden-text: accepts text that a style sheet may show", async () => {
    const head = "<style>@media (max-width: 480px) { .phone { display: block !important } }</style>";
    expect(await found('<p>a</p><div class="phone" style="display:none">a hidden text here</div>', head)).toEqual([]);
    expect(await found('<p>a</p><div class="other" style="display:none">a hidden text here</div>', head)).toHaveLength(
      1,
    );
    const inPhone = '<p>a</p><div class="phone">a <span style="display:none">hidden text here</span></div>';
    expect(await found(inPhone, head)).toHaveLength(1);
    const column =
      '<div class="phone" style="font-size:0"><p style="font-size:16px">a</p><p hidden>hidden text here</p></div>';
    expect(await found(column, head.replace("display: block", "font-size: 24px"))).toHaveLength(1);
    const smaller = head.replace("display: block", "font-size: 24px");
    expect(
      await found('<p>a</p><div class="phone" style="display:none">a hidden text here</div>', smaller),
    ).toHaveLength(1);
  });

  it("invisible-characters: accepts one that prevents automatic links", async () => {
    expect(await found("<p>123 Addr&zwnj;ess, 9&zwnj;am</p>")).toEqual([]);
    expect(await found("<p>a f\u200Ci\u200Cle</p>")).toHaveLength(1);
  });

  it("stripped-element: accepts MJML's own inputs", async () => {
    const navbar =
      '<mj-navbar hamburger="hamburger"><mj-navbar-link href="https://a.example">Open</mj-navbar-link></mj-navbar>';
    expect(await findings({ "x.mjml": inColumn(`<mj-text>a</mj-text>${navbar}`) })).toEqual([]);
    expect(await findings({ "x.mjml": inColumn("<mj-text>a\n<input></mj-text>") })).toEqual([
      "stripped-element warning x.mjml:3:1",
    ]);
  });

  it("event-handler: reports handlers that React leaves out", async () => {
    const component = (shown: string) => `const Card = ({ onEmpty, children }: any) => <p>{children}{onEmpty}</p>;
export default () => (
  <html><body>
    ${shown}
  </body></html>
);`;
    const handlers = async (shown: string) =>
      (await findings({ "x.tsx": component(shown) })).filter((each) => each.includes("event-handler"));
    expect(await handlers('<a href="https://a.example" onClick={() => open()}>Open</a>')).toEqual([
      "event-handler warning x.tsx:4:33",
    ]);
    expect(await handlers('<img src="https://a.example/a.png"\n alt="A" onLoad={console.log} />')).toEqual([
      "event-handler warning x.tsx:5:10",
    ]);
    expect(await handlers('<Card onEmpty="Nothing">Hello</Card><p data-on={"x"} once={1 as any}>Hello</p>')).toEqual(
      [],
    );
  });

  it("accepts MJML's own components", async () => {
    const image = '<mj-carousel-image src="https://a.example/b.png" alt="" />';
    const accordion =
      "<mj-accordion><mj-accordion-element><mj-accordion-title>Why?</mj-accordion-title><mj-accordion-text>Because.</mj-accordion-text></mj-accordion-element></mj-accordion>";
    expect(await findings({ "x.mjml": inColumn(`<mj-carousel>${image}${image}</mj-carousel>${accordion}`) })).toEqual(
      [],
    );
  });

  it("spam-wording: knows what is counted in subjects alone", async () => {
    const files = { "x/x.html": page("<p>a</p>"), "x/template.json": '{ "subject": "Your family plan begins today" }' };
    expect((await diagnostics(files)).map(({ message }) => message)).toEqual([
      '"Your family" raises spam scores (SpamAssassin\'s rule SUBJ_YOUR_FAMILY).',
    ]);
  });

  it("spam-wording: looks at the subject, too", async () => {
    const files = { "x/x.html": page("<p>a</p>"), "x/template.json": '{\n  "subject": "Buy your ticket"\n}' };
    const [finding] = await diagnostics(files);
    expect(finding?.message).toBe('"Buy" raises spam scores (SpamAssassin\'s rule SUBJ_BUY).');
    expect(finding?.at).toMatchObject({ line: 2, column: 14 });
  });
});
