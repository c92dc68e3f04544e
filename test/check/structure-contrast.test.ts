import { describe, expect, it } from "vitest";
import { contrast } from "../../src/check/rules/structure/contrast.js";
import { contrastDark } from "../../src/check/rules/structure/contrast-dark.js";
import { inColumn } from "../render/project.js";
import { page, useFindings } from "./findings.js";

const { diagnostics, findings } = useFindings([contrast, contrastDark]);

function inBody(html: string, head = "") {
  return findings({ "x.html": withoutDark(page(html, head)) });
}

/** A page that leaves the dark to the client. */
function withoutDark(html: string): string {
  return html.replaceAll(/<meta name="(?:supported-)?color-schemes?".*>/g, "");
}

function inDark(html: string, dark: string) {
  return findings({ "x.html": page(html, `<style>@media (prefers-color-scheme: dark) { ${dark} }</style>`) });
}

describe("contrast", () => {
  it("reports pale text", async () => {
    expect(await inBody('<p>a</p>\n<p style="color: #bbbbbb">Hello</p>')).toEqual(["contrast warning x.html:15:11"]);
    expect(await inBody('<p style="color: #808080">Hello</p>')).toEqual(["contrast info x.html:14:11"]);
  });

  it("accepts the default blue of React Email's Link on white", async () => {
    const inReact = (body: string) =>
      findings({
        "x.tsx": `import { Body, Html, Link } from "@react-email/components";
export default function Email() {
  return <Html lang="en"><Body>
${body}
  </Body></Html>;
}`,
      });
    expect(await inReact('<Link href="https://a.example">Terms</Link>')).toEqual([]);
    expect(await inReact('<Link href="https://a.example" style={{ color: "#067df7" }}>Terms</Link>')).toEqual([
      "contrast info x.tsx:4:41",
    ]);
    expect(
      await inReact('<p style={{ backgroundColor: "#123456" }}><Link href="https://a.example">Terms</Link></p>'),
    ).toEqual([expect.stringMatching(/^contrast \w+ x\.tsx:4:/)]);
  });

  it("names the colours and the other places", async () => {
    const pale = '<p style="color: #bbb">Hello</p>';
    const [found] = await diagnostics({ "x.html": withoutDark(page(`${pale}\n${pale}`)) });
    expect(found?.message).toBe("Text in #bbbbbb on #ffffff has a contrast ratio of 1.91:1; it needs at least 4.5:1.");
    expect(found?.hint).toMatch(/^Used for "Hello" and one other text \(line 15\)\. Darken the darker/);
  });

  it("reports a shared part in the same words in every template", async () => {
    const part = '<p style="color: #bbb">Terms</p>';
    const body = (colour: string) =>
      withoutDark(page(`<div style="background-color: ${colour}"><p>a</p>{{> _shared/end}}</div>`));
    const found = await diagnostics({
      "_shared/end.html": part,
      "a.html": body("#ffffff"),
      "b.html": `${body("#ffffff")}\n`.replace("<p>a</p>", '<p>a</p>\n<p style="color: #bbb">b</p>'),
    });
    const ofPart = found.filter(({ at }) => at?.file.endsWith("end.html")).map(({ message }) => message);
    expect(ofPart).toHaveLength(2);
    expect(new Set(ofPart).size).toBe(1);
  });

  it.each([
    ["an attribute", '<table><tr><td\nbgcolor="333333">Hello</td></tr></table>', "15:1"],
    ["a shorthand", '<div style="background: #222 none">\n<p>Hello</p></div>', "14:13"],
    ["half transparent layers", '<p style="background-color: rgba(0, 0, 0, 0.8)">Hello</p>', "14:11"],
    ["hsl", '<p style="color: hsl(0, 0%, 80%)">Hello</p>', "14:11"],
    ["a font element", '<font color="#eeeeee">Hello</font>', "14:7"],
    [
      "the nearer of both",
      '<div style="color: #ddd; background: #222">\n<p style="background: #eee">Hello</p></div>',
      "15:11",
    ],
    [
      "a link's own blue",
      '<div style="background: #111111; color: #fff">\n<a href="https://a.example">Terms</a></div>',
      "14:13",
    ],
  ])("reads colours from %s", async (_, html, place) => {
    expect(await inBody(html)).toEqual([`contrast warning x.html:${place}`]);
  });

  it("reads colours from a stylesheet, by its cascade", async () => {
    const style =
      "<style>.pale { color: #ccc } p { color: #000 } @media (max-width: 480px) { p { color: #eee } }</style>";
    expect(await inBody('<p class="pale">Hello</p>', style)).toEqual(["contrast warning x.html:9:16"]);
    expect(await inBody('<p>Hello</p><p class="pale" style="color: #333">Hello</p>', style)).toEqual([]);
  });

  it("requires less of large text", async () => {
    expect(await inBody('<p style="color: #808080; font-size: 24px">Hello</p>')).toEqual([]);
    expect(await inBody('<p style="color: #808080; font-size: 14pt; font-weight: 700">Hello</p>')).toEqual([]);
    expect(await inBody('<p style="color: #808080; font-size: 18px; font-weight: 700">Hello</p>')).toHaveLength(1);
    expect(await inBody('<h2 style="color: #808080">Hello</h2>')).toEqual([]);
  });

  it.each([
    '<p style="color: #595959">Hello</p>',
    '<p style="color: {{color}}">Hello</p>',
    '<p style="{{#dark}}color: #ddd; background: #111{{/dark}}">Hello</p>',
    '<p style="color: #fff; background: url(https://a.example/b.png) #fff">Hello</p>',
    '<p style="color: #fff; background-image: linear-gradient(#fff, #000)">Hello</p>',
    '<table role="presentation" background="https://a.example/b.png"><tr><td style="color: #fff">Hello</td></tr></table>',
    '<p style="color: #fff; background: {{brand}}">Hello</p>',
    '<p style="color: #fff; display: none">Hello</p>',
    '<p style="color: #fff; position: absolute">Hello</p>',
    '<p style="color: #ddd">&nbsp;|</p>',
    '<p class="{{class}}">Hello</p>',
  ])("accepts what is fine, unknown or hidden: %s", async (html) => {
    expect(await inBody(html, "<style>.pale { color: #ddd !important }</style>")).toEqual([]);
  });

  it("reports it in MJML, at the source", async () => {
    const mjml = inColumn('<mj-text>Hello</mj-text>\n<mj-text\ncolor="#cccccc">Hello</mj-text>');
    expect(await findings({ "x.mjml": mjml })).toEqual([expect.stringMatching(/^contrast warning x\.mjml:\d+:1$/)]);
  });
});

