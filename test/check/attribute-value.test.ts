import { describe, expect, it } from "vitest";
import { attributeValue } from "../../src/check/rules/structure/attribute-value.js";
import { languageMissing } from "../../src/check/rules/structure/language-missing.js";
import { inColumn } from "../render/project.js";
import { page, useFindings } from "./findings.js";

const { diagnostics, findings } = useFindings([attributeValue]);

/** A head in line 9 or a body from line 14 on, the place of what is found there, and the hint. */
async function inBody(html: string, head = ""): Promise<string[]> {
  const found = await diagnostics({ "x.html": page(html, head) });
  return found.map(({ at, hint }) => `${at?.line}:${at?.column} ${hint ?? ""}`);
}

function cell(attributes: string): string {
  return `<table role="presentation"><tr><td ${attributes}>a</td></tr></table>`;
}

describe("attribute-value", () => {
  it.each([
    ['<p\n dir="rtr">a</p>', "15:7 Did you mean `ltr`?"],
    [cell('align="centre"'), "14:43 Did you mean `center`?"],
    [cell('valign="center"'), "14:44 Did you mean `middle`?"],
    [cell('bgcolor="#12345"'), "14:45 A colour has 3 or 6 digits here; `#12345` has 5."],
    [cell('bgcolor="rde"'), "14:45 Did you mean `red`?"],
    [cell('bgcolor="rgb(0,0,0)"'), "14:45 Write a colour such as `#ffffff`; what only CSS knows stands in `style`."],
    [cell('width="60px0"'), "14:43 Write `60`, if that is meant."],
    [cell('width="100%%"'), "14:43 Write `100%`, if that is meant."],
    [cell('width="6O"'), "14:43 Write `6`, if that is meant."],
    [cell('colspan="two"'), '14:45 Write it in digits: `colspan="2"`.'],
    ['<table cellpadding="O"><tr><td>a</td></tr></table>', '14:21 Write a number of pixels: `cellpadding="0"`.'],
    ['<table><tr><th scope="cool">a</th></tr></table>', "14:23 Did you mean `col`?"],
    ['<p lang="english">a</p>', "14:10 Write `en`."],
    ['<p lang="deu-CH">a</p>', "14:10 Write `de-CH`."],
    ['<p lang="en_GB">a</p>', "14:10 Write `en-GB`."],
    ['<p lang="xx">a</p>', "14:10 Write it as BCP 47 has it, such as en, pt-BR or zh-Hant."],
    ['<a href="https://a.example" target="blank">a</a>', "14:37 Did you mean `_blank`?"],
    ['<a href="https://a.example" rel="noopner">a</a>', "14:34 Did you mean `noopener`?"],
  ])("finds %s", async (html, found) => {
    expect(await inBody(html)).toEqual([found]);
  });

  it.each([
    ['<style type="text/cs">p { margin: 0; }</style>', "9:14 Did you mean `text/css`?"],
    ['<style media="scren">p { margin: 0; }</style>', "9:15 Did you mean `screen`?"],
  ])("finds %s", async (head, found) => {
    expect(await inBody("<p>a</p>", head)).toEqual([found]);
  });

  it("finds them in MJML: in html, and in what MJML hands on unread", async () => {
    const text = inColumn(
      '<mj-text>\n<p align="centre">a</p></mj-text>\n<mj-button href="{{u}}" target="blank">a</mj-button>',
    );
    expect(await findings({ "x.mjml": text })).toEqual([
      expect.stringMatching(/^attribute-value warning x\.mjml:\d+:11$/),
      expect.stringMatching(/^attribute-value warning x\.mjml:\d+:33$/),
    ]);
    const mjml = '<mjml lang="en" dir="rtr"><mj-body><mj-section><mj-column /></mj-section></mj-body></mjml>';
    expect(await findings({ "x.mjml": mjml })).toEqual(["attribute-value warning x.mjml:1:22"]);
  });

  it("finds them in components", async () => {
    const react = `import { Column, Html, Row } from "@react-email/components";
export default () => (
  <Html lang="en" dir="rtr"><body><Row>
    <Column align="lft">a</Column>
    <Column width={"60px0"}>a</Column>
  </Row></body></Html>
);`;
    expect(await findings({ "x.tsx": react })).toEqual([
      "attribute-value warning x.tsx:3:24",
      "attribute-value warning x.tsx:4:20",
      "attribute-value warning x.tsx:5:20",
    ]);
  });

  it.each([
    '<table width="600px" height="auto" border="0px" align="{{side}}"><tr><td width="33.3%" bgcolor="ffffff">a</td></tr></table>',
    cell('width="*" align="middle" bgcolor="transparent" height="" lang="zh-yue" xml:lang="sr-Latn-RS" color="x"'),
    cell('bgcolor="LightGoldenRodYellow" ALIGN="CENTER" width=" 100% " role="none presentation"'),
    '<p role="doc-abstract" lang="gsw" dir="AUTO">a</p><p lang="i-klingon">b</p><p lang="iw">c</p><p lang="de-x-formal">d</p>',
    '<a href="https://a.example" target="_new" rel="noopener noreferrer me">a</a><a href="https://a.example" target="help">b</a>',
    '<img src="https://a.example/a.png" alt="" width="1" align="absmiddle" border="0"><br clear="all"><hr width="80%" size="1">',
    '<p align="{{#x}}left{{/x}}" width="wide">a</p>',
  ])("is silent about %s", async (html) => {
    expect(await inBody(html)).toEqual([]);
  });

  it.each([
    '<meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /><meta http-equiv="X-UA-Compatible" content="ie=edge">',
    '<meta name="viewport" content="width=device-width,initial-scale=1.0,maximum-scale=1.0,user-scalable=no,shrink-to-fit=no">',
    '<meta name="viewport" content="width=device-width; initial-scale=1.0; target-densitydpi=device-dpi">',
    '<meta name="format-detection" content="telephone=no; date=no"><meta name="my-own" content="a"><meta name="rating" content="b">',
    '<meta name="color-scheme" content="only light"><style type="text/css" media="screen and (max-width: 600px)">p{margin:0}</style>',
    '<link rel="shortcut icon" href="https://a.example/i.png"><meta name="robots" content="noindex,nofollow">',
  ])("is silent about %s", async (head) => {
    expect(await inBody("<p>a</p>", head)).toEqual([]);
  });
});

describe("what only Outlook sees", () => {
  it("is judged, too, where it was written", async () => {
    const table = '<table role="presentation" bgcolor="rde"><tr><td align="centre">';
    expect(await inBody(`<!--[if mso]>\n${table}<![endif]-->a<!--[if mso]></td></tr></table><![endif]-->`)).toEqual([
      "15:37 Did you mean `red`?",
      "15:57 Did you mean `center`?",
    ]);
  });
});

describe("the language of the whole", () => {
  const { diagnostics: ofHtml } = useFindings([languageMissing, attributeValue]);

  it.each([
    ["english", 'Write `lang="en"`.'],
    ["hebrew", 'Write `lang="he"`.'],
    ["en_US", 'Write `lang="en-US"`.'],
    ["xx", "Write it as BCP 47 has it, such as en, pt-BR or zh-Hant."],
  ])("is found once where it is %s", async (lang, hint) => {
    const found = await ofHtml({ "x.html": page("<p>a</p>").replace('lang="en"', `lang="${lang}"`) });
    expect(found).toMatchObject([{ rule: "language-missing", hint, at: { line: 2, column: 7 } }]);
  });
});
