import { describe, expect, it } from "vitest";
import { token } from "../../src/mustache/tokens.js";
import { tagsOutsideComments, compactHtml } from "../../src/render/bodies.js";

describe("tidy", () => {
  it("removes only comments and indentation", () => {
    expect(compactHtml("  <div>\n    <p>a  b\n     c</p> <!-- x -->\n\n  </div>\n")).toBe(
      "<div>\n<p>a  b\nc</p> \n</div>",
    );
  });

  it("keeps conditional comments of every form", () => {
    const html =
      "<!--[if mso]>\n<b>x</b>\n<![endif]--><!--[if !mso]><!--><i>y</i><!--<![endif]--><!--[if (gte mso 9)|(IE)]><p></p><![endif]-->";
    expect(compactHtml(html)).toBe(html);
  });

  it("keeps entities, no-break spaces, quotes and optional tags", () => {
    const html = "<p>&nbsp;&amp;&#8202; \u00A0\u00A0\n<a href='x'>y</a><br><td>";
    expect(compactHtml(html)).toBe(html);
  });

  it("keeps preformatted text", () => {
    const html = "<pre>\n  a\n\n    b</pre><textarea>\n  c\n</textarea>";
    expect(compactHtml(`${html}\n   <p>`)).toBe(`${html}\n<p>`);
    const styled = '<p style="white-space: pre-line">a\n   b</p>';
    expect(compactHtml(styled)).toBe(styled);
  });

  it("puts a tag on one line, and leaves its values unchanged", () => {
    expect(compactHtml('<td\n   align="left"\n   title="a\n  b"\n>')).toBe('<td align="left" title="a\n  b">');
  });

  it("keeps the space that separates words", () => {
    expect(compactHtml("<b>a</b>\n  <i>b</i>")).toBe("<b>a</b>\n<i>b</i>");
    expect(compactHtml("a<!-- x -->b")).toBe("ab");
  });

  it("tells which tags it keeps", () => {
    const html = `<!-- ${token(0)} --><p>${token(1)}</p><!--[if mso]>${token(2)}<![endif]-->`;
    expect(tagsOutsideComments(html)).toEqual([1, 2]);
  });
});
