import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanMarkup } from "../../../src/text/markup/scan.js";

const kinds = (text: string) =>
  scanMarkup(text).pieces.map((piece) => ("name" in piece ? `${piece.kind} ${piece.name}` : piece.kind));
const problem = (text: string) => scanMarkup(text).problems[0];

describe("scanMarkup", () => {
  it("finds tags, text, comments and declarations", () => {
    expect(kinds("<!doctype html><P class=a>Hi<br/></P><!-- x --><![CDATA[<b>]]>")).toEqual([
      "declaration",
      "open p",
      "text",
      "open br",
      "close p",
      "comment",
      "declaration",
    ]);
  });

  it("ends comments where browsers do", () => {
    expect(kinds("<!--><b><!--->a<!-- x --!><i><!-- > -->")).toEqual([
      "comment",
      "open b",
      "comment",
      "text",
      "comment",
      "open i",
      "comment",
    ]);
    expect(problem("a<!-- b ->")).toMatchObject({ offset: 1 });
  });

  it("treats the content of a style, a script or a title as text", () => {
    expect(kinds('<style>a > b { content: "<p>" }</style><title>a <b></title>')).toEqual([
      "open style",
      "text",
      "close style",
      "open title",
      "text",
      "close title",
    ]);
  });

  it("distinguishes a slash that ends a tag from one of an unquoted value", () => {
    const closes = (text: string) => scanMarkup(text).pieces.map((piece) => piece.kind === "open" && piece.selfClosing);
    expect(closes("<br/><br class=a /><br class='a'/><br class=/>")).toEqual([true, true, true, false]);
    expect(closes("<a href=https://a.example/>")).toEqual([false]);
  });

  it("treats a single < as text", () => {
    expect(kinds("a < b <3")).toEqual(["text"]);
    expect(problem("a < b <3")).toBeUndefined();
  });

  it("reads attributes as they are written", () => {
    const [tag] = scanMarkup(`<a href="x>y" Title='it"s' disabled data-n=1 >`).pieces;
    expect(tag?.kind === "open" && tag.attributes.map(({ name, value }) => [name, value])).toEqual([
      ["href", "x>y"],
      ["Title", 'it"s'],
      ["disabled", ""],
      ["data-n", "1"],
    ]);
  });

  it("covers the source without gaps", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(?:[<>"'=/!a ]|<p>|<!--|-->|<style>)*$/), (text) => {
        const { pieces } = scanMarkup(text);
        expect(pieces.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
      }),
    );
  });

  it.each([
    ["<p>a</p>\n<!-- b", 9],
    ["<p>a</p", 4],
    ['<a href="x', 8],
    ["<a href='x>b</a> <a href='y'>", 8],
    ['<p class="a>b</p>\n<p class="c">', 9],
    ['<a href="x class="b">', 8],
    ['<a href="x><img src="/logo.png">', 8],
    ['<a href="x><img alt="">', 8],
    ['<p title="x>He said " ok</p>', 9],
    ["<p\n<b>", 0],
    ["<style>a {}", 7],
  ])("reports what is never closed in %j", (text, offset) => {
    expect(problem(text)?.offset).toBe(offset);
  });

  it.each([
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    `<iframe srcdoc='<p class="a">Hi</p>' title="1 > 0"></iframe>`,
    '<a href="x"class="y">',
    '<td width="10"">',
    '<img alt="a > b" title="1 < 2">',
    "<a\n  href='x'\n>",
  ])("accepts %j", (text) => {
    expect(problem(text)).toBeUndefined();
  });

  const valueText = fc.stringMatching(/^(?:[a-z<>'=/ \n]|<p>|<\/p>|<img alt=|<script>|<!--|-->)*$/);

  it("allows anything in a quoted value except its quote", () => {
    fc.assert(
      fc.property(fc.oneof(valueText, fc.string()), fc.constantFrom('"', "'"), (text, quote) => {
        const other = quote === '"' ? "'" : '"';
        const value = text.replaceAll(quote, other);
        expect(
          problem(`<p class="a"><a title=${quote}${value}${quote} href="/b">c</a><br class="d"/></p>`),
        ).toBeUndefined();
      }),
    );
  });

  it("finds a missing quote", () => {
    const inOther = fc.stringMatching(/^[a-z0-9 /:#._-]*$/);
    fc.assert(
      fc.property(valueText, inOther, inOther, (value, near, far) => {
        expect(
          problem(`<a title="${value} href="${near}">c</a>\n<p class="${far}">It's "so" (1 > 0).</p>`)?.offset,
        ).toBe(9);
      }),
    );
    fc.assert(
      fc.property(valueText, inOther, inOther, (value, near, far) => {
        expect(problem(`<a title="${value}>c</a>\n<p class="${near}"><b id="${far}">It's</b></p>`)?.offset).toBe(9);
      }),
    );
  });
});