describe("contrast-dark", () => {
  const card =
    '<div class="card" style="background: #ffffff; color: #222222">\n<p style="color: #333333" class="text">Hello</p></div>';

  it("reports a background changed without its text", async () => {
    expect(await inDark(card, ".card { background: #111 !important; color: #eee !important }")).toEqual([
      "contrast-dark warning x.html:15:11",
    ]);
  });

  it("reports text changed without its background", async () => {
    expect(await inDark(card, ".text { color: #eee !important }")).toEqual(["contrast-dark warning x.html:14:26"]);
  });

  it("reports a background that stays light, at its rule", async () => {
    expect(await inDark(card, ".card { background: #eee !important } .text { color: #ddd !important }")).toEqual([
      "contrast-dark warning x.html:9:54",
    ]);
  });

  it("reports a rule overridden by a style attribute", async () => {
    const dark = ".card { background: #111 !important } .text { color: #eee }";
    expect(await inDark(card, dark)).toEqual(["contrast-dark warning x.html:9:92"]);
  });

  it("reports it if the light styles set the same colour", async () => {
    const style = `<style>
.card { background: #ffffff } .text { color: #222222 }
@media (prefers-color-scheme: dark) {
.card { background: #111111 } .text { color: #222222 } } </style>`;
    const html = '<div class="card"><p class="text">Hello</p></div>';
    const found = await findings({ "x.html": page(html).replace("</head>", `${style}</head>`) });
    expect(found).toEqual(["contrast-dark warning x.html:13:39"]);
  });

  it("reports default white text on a background that stays light", async () => {
    expect(await findings({ "x.html": page('<div style="background: #f4f4f4">Hello</div>') })).toEqual([
      "contrast-dark warning x.html:14:13",
    ]);
    expect(await inBody('<div style="background: #f4f4f4">Hello</div>')).toEqual([]);
  });

  it("accepts both colours changed, or neither", async () => {
    const dark = ".card { background: #111 !important } .text { color: #eee !important }";
    expect(await inDark(card, dark)).toEqual([]);
    expect(await inDark(card, ".other { color: #eee !important }")).toEqual([]);
    expect(await inDark(card, "[data-ogsc] .text { color: #eee !important }")).toEqual([]);
  });
});
