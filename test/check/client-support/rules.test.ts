import { describe, expect, it } from "vitest";
import { supportData } from "../../../src/check/client-support/data.js";
import { page, useFindings, rulesOf } from "../findings.js";

const { findings, diagnostics } = useFindings(rulesOf("client-support"));

const mjml = (body: string, head = ""): string =>
  `<mjml>\n<mj-head><mj-title>Hi</mj-title>${head}</mj-head>\n<mj-body>\n${body}\n</mj-body>\n</mjml>\n`;
const inColumn = (body: string): string => mjml(`<mj-section><mj-column>\n${body}\n</mj-column></mj-section>`);
const tsx = (body: string, head = ""): string =>
  `import { Body, Button, Container, Head, Html, Img, Preview, Section, Tailwind, Text } from "@react-email/components";\n${head}
export const subject = "Hi";
export default function Email() {
  return (
    <Html lang="en"><Head /><Body><Preview>Hello</Preview><Container>
${body}
    </Container></Body></Html>
  );
}
`;

describe("a style that several elements share", () => {
  it("is checked with the other attributes of each element", async () => {
    const cell = (attributes: string): string =>
      `<table role="presentation" ${attributes}style="background: url(https://example.com/a.webp)"><tr><td>a</td></tr></table>`;
    const [coloured, plain] = [cell('bgcolor="#ffffff" '), cell("")];
    const lines = async (body: string) =>
      (await findings({ "x.html": page(body) })).filter((each) => /warning/.test(each));
    expect(await lines(coloured)).toEqual([]);
    expect(await lines(`${coloured}\n${plain}`)).toEqual([expect.stringContaining("x.html:15")]);
  });
});

