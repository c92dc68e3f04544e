import { describe, expect, it } from "vitest";
import { inColumn } from "../render/project.js";
import { page, useFindings, rulesOf } from "./findings.js";

const { diagnostics, findings } = useFindings(rulesOf("links"));

/** The findings in a body, each as `rule severity line:column`. */
async function found(body: string, head = ""): Promise<string[]> {
  const all = await diagnostics({ "x.html": page(body, head) });
  return all.map(({ rule, severity, at }) => `${rule} ${severity} ${at?.line}:${at?.column}`);
}

const link = (address: string, text = "Your order") => `<p>Hello</p>\n<a href="${address}">${text}</a>`;
const image = (address: string, more = ' width="10" height="10"') => `<img src="${address}" alt="A"${more}>`;

describe("links", () => {
  it.each([
    "https://a.example",
    "HTTPS://a.example/b?c=d&amp;e=f#g",
    "https://a.example/{{id}}?x={{y}}",
    "https://{{tenant}}.shop.example/",
    "{{url}}",
    "{{{url}}}",
    "{{#live}}https://a.example{{/live}}{{^live}}https://b.example{{/live}}",
    "{{base}}/pay",
    "mailto:ada@a.example",
    "mailto:ada@a.example,bob@a.example?subject=Hi%20there&amp;body=x",
    "mailto:{{email}}?subject=x",
    "mailto:?subject=x",
    "tel:+44-20-7946-0000",
    "tel:112",
    "tel:{{phone}}",
    "sms:+442079460000?body=x",
    "slack://channel?id=1",
    "myapp:open",
    "https://münchen.example/straße",
    "https://a.example/path(1)/x,y;z",
    "https://a.example:8443/x",
    "https://ada@a.example/",
    "https://ada.lovelace@a.example/",
    "https://a.{{ending}}/x",
    "https://a.example/nullable/undefined-behaviour?x=nulls",
    "https://a.example/{{id}}?x=a%20b",
  ])("accepts %s", async (address) => {
    expect(await found(link(address))).toEqual([]);
  });

  it.each([
    ["empty-link error", ["", " "]],
    ["empty-link warning", ["#", "#!", "{{#url}}{{url}}{{/url}}"]],
    ["anchor-missing warning", ["#prices", "#a%20b"]],
    [
      "unreachable-address error",
      [
        "http://localhost:3000/pay",
        "localhost:3000/pay",
        "//127.0.0.1/pay",
        "https://192.168.1.10/x",
        "http://10.0.0.4",
        "https://172.20.1.1/",
        "http://[::1]/",
        "https://printer.local/",
        "https://shop.test/{{id}}",
        "https://intranet/pay",
        "https://a1b2.ngrok-free.app/pay",
        "file:///home/ada/pay.html",
      ],
    ],
    ["relative-address error", ["/pay", "pay.html", "../pay", "?x=1", "www.a.example/pay", "pay/{{id}}"]],
    ["relative-address warning", ["//a.example/pay"]],
    [
      "malformed-address error",
      [
        "htp://a.example",
        "htps://a.example",
        "htttps://a.example",
        "ttps://a.example",
        "https:/a.example",
        "https:a.example",
        "https//a.example",
        "https;//a.example",
        "https:\\\\a.example",
        "https://https://a.example",
        "https://http://a.example",
        "https://",
        "https:///a",
        "://a.example",
        "https://a example.com",
        "https://a.example/my order",
        "https://a..example/",
        "https://a.example/?a=1&amp;amp;b=2",
        "https://a.example/“x”",
        "https://www,a.example",
        "mailto:ada",
        "mailto:ada@localhost",
        "mailto://ada@a.example",
        "mailto:ada@a.example;bob@a.example",
        "mailto:Ada &lt;ada@a.example>",
        "mailto:",
        "mailto:ada@a.example?subject=x?body=y",
        "maito:ada@a.example",
        "tel:",
        "tel:call-me",
        "tel://112",
      ],
    ],
    ["refused-scheme error", ["javascript:void(0)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x"]],
    ["insecure-address warning", ["http://a.example/pay", "http://{{host}}/pay", "HTTP://a.example"]],
    ["suspicious-link warning", ["https://bit.ly/3xYz", "https://www.tinyurl.com/abc"]],
    ["placeholder-address warning", ["https://placehold.co/600x400", "https://via.placeholder.com/1"]],
    [
      "placeholder-address warning",
      ["https://yourdomain.com", "https://www.yourcompany.com/x", "https://mysite.com", "mailto:ada@yoursite.com"],
    ],
    [
      "malformed-address warning",
      [
        "mailto:ada@a.example?subject=My order",
        "https://a.example/orders/undefined",
        "ftp://a.example/x",
        "https://a.example/x?a=1?b=2",
        "https://a.example/100%",
        "https://a.example/null/x",
        "https://a.example/[object%20Object]",
        "https://a.example/x?id=NaN&amp;y=1",
      ],
    ],
    [
      "malformed-address error",
      [
        "mailto:ada@a.example&subject=Hi",
        "mailto: ada@a.example",
        "https://northlight.con/x",
        "https://www.northlight.cmo",
        "mailto:{{email}}&subject=Hi",
        "mail:ada@a.example",
        "https://northlight.io@evil.example/",
        "https://northlight.i/x",
      ],
    ],
    ["unreachable-address error", ["C:\\mail\\order.html", "d:/mail/order.html"]],
    ["placeholder-address info", ["https://example.com/x", "https://www.example.org", "mailto:ada@example.com"]],
  ])("%s", async (expected, addresses) => {
    for (const address of addresses)
      expect([address, ...(await found(link(address)))]).toEqual([address, `${expected} 15:4`]);
  });

  it("placeholder-address: reports a URL that only the text body has", async () => {
    const files = {
      "x/x.html": page("<p>Hello</p>"),
      "x/x.txt": "Hello\n\nYour order: https://example.com/orders.\n",
    };
    expect(await findings(files)).toEqual(["placeholder-address info x.txt:3:13"]);
  });

  it("malformed-address: accepts URLs that may be intended", async () => {
    for (const address of [
      "https://a.example/?next=https://b.example/?a=1",
      "https://a.example/?id=1&id=2&utm_source_platform=a&utm_id=b",
      "https://a.example/100%25?q={{q}}%20b",
      "https://a.example/a.con",
    ])
      expect(await found(link(address))).toEqual([]);
  });

  it.each([
    image("https://a.example/logo.pgn"),
    image("https://a.example/logo.jepg?v=2"),
    image("{{cdn}}/logo.gfi"),
    image("https://a.example/logo.html"),
    '<table role="presentation" background="https://a.example/a/b.jgp"><tr><td>Hello</td></tr></table>',
    '<p style="background-image: url(https://a.example/b.pngg)">Hello</p>',
    link("https://a.example/x&amp;utm_source=mail").replace("\n", ""),
  ])("malformed-address: warns about %s", async (body) => {
    expect(await found(`<p>x</p>\n${body}`)).toEqual([expect.stringMatching("^malformed-address warning 15:")]);
  });

  it.each([
    image("https://a.example/logo"),
    image("https://a.example/logo.php?x=a.pgn"),
    image("https://a.example/logos/shop.example.ng"),
    image("https://a.example/logo.svgz"),
    image("https://a.example/logo.{{kind}}"),
    image("https://a.example/open.ping"),
    link("https://a.example/page.html"),
    link("https://a.example/files/logo.pgn"),
    link("https://a.example/x?a=1&amp;utm_source={{source}}"),
    link("mailto:ada@a.example?subject=x&amp;cc=bob@a.example&amp;in-reply-to=y"),
  ])("malformed-address: does not warn about %s", async (body) => {
    expect(await found(body)).toEqual([]);
  });

  it("malformed-address: reports a mistyped scheme in the text body", async () => {
    const files = { "x/x.html": page("<p>Hello</p>"), "x/x.txt": "Hello\n\nYour order: htps://a.example/orders\n" };
    expect(await findings(files)).toEqual(["malformed-address error x.txt:3:13"]);
  });

  it("suspicious-link: reports a phone number that differs from the one in the text", async () => {
    expect(await found(link("tel:+441170000001", "0117 000 0000"))).toEqual(["suspicious-link warning 15:4"]);
    expect(await found(link("tel:+441170000000", "0117 000 0000"))).toEqual([]);
    expect(await found(link("tel:+441170000000", "Call us"))).toEqual([]);
  });

  it("empty-link: reports an anchor without a URL only if it shows something", async () => {
    expect(await found("<p>a</p>\n<a>Pay</a>")).toEqual(["empty-link warning 15:1"]);
    expect(await found('<a name="top"></a><a id="b"></a>')).toEqual([]);
  });

  it("empty-link: accepts a URL that a component makes", async () => {
    const body = `interface Props { base: string; url?: string }
export default function X({ base, url }: Props) {
  return <html lang="en"><head><title>Hi</title></head><body><a href={new URL(url ?? base) as unknown as string}>Pay</a></body></html>;
}`;
    const files = { "x/x.tsx": body, "x/fixtures/default.json": '{ "base": "https://a.example/" }' };
    expect(await findings(files)).toEqual([]);
  });

  it("empty-link: reports an MJML button without a URL", async () => {
    const button = (more: string) => inColumn(`<mj-text>a</mj-text>\n<mj-button${more}>Pay</mj-button>`);
    expect(await findings({ "x.mjml": button("") })).toEqual(["empty-link warning x.mjml:3:1"]);
    expect(await findings({ "x.mjml": button(' href="https://a.example"') })).toEqual([]);
    expect(await findings({ "x.mjml": button(' href="{{url}}"') })).toEqual([]);
  });

  it("ignores links that MJML adds", async () => {
    const images = ["a", "b"]
      .map((name) => `<mj-carousel-image src="https://a.example/${name}.png" alt="" />`)
      .join("");
    expect(await findings({ "x.mjml": inColumn(`<mj-carousel>${images}</mj-carousel>`) })).toEqual([]);
  });

  it("anchor-missing: accepts an anchor that exists or that a tag may print", async () => {
    expect(await found(`${link("#prices")}<h2 id="prices">Prices</h2>`)).toEqual([]);
    expect(await found(`${link("#prices")}<a name="prices"></a>`)).toEqual([]);
    expect(await found(`${link("#prices")}<h2 id="{{id}}">Prices</h2>`)).toEqual([]);
    expect(await found(link("#top"))).toEqual([]);
  });

  it("reports a mistake in only one form of a URL", async () => {
    expect(await found(link("{{#live}}https://a.example{{/live}}{{^live}}http://localhost{{/live}}/x"))).toEqual([
      "unreachable-address error 15:4",
    ]);
  });

  it("checks the URLs of a hand-written text body and its parts", async () => {
    const files = {
      "x/x.html": page("<p>Hello</p>"),
      "x/x.txt":
        "See (https://a.example/x), <https://b.example/{{ id }}>… {{#live}}https://c.example{{/live}}.\nhttp://localhost:3000/x\nHere: https://bit.ly/x!\n{{> _end}}",
      "_end.txt": "Bye\n http://d.example/x.",
    };
    const all = await diagnostics(files);
    expect(all.map(({ rule, at }) => `${rule} ${at?.line}:${at?.column}`)).toEqual([
      "insecure-address 2:2",
      "suspicious-link 3:7",
      "unreachable-address 2:1",
    ]);
    expect(all[0]?.message).toMatch("http://d.example/x uses http");
    expect(all[0]?.edits).toMatchObject([{ at: { line: 2, column: 2 }, remove: "http:", insert: "https:" }]);
  });

  it("checks URLs that only Outlook sees, and reports shared ones once", async () => {
    const outlook = '<!--[if mso]>\n<v:fill src="http://a.example/b.png" /><![endif]-->';
    expect(await found(outlook)).toEqual(["insecure-address warning 15:9"]);
    expect(await found(`${outlook}<p style="background:url(http://a.example/b.png)">a</p>`)).toEqual([
      "insecure-address warning 15:62",
    ]);
  });

  it("empty-link: leaves the name out for a link without text", async () => {
    const [finding] = await diagnostics({ "x.html": page('<a href="#"><span></span></a>') });
    expect(finding?.message).toBe("The link leads nowhere: its URL is #.");
  });

  it("insecure-address: can be fixed", async () => {
    const [finding] = await diagnostics({ "x.html": page(link("http://a.example/pay")) });
    expect(finding?.edits).toMatchObject([{ at: { line: 15, column: 10 }, remove: "http:", insert: "https:" }]);
  });

  it("insecure-address: can be fixed in a component", async () => {
    const react = (href: string) =>
      diagnostics({
        "x/x.tsx": `import { Button } from "@react-email/components";
export default (props: { id: string }) => <html><body>
<Button href=${href}>Pay</Button></body></html>;`,
        "x/fixtures/default.json": '{ "id": "a" }',
      });
    const edit = { remove: "http:", insert: "https:" };
    for (const [href, column] of [
      ['"http://a.example/pay"', 15],
      ['{"http://a.example/pay"}', 16],
      ["{`http://a.example/${props.id}`}", 16],
    ] as const) {
      const [finding] = await react(href);
      expect(finding?.edits).toMatchObject([{ at: { line: 3, column }, ...edit }]);
    }
    expect((await react("{`${'http'}://a.example/${props.id}`}"))[0]?.edits).toBe(undefined);
  });

  it("reports spaces in mailto: once, and leaves the syntax of other template engines to foreign-syntax", async () => {
    const mail = link("mailto: ada@a.example;", "ada@a.example");
    expect(await found(mail)).toEqual(["malformed-address error 15:4"]);
    expect(await found(link("<%asm_unsubscribe_url%>"))).toEqual([]);
    expect(await found(link("*|UNSUB|*"))).toEqual([]);
  });

  it("suspicious-link: reports a text that names another URL", async () => {
    const expected = ["suspicious-link warning 15:4"];
    expect(await found(link("https://b.example/x", "https://a.example/x"))).toEqual(expected);
    expect(await found(link("https://b.example/x", "Open https://a.example/x now"))).toEqual(expected);
    expect(await found(link("https://b.example/x", "<b>www.a.example</b>"))).toEqual(expected);
    expect(await found(link("https://b.example/x", "a.example"))).toEqual(expected);
    expect(await found(link("https://{{id}}.example/x", "https://a.example"))).toEqual([]);
    expect(await found(link("mailto:ada@b.example", "ada@a.example"))).toEqual(expected);
    expect(await found(link("mailto:ada@b.example", "https://www.a.example"))).toEqual(expected);
    expect(await found(link("mailto:ada@a.example", "www.a.example"))).toEqual([]);
  });

  it.each([
    ["https://www.a.example/x", "a.example"],
    ["https://pay.a.example/x", "https://a.example"],
    ["{{url}}", "https://a.example"],
    ["https://a.example/{{id}}", "https://a.example/{{id}}"],
    ["https://nodejs.example", "Node.js"],
    ["https://a.example/x", "Open https://a.example, please."],
    ["https://a.example/x", "receipt.pdf"],
    ["https://a.example/x", "{{url}}"],
    ["mailto:ada@a.example", "Ada@a.example"],
    ["mailto:ada@a.example", "Write to us"],
  ])("suspicious-link: accepts a link to %s with the text %s", async (address, text) => {
    expect(await found(link(address, text))).toEqual([]);
  });
});

