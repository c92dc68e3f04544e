import { describe, expect, it } from "vitest";
import { attributeValue } from "../../src/check/rules/structure/attribute-value.js";
import { inColumn } from "../render/project.js";
import { page, useFindings } from "./findings.js";

const { diagnostics, findings } = useFindings([attributeValue]);

/** A body from line 14 on, the place of what is found there, and the hint. */
async function inBody(html: string): Promise<string[]> {
  const found = await diagnostics({ "x.html": page(html) });
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
    [cell('bgcolor="blakc"'), "14:45 Did you mean `black`?"],
    [cell('bgcolor="rgb(0,0,0)"'), "14:45 Write a colour such as `#ffffff`. Other CSS colours belong in `style`."],
    [cell('width="60px0"'), "14:43 Write `60`, if that is meant."],
    [cell('width="100%%"'), "14:43 Write `100%`, if that is meant."],
    [cell('width="6O"'), "14:43 Write `6`, if that is meant."],
    [cell('colspan="two"'), "14:45 Write a number."],
    ['<table cellpadding="O"><tr><td>a</td></tr></table>', "14:21 Write a number."],
    ['<table><tr><th scope="cool">a</th></tr></table>', "14:23 Did you mean `col`?"],
  ])("reports %s", async (html, found) => {
    expect(await inBody(html)).toEqual([found]);
  });

  it("reports them in MJML's html, and in the dir of <mjml>", async () => {
    const text = inColumn('<mj-text>\n<p align="centre">a</p></mj-text>');
    expect(await findings({ "x.mjml": text })).toEqual([
      expect.stringMatching(/^attribute-value warning x\.mjml:\d+:11$/),
    ]);
    const mjml = '<mjml lang="en" dir="rtr"><mj-body><mj-section><mj-column /></mj-section></mj-body></mjml>';
    expect(await findings({ "x.mjml": mjml })).toEqual(["attribute-value warning x.mjml:1:22"]);
  });

  it("reports them in components", async () => {
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
      "attribute-value warning x.tsx:5:21",
    ]);
  });

  it.each([
    '<table width="600px" height="auto" border="0px" align="{{side}}"><tr><td width="33.3%" bgcolor="ffffff">a</td></tr></table>',
    cell('width="*" align="middle" bgcolor="transparent" height="" lang="zh-yue" xml:lang="sr-Latn-RS" color="x"'),
    cell('bgcolor="LightGoldenRodYellow" ALIGN="CENTER" width=" 100% " role="none presentation"'),
    '<p role="doc-abstract" lang="gsw" dir="AUTO">a</p><p lang="i-klingon">b</p><p lang="iw">c</p><p lang="de-x-formal">d</p>',
    '<a href="https://a.example" target="_new" rel="noopener noreferrer me">a</a><a href="https://a.example" target="help">b</a>',
    '<img src="https://a.example/a.png" alt="" width="1" align="absmiddle" border="0"><br clear="all"><hr width="80%" size="1">',
    '<p align="{{#x}}left{{/x}}">a</p>',
  ])("accepts %s", async (html) => {
    expect(await inBody(html)).toEqual([]);
  });
});

describe("conditional comments for Outlook", () => {
  it("are checked, too", async () => {
    const table = '<table role="presentation" bgcolor="blakc"><tr><td align="centre">';
    expect(await inBody(`<!--[if mso]>\n${table}<![endif]-->a<!--[if mso]></td></tr></table><![endif]-->`)).toEqual([
      "15:37 Did you mean `black`?",
      "15:59 Did you mean `center`?",
    ]);
  });
});
