import { describe, expect, it } from "vitest";
import { inColumn } from "../render/project.js";
import { page, useFindings, rulesOf } from "./findings.js";

const { findings } = useFindings(rulesOf("structure").filter(({ id }) => id === "attribute-quotes"));

/** What is found in a body that begins in line 14. */
function inBody(html: string) {
  return findings({ "x.html": page(html) });
}

describe("attribute-quotes", () => {
  it.each([
    ['<p\n style="font-family: "Segoe UI", Arial; color: #333">a</p>', "error x.html:15:2"],
    ["<a href='https://x.example/it's-here'>a</a>", "error x.html:14:4"],
    ['<p class="x" title="say "hi" now">a</p>', "error x.html:14:14"],
    ['<table cellpadding= cellspacing="0"><tr><td>a</td></tr></table>', "error x.html:14:8"],
    ["<p class=“card ink”>a</p>", "error x.html:14:4"],
    ["<p id=a class=”card”>a</p>", "error x.html:14:9"],
    ['<p class "card ink">a</p>', "error x.html:14:4"],
    ["<p class “card ink”>a</p>", "error x.html:14:4"],
    ['<p class="a" style="margin:0"">a</p>', "warning x.html:14:14"],
    ['<p title=Tea">a</p>', "warning x.html:14:4"],
  ])("reports %s", async (html, found) => {
    expect(await inBody(html)).toEqual([`attribute-quotes ${found}`]);
  });

  it("reports them in the html of MJML and React", async () => {
    const text = inColumn('<mj-text>\n<p style="font-family: "Segoe UI", Arial">a</p></mj-text>');
    expect(await findings({ "x.mjml": text })).toEqual([
      expect.stringMatching(/^attribute-quotes error x\.mjml:\d+:4$/),
    ]);
    const react = `export default () => (
  <html><body><div dangerouslySetInnerHTML={{ __html: "<p class=“card ink”>a</p>" }} /></body></html>
);`;
    expect(await findings({ "x.tsx": react })).toEqual([
      expect.stringMatching(/^attribute-quotes error x\.tsx:2:\d+$/),
    ]);
  });

  it.each([
    `<p style="font-family: 'Segoe UI', Arial" title='say "hi"'>a</p>`,
    '<p class="a"id="b" hidden>a</p><a href=https://x.example/it\'s?a=b>a</a>',
    '<p {{#x}}style="margin:0"{{/x}} class="{{#x}}a{{/x}}{{y}}" {{#x}}hidden{{/x}}>a</p>',
    '<p title="“Hello” – it’s" alt = "a" width= 100>a</p><br/><img src=a.png />',
    '<!--[if mso]><p title="a "b""><![endif]-->',
  ])("accepts %s", async (html) => {
    expect(await inBody(html)).toEqual([]);
  });
});