describe("images", () => {
  it.each([
    image("https://a.example/b.png"),
    image("{{url}}"),
    image("https://a.example/{{id}}.png"),
    image("https://a.example/b", ' height="20"'),
    image("https://a.example/pixel.gif", ' style="display:none"'),
    '<table background="https://a.example/b.png"><tr><td style="background: url(\'https://a.example/b.png\')">a</td></tr></table>',
  ])("accepts %s", async (body) => {
    expect(await found(body)).toEqual([]);
  });

  it.each([
    ["empty-image error", '<img alt="A" width="1" src="">'],
    ["insecure-address warning", image("http://a.example/b.png")],
    ["insecure-address warning", '<table background="http://a.example/b.png"><tr><td>a</td></tr></table>'],
    ["insecure-address warning", '<p style="background-image:url(http://a.example/b.png)">a</p>'],
    ["image-dimensions warning", image("https://a.example/b.png", "")],
    ["image-dimensions info", image("https://a.example/b.png", ' style="max-width:100%"')],
    ["image-attachment info", image("cid:logo")],
    ["image-attachment error", image("cid:")],
    ["relative-address error", image("/logo.png")],
    ["unreachable-address error", image("http://localhost:3000/logo.png")],
    ["malformed-address error", image("https:/a.example/logo.png")],
  ])("%s: %s", async (expected, body) => {
    expect((await found(`<p>a</p>\n${body}`)).map((each) => each.replace(/ 15:\d+$/, ""))).toEqual([expected]);
  });

  it("relative-address: is an info for images without a base URL", async () => {
    const files = { "x.html": page(image("_assets/a.png")), "_assets/a.png": "" };
    expect(await findings(files)).toEqual([expect.stringMatching(/^relative-address info x\.html/)]);
    expect(await findings(files, { assets: { baseUrl: "https://cdn.example" } })).toEqual([]);
    expect(await findings(files, { assets: { baseUrl: "https://cdn.example.com" } })).toEqual([]);
  });

  it("relative-address: suggests the _assets folder for an image", async () => {
    const [finding] = await diagnostics({ "x.html": page(image("/static/a.png")) });
    expect(finding?.hint).toContain("write ../_assets/a.png.");
  });

  it("checks the URLs of a style sheet", async () => {
    expect(await found("<p>a</p>", "<style>.a { background: url(http://a.example/b.png) }</style>")).toEqual([
      "insecure-address warning 9:13",
    ]);
  });
});