describe("client-unsupported in HTML", () => {
  it.each<[string, string, string]>([
    ["a layout that breaks in one client", '<div\n  style="color: red; display: flex">a</div>', "warning x.html:15:22"],
    ["positioning", '<p style="position: fixed">a</p>', "warning x.html:14:11"],
    ["video", '<p>a</p><video src="https://example.com/a.mp4"></video>', "warning x.html:14:9"],
    ["SVG", "<p>a</p>\n<svg></svg>", "warning x.html:15:1"],
    [
      "image formats that few clients support",
      '<img alt="a"\n src="https://example.com/a.webp">',
      "warning x.html:15:2",
    ],
    ["images in data URLs", '<img alt="a" src="data:image/png;base64,AAAA">', "warning x.html:14:14"],
    ["variables", '<p style="color: var(--brand)">a</p>', "warning x.html:14:11"],
    ["calculations", '<td style="width: calc(100% - 1px)">a</td>', "warning x.html:14:12"],
    ["units", '<p style="font-size: 2rem">a</p>', "info x.html:14:11"],
    ["an enhancement that most clients lack", '<p style="text-shadow: 1px 1px red">a</p>', "info x.html:14:11"],
    ["hidden content", "<p hidden>a</p>", "warning x.html:14:4"],
  ])("reports %s", async (_, body, expected) => {
    expect(await findings({ "x.html": page(body) })).toContain(`client-unsupported ${expected}`);
  });

  it.each([
    '<form action="https://a.example"><input name="a"></form>',
    "<button>a</button>",
    '<base href="https://a.example/">',
  ])("leaves elements with a separate rule to that rule: %s", async (body) => {
    expect(await findings({ "x.html": page(body) })).toEqual([]);
  });

  it("reports stylesheets at their source position", async () => {
    const head = "<style>@import url(a.css); .a:hover { color: red } .b { display: grid; color: red }</style>";
    const results = await diagnostics({ "x.html": page('<p class="a">a</p>', head) });
    expect(results.map(({ rule, severity, at, message }) => [rule, severity, at?.line, at?.column, message])).toEqual([
      [
        "client-unsupported",
        "warning",
        9,
        57,
        expect.stringMatching(/^`display: grid` is not supported by 1 of 14 email clients: Outlook \(Windows\)/),
      ],
      ["client-unsupported", "warning", 9, 8, expect.stringMatching(/^`@import .* 11 of 14 email clients/)],
    ]);
  });

  it("reports each line of a stylesheet", async () => {
    const files = {
      "x.html": page('<p class="a">a</p>', "{{> _styles}}"),
      "_styles.html": "<style>\n.a { display: grid }\n.b { display: grid }\n.c { display: block }\n</style>",
    };
    expect(await findings(files)).toEqual([
      "client-unsupported warning _styles.html:2:6",
      "client-unsupported warning _styles.html:3:6",
    ]);
  });

  it("reports comments in rules and style attributes only for clients that drop the CSS around them", async () => {
    const files = {
      "x.html": page(
        '<p class="a" style="color: red; /* b */ margin: 4px">a</p>',
        "<style>/* fine */ .a { color: red; /* b */ }</style>",
      ),
    };
    expect(await findings(files)).toEqual([]);
    const settings = { clients: ["orange"] };
    expect((await findings(files, { settings })).filter((each) => /9:36|14:14/.test(each))).toEqual([
      "client-unsupported warning x.html:9:36",
      "client-unsupported warning x.html:14:14",
    ]);
    const results = await findings(files, { settings: { clients: ["mail-ru"] } });
    expect(results.filter((each) => each.startsWith("client-"))).toEqual(["client-unsupported warning x.html:14:14"]);
  });

  it("reports nested rules", async () => {
    const results = await findings({
      "x.html": page("<p>a</p>", "<style>p { color: red; & b { color: blue } }</style>"),
    });
    expect(results).toEqual(["client-unsupported warning x.html:9:24"]);
  });

  it("reports each feature once per line, with all clients", async () => {
    const body = '<p style="display: flex">a</p><p style="display: flex">b</p>\n<p style="display: flex">c</p>';
    const results = await diagnostics({ "x.html": page(body) });
    expect(results.map(({ at }) => at?.line)).toEqual([14, 15]);
    expect(results[0]?.message).toBe("`display: flex` is not supported by 1 of 14 email clients: Outlook (Windows).");
    expect(results[0]?.hint).toBe(
      `Use tables for layout: they work everywhere. Source: caniemail, ${supportData().date}: https://www.caniemail.com/features/css-display-flex/`,
    );
  });

  it("checks the clients in the configuration", async () => {
    const body = '<p style="border-radius: 4px">a</p>';
    expect(await findings({ "x.html": page(body) })).toEqual([]);
    const results = await diagnostics({ "x.html": page(body) }, { settings: { clients: ["outlook.windows"] } });
    expect(results.map(({ message }) => message)).toEqual([
      "`border-radius: 4px` is not supported by Outlook (Windows).",
    ]);
    expect(
      await findings({ "x.html": page('<p style="display: flex">a</p>') }, { settings: { clients: ["apple-mail"] } }),
    ).toEqual([]);
  });

  it("does not report features that work, that hardly matter, or that target certain clients", async () => {
    const body = [
      '<table role="presentation" cellpadding="0" width="100%"><tr><td align="center" style="padding: 8px; border-radius: 4px; box-shadow: 0 1px 2px red">a</td></tr></table>',
      '<div style="max-width: 600px; margin: 0 auto; overflow: hidden; text-align: center">a</div>',
      '<a href="https://example.com" target="_blank" style="color: #0000ff; text-decoration: none; cursor: pointer">a</a>',
      '<a href="mailto:a@example.com">a</a> <a href="#">b</a>',
      '<p style="color: {{colour}}; width: {{width}}; overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; mso-hide: all">a</p>',
      '<img alt="a" width="100" height="20" src="https://example.com/a.png" style="display: block; max-width: 100%">',
      "<!--[if mso]><table><tr><td style='display:flex'>a</td></tr></table><![endif]-->",
      "<h2>a</h2><ul><li>a</li></ul><hr>",
    ].join("\n");
    const head =
      "<style>:root { color-scheme: light dark } @media (max-width: 480px) { .a { width: 100% !important } } @media (prefers-color-scheme: dark) { .a { color: #fff } } a:hover { color: red }</style>";
    expect(await findings({ "x.html": page(body, head) })).toEqual([]);
  });
});

describe("client-unsupported in context", () => {
  const styled = async (css: string): Promise<string[]> =>
    findings({ "x.html": page('<p class="a">a</p>', `<style>${css}</style>`) });

  it.each<[string, string]>([
    ["CSS in an at-rule that the same clients ignore", "@media (max-width: 600px) { td[class*='a'] { color: red } }"],
    ["CSS for dark mode that they ignore", "@media (prefers-color-scheme: dark) { .a { filter: invert(1) } }"],
    ["CSS with a selector that they ignore", "@supports (display: grid) { .a:not(.b) { aspect-ratio: 1 } }"],
    [
      "CSS that targets one client",
      "a[x-apple-data-detectors] { color: inherit } [data-ogsc] .a { color: red } u + .body { gap: 1px } div[style*='margin: 16px 0;'] { margin: 0 }",
    ],
    ["resets", ".a { float: none; transform: none; animation: none; position: static; filter: none }"],
    ["hidden elements", ".a { display: none; visibility: hidden; opacity: 0; max-height: 0 }"],
    ["a gradient with a fallback colour", ".a { background: #222; background: linear-gradient(red, blue) }"],
  ])("does not warn about %s", async (_, css) => {
    expect((await styled(css)).filter((finding) => !/ info /.test(finding))).toEqual([]);
  });

  it("reports CSS in a media query that the affected clients support", async () => {
    expect(await styled("@media (max-width: 600px) { .a { position: fixed } }")).toEqual([
      "client-unsupported warning x.html:9:41",
    ]);
  });

  it("rates the loss of a value no higher than that of its property", async () => {
    const withStyle = (style: string) => ({ "x.html": page(`<p style="${style}">Hello</p>`) });
    expect(await findings(withStyle("box-shadow: 0 1px var(--shade, #000)"))).not.toContainEqual(
      expect.stringContaining("warning"),
    );
    expect(await findings(withStyle("color: var(--ink)"))).toContainEqual(
      expect.stringContaining("client-unsupported warning"),
    );
  });

  it("warns about a gradient without a fallback colour", async () => {
    expect(await styled(".a { background: linear-gradient(red, blue) }")).toEqual([
      "client-unsupported warning x.html:9:13",
    ]);
  });

  it("reports an info once per template", async () => {
    const body = '<p style="font-size: 2rem">a</p>\n<p style="font-size: 1rem">b</p>\n<p style="margin: 1rem">c</p>';
    const results = await diagnostics({ "x.html": page(body) });
    expect(results.map(({ at }) => at?.line)).toEqual([14]);
    expect(results[0]?.hint).toContain("The same on 2 more lines: 15, 16.");
  });

  it("shows the relevant part of a long value", async () => {
    const shadows = "0 0 1px rgb(0, 0, 0), ".repeat(6);
    const results = await diagnostics({ "x.html": page(`<p style="box-shadow: ${shadows}var(--shadow)">a</p>`) });
    expect(results.map(({ message }) => message)).toEqual([expect.stringMatching(/^CSS Variables .*var\(--shadow\)/)]);
  });
});

describe("client-unsupported in MJML", () => {
  it("reports what a user wrote in HTML and mj-style", async () => {
    const head = "<mj-style>.a { position: absolute }</mj-style>";
    expect(
      await findings({
        "x.mjml": mjml(
          '<mj-section><mj-column><mj-text>\n<p style="display:flex">a</p></mj-text></mj-column></mj-section>',
          head,
        ),
      }),
    ).toEqual(["client-unsupported warning x.mjml:5:11", "client-unsupported warning x.mjml:2:48"]);
  });

  it("reports features that a component's attributes need", async () => {
    const head = '<mj-attributes><mj-text font-size="2rem" /></mj-attributes>';
    const body =
      '<mj-section><mj-column>\n<mj-image alt="a" src="https://example.com/a.webp" />\n<mj-text>a</mj-text></mj-column></mj-section>';
    expect(await findings({ "x.mjml": mjml(body, head) })).toEqual([
      "client-unsupported warning x.mjml:5:19",
      "client-unsupported info x.mjml:2:57",
    ]);
  });

  it("reports features in an included file", async () => {
    const files = {
      "x.mjml": inColumn('<mj-include path="./_part.mjml" />'),
      "_part.mjml": '<mj-text>\n <video src="https://example.com/a.mp4"></video></mj-text>',
    };
    expect(await findings(files)).toEqual(["client-unsupported warning _part.mjml:2:2"]);
  });

  it("does not report the HTML that MJML generates", async () => {
    const all = [
      '<mj-button href="https://example.com" border-radius="8px">a</mj-button><mj-image src="https://example.com/a.png" alt="a" />',
      '<mj-divider /><mj-spacer height="8px" /><mj-table><tr><td>a</td></tr></mj-table><mj-text>a</mj-text>',
      '<mj-social><mj-social-element name="x" href="https://example.com">a</mj-social-element></mj-social>',
      "<mj-accordion><mj-accordion-element><mj-accordion-title>a</mj-accordion-title><mj-accordion-text>a</mj-accordion-text></mj-accordion-element></mj-accordion>",
      '<mj-carousel><mj-carousel-image src="https://example.com/a.png" alt="a" /><mj-carousel-image src="https://example.com/b.png" alt="b" /></mj-carousel>',
      '<mj-navbar hamburger="hamburger"><mj-navbar-link href="https://example.com">a</mj-navbar-link></mj-navbar>',
    ];
    const hero =
      '<mj-hero background-url="https://example.com/a.png" background-height="100px"><mj-text>a</mj-text></mj-hero>';
    expect(await findings({ "x.mjml": inColumn(all.join("\n")), "y.mjml": mjml(hero) })).toEqual([]);
  });
});

describe("client-unsupported in React", () => {
  it("reports styles in the tag and in an object", async () => {
    const body = `      <div style={{ color: "red", display: "flex" }}>a</div>\n      <Text style={box}>a</Text>`;
    const head = `const box = {\n  transform: "rotate(2deg)",\n};`;
    expect(await findings({ "x.tsx": tsx(body, head) })).toEqual([
      "client-unsupported warning x.tsx:9:35",
      "client-unsupported warning x.tsx:3:3",
    ]);
  });

  it("reports elements, attributes and classes", async () => {
    const body = `      <Img alt="a" src="https://example.com/a.webp" />
      <video src="https://example.com/a.mp4" />
      <Tailwind><div className="flex">a</div><div className="flex">b</div></Tailwind>`;
    expect(await findings({ "x.tsx": tsx(body) })).toEqual([
      "client-unsupported warning x.tsx:7:20",
      "client-unsupported warning x.tsx:8:7",
      "client-unsupported warning x.tsx:9:17",
    ]);
  });

  it("does not report the HTML that components generate", async () => {
    const body = `      <Section><Text>a</Text><Button href="https://example.com" style={{ padding: 12, borderRadius: 4 }}>a</Button></Section>`;
    expect(await findings({ "x.tsx": tsx(body) })).toEqual([]);
  });
});

describe("client-unsupported", () => {
  it("quotes the note that applies", async () => {
    const results = await diagnostics({ "x.html": page('<p style="margin: -4px 0">a</p>') });
    expect(results.map(({ rule, severity, at }) => [rule, severity, at?.line, at?.column])).toEqual([
      ["client-unsupported", "info", 14, 11],
    ]);
    expect(results[0]?.message).toMatch(
      /^`margin: -4px 0` is supported only in part by \d+ of 14 email clients: .*: Negative values are not supported\./,
    );
    expect(results[0]?.hint).toContain(supportData().date);
  });

  it("warns about a value that costs the whole declaration in most clients", async () => {
    expect(await findings({ "x.html": page('<p style="color: rgb(0 128 0)">a</p>') })).toEqual([
      "client-unsupported warning x.html:14:11",
    ]);
  });

  it.each<[string, string, string]>([
    ["outlook.windows", "text-transform: lowercase", "text-transform: uppercase"],
    ["outlook.windows", "margin: 4px; background-color: red", "margin: 4px"],
    ["yahoo.ios", "text-align: match-parent", "text-align: center"],
  ])("reports for %s only what a note is about: %s", async (client, affected, fine) => {
    const finding = (value: string): Promise<string[]> =>
      findings({ "x.html": page(`<p style="${value}">a</p>`) }, { settings: { clients: [client] } });
    expect(await finding(fine)).toEqual([]);
    expect(await finding(affected)).toEqual([expect.stringMatching(/^client-unsupported (?:info|warning) x.html:14:/)]);
  });

  it("does not report notes about accounts of other providers", async () => {
    const settings = { clients: ["samsung-email"] };
    expect(await findings({ "x.html": page('<p style="width: clamp(1px, 50%, 9px)">a</p>') }, { settings })).toEqual(
      [],
    );
  });

  it("does not report `<style>` because of its size limit", async () => {
    const settings = { clients: ["gmail.desktop-webmail"] };
    expect(await findings({ "x.html": page("<p>a</p>", "<style>p { color: red }</style>") }, { settings })).toEqual([]);
  });

  it("reports nothing if no note applies", async () => {
    const body = '<p style="margin: 4px 0; color: rgb(0, 128, 0); text-align: left; list-style: none">a</p>';
    expect(await findings({ "x.html": page(body) })).toEqual([]);
  });
});

describe("client-unknown", () => {
  it("suggests the client that was probably meant", async () => {
    const results = await diagnostics(
      { "x.html": page("<p>a</p>") },
      { settings: { clients: ["gmial", "gmail.ios"] } },
    );
    expect(results.map(({ rule, severity, message, hint }) => [rule, severity, message, hint])).toEqual([
      [
        "client-unknown",
        "warning",
        "`gmial` in `check.clients` of the configuration matches no known email client: its support is not checked.",
        "Did you mean `gmail`?",
      ],
    ]);
  });

  it("accepts patterns", async () => {
    const clients = ["gmail.*", "*.ios", "outlook", "apple-mail.macos"];
    const results = await findings({ "x.html": page("<p>a</p>") }, { settings: { clients } });
    expect(results.filter((finding) => finding.startsWith("client-unknown"))).toEqual([]);
  });
});
