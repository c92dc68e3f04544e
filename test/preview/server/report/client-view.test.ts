import { describe, expect, it } from "vitest";
import { type Feature, supportData } from "../../../../src/check/client-support/data.js";
import { clientSupportOf } from "../../../../src/preview/server/report/client-support.js";
import { clientView } from "../../../../src/preview/server/report/client-view.js";
import { EmailDocument } from "../../../../src/check/document/email-document.js";
import { NOT_DETECTED, sampleOf } from "../../../check/client-support/samples.js";

const OUTLOOK = "outlook.windows";
const GMAIL = "gmail.desktop-webmail";

function lost(html: string, client: string): readonly string[] {
  const document = new EmailDocument({ html, tags: [], places: [], sources: new Map() });
  const where = { places: { list: [], indexOf: () => undefined }, shownPath: (file: string) => file };
  return clientSupportOf(document, [client], where).clients.flatMap(({ features }) =>
    features.filter(({ support }) => support === "none").map(({ name }) => name),
  );
}

/** Features without a visible effect, and the rest of the rule they are read with. */
const KEPT: readonly Feature[] = ["html-anchor-links", "html-mailto-links", "css-nesting", "amp"];

describe("clientView", () => {
  const detected = (Object.keys(supportData().features) as Feature[]).filter(
    (feature) => NOT_DETECTED[feature] === undefined && !KEPT.includes(feature),
  );

  it.each([OUTLOOK, GMAIL, "outlook.outlook-com", "yahoo.ios", "gmx.desktop-webmail"])(
    "leaves nothing that %s does not support",
    (client) => {
      const left = detected.filter((feature) => {
        const { title } = supportData().features[feature];
        return lost(clientView(sampleOf(feature), client), client).includes(title);
      });
      expect(left).toEqual([]);
    },
  );

  it("changes no byte of supported HTML", () => {
    const html = `<!doctype html>
<html lang="en"><head><title>A < B</title><style>td { color: red } /* a */</style></head>
<body style="margin:0"><table cellpadding=0><tr>{{#rows}}<td style='color:"x";padding:{{gap}}px' {{#wide}}colspan="2"{{/wide}}>{{.}}</td>{{/rows}}</tr></table></body></html>`;
    expect(clientView(html, "apple-mail.macos")).toBe(html);
    expect(clientView(html, GMAIL)).toBe(html);
  });

  it.each([
    ["a declaration", '<p style="color:red;opacity:0.5">Hi</p>', '<p style="color:red">Hi</p>'],
    [
      "properties that Outlook only supports on table cells",
      '<div style="color:red;padding:8px"></div><table><tr><td style="padding:8px"></td></tr></table>',
      '<div style="color:red"></div><table><tr><td style="padding:8px"></td></tr></table>',
    ],
    [
      "quotes and tags in a style",
      `<p style="font-family:&quot;A&quot;;color:{{&colour}};opacity:0.5">Hi</p>`,
      `<p style="font-family:&quot;A&quot;;color:{{&colour}}">Hi</p>`,
    ],
    ["an attribute", '<img src="a.png" srcset="b.png 2x" alt="A">', '<img src="a.png"  alt="A">'],
    ["an element, whose content stays", "<section><b>Hi</b></section>", "<b>Hi</b>"],
    [
      "at-rules and selectors",
      "<style>@media (min-width: 9px) { p { color: red } } p { color: red } p:hover { color: blue } p, a:hover { top: 0 }</style>",
      "<style> p { color: red }  p { top: 0 }</style>",
    ],
    [
      "the content of conditional comments",
      "<!--[if mso]><table><tr><td>{{a}}<![endif]--><!--[if !mso]><!--><b>B</b><!--<![endif]--><!-- c --><!--[if mso]></td></tr></table><![endif]-->",
      "<table><tr><td>{{a}}</td></tr></table>",
    ],
    [
      "but no settings",
      "<!--[if mso]><noscript><xml><o:PixelsPerInch>96</o:PixelsPerInch></xml></noscript><![endif]-->",
      "<noscript></noscript>",
    ],
    [
      "but not what is hidden from Outlook with mso-hide",
      '<div style="display:none;mso-hide:all"><table></table></div>',
      '<div style="display:none;mso-hide:all"><table></table></div>',
    ],
  ])("as Outlook: %s", (_what, html, expected) => expect(clientView(html, OUTLOOK)).toBe(expected));

  it("as Gmail: a style element that is too long or has nested at-rules", () => {
    const long = `<style>${"p { color: red }\n".repeat(1100)}</style>`;
    const nested = "<style>@media screen { @media (max-width: 9px) { p { color: red } } }</style>";
    const kept = "<style>p { color: red }</style>";
    expect(clientView(`<head>${kept}${nested}${long}</head>`, GMAIL)).toBe(`<head>${kept}</head>`);
    expect(clientView(`<head>${long}</head>`, "apple-mail.macos")).toContain("color: red");
  });
});