describe("the place of a URL", () => {
  it("is known for images, styles and backgrounds", async () => {
    expect(await found('<p>a</p>\n  <img alt="A"\n    src="/a.png" width="1">')).toEqual([
      "relative-address error 16:5",
    ]);
    expect(await found('<p>a</p>\n  <td\n    background="/a.png">a</td>')).toEqual(["relative-address error 16:5"]);
    expect(await found('<p>a</p>\n  <p style="color: red;\n    background: url(/a.png)">a</p>')).toEqual([
      "relative-address error 16:5",
    ]);
  });

  it("is known in MJML", async () => {
    const body =
      '<mj-text>Hi</mj-text>\n<mj-button\n  href="http://localhost/pay">Pay</mj-button>\n<mj-image src="/a.png" alt="" />';
    expect(await findings({ "x.mjml": inColumn(body) })).toEqual([
      "relative-address error x.mjml:5:11",
      "unreachable-address error x.mjml:4:3",
    ]);
    const font =
      '<mjml><mj-head>\n<mj-font name="A"\n  href="http://fonts.example/a" /></mj-head><mj-body><mj-section><mj-column><mj-text font-family="A">a</mj-text></mj-column></mj-section></mj-body></mjml>';
    expect(await findings({ "x.mjml": font })).toEqual(["insecure-address warning x.mjml:3:3"]);
    const section =
      '<mjml><mj-body><mj-section\n  background-url="/a.png"><mj-column><mj-text>a</mj-text></mj-column></mj-section></mj-body></mjml>';
    expect(await findings({ "x.mjml": section })).toEqual(["relative-address error x.mjml:2:3"]);
  });

  it("is known in React, also in a shared component", async () => {
    const files = {
      "x.tsx": `import { Action } from "./_action";
export default function Email({ url }) {
  return <html><body>
    <a href="http://localhost/pay">Pay</a>
    <Action href="/pay" />
  </body></html>;
}
Email.PreviewProps = { url: "https://a.example" };`,
      "_action.tsx": `export function Action({ href }) {
  return <a
    href={href}>Open</a>;
}`,
    };
    expect(await findings(files)).toEqual(["relative-address error x.tsx:5:18", "unreachable-address error x.tsx:4:8"]);
  });

  it("is where the template uses a shared component with the same text", async () => {
    const files = {
      "x.tsx": `import { Action } from "./_action";
export const subject = "Hi";
export default function Email({ id }) { return <html lang="en"><body>
<Action href="https://a.example">Home</Action>
<Action href="#">Your order</Action>
<Action
  href={\`http://a.example/\${id}\`}>
  Your receipt {id}
</Action>
<Action href={\`/\${id}\`}>Again</Action><Action href={\`/b/\${id}\`}>Again</Action>
</body></html>; }
Email.PreviewProps = { id: "a" };`,
      "_action.tsx": `export function Action({ href, children }) {
  return <a
  href={href}>{children}</a>;
}`,
    };
    expect(await findings(files)).toEqual([
      "empty-link warning x.tsx:5:9",
      "insecure-address warning x.tsx:7:3",
      "relative-address error _action.tsx:3:3",
      "relative-address error _action.tsx:3:3",
    ]);
  });
});
