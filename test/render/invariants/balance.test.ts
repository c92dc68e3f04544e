import { describe, expect, it } from "vitest";
import { protect, type TagTable } from "../../../src/mustache/tokens.js";
import { findImbalance } from "../../../src/render/invariants/balance.js";

function imbalance(html: string): { message: string; offset: number } | undefined {
  const tags: TagTable = [];
  return findImbalance(protect(html, "/x.html", tags).text, tags);
}

describe("findImbalance", () => {
  it.each([
    "<table>{{#r}}<tr><td>{{a}}</td></tr>{{/r}}</table>",
    "<tr>{{#a}}<td>1</td>{{/a}}{{^a}}<td>2</td>{{/a}}</tr>",
    "<tr><td>1{{#more}}</td><td>2{{/more}}</td></tr>",
    "<ul><li>a<li>b</ul><p>c<p>d",
    "<table><thead><tr><th>a<th>b<tbody><tr><td>c<td>d<tr><td>e</table>",
    "<table><tr><td><table><tr><td>a</table></td></tr></table>",
    '<a class="{{#a}}b{{/a}}" {{#c}}href="d"{{/c}}>e</a>',
    "<div><img><br/><v:fill /></div>",
    "<!--[if mso]><table><tr><td><![endif]--><div>a</div><!--[if mso]></td></tr></table><![endif]-->",
    "{{#i}}<!--[if mso | IE]><td><![endif]--><div>a</div><!--[if mso | IE]></td><![endif]-->{{/i}}",
    "<!--[if !mso]><!--><div>a</div><!--<![endif]--><!--[if mso]><b>{{a}}</b><![endif]-->",
    "<td><table><tr>{{#i}}<td>a{{/i}}</table></td>",
  ])("has nothing against %s", (html) => {
    expect(imbalance(html)).toBeUndefined();
  });

  it.each([
    ["<div><b>a</div>", "<b> is never closed before </div>."],
    ["<div>a", "<div> is never closed."],
    ["<table><tr><td><b>a<td>b</table>", "<td> is never closed before </table>."],
    ["<table><tr><td>a", "<table> is never closed."],
    ["<td><table><tr>{{#i}}<td>a{{/i}}b</table></td>", "{{#i}} leaves <td> open"],
    ["a</span>", "</span> closes nothing."],
    ["{{#i}}<tr>{{/i}}<td></td></tr>", "{{#i}} leaves <tr> open"],
    ["<tr>{{#i}}<td></td></tr>{{/i}}", "{{#i}} closes <tr>"],
    ["<a {{#i}}href='b'>c{{/i}}</a>", "{{#i}} has only one of its ends in the tag <a>."],
    ["<style>{{#i}}</style><p>{{/i}}</p>", "{{#i}} closes <style>"],
    ["<!--[if mso]><table><![endif]--><p>a</p>", "<table> for Outlook"],
    ["{{#i}}<!--[if mso]><td><![endif]-->{{/i}}<!--[if mso]></td><![endif]-->", "{{#i}} for Outlook"],
  ])("refuses %s", (html, message) => {
    expect(imbalance(html)?.message).toContain(message);
  });

  it("tells the section that breaks, after tags in comments and tags", () => {
    const before = '<a class="{{#a}}b{{/a}}">{{b}}</a><!--[if mso]>{{b}}<i>{{b}}</i><![endif]-->';
    expect(imbalance(`${before}<tr>{{#i}}<td></td></tr>{{/i}}`)?.message).toContain("{{#i}} closes <tr>");
  });

  it.each([
    "<table><tr><td><table><tr><td>a</td></td></tr></table></td></tr></table>",
    "<table><tr><td><table><tr><td>a</td></tr></tr></table></td></tr></table>",
    "<div><span>a</span></div></div><div>b</div>",
  ])("names the closing tag that is one too many in %s", (html) => {
    const again = /(<\/\w+>)\1/.exec(html);
    expect(imbalance(html)).toEqual({
      message: `${again?.[1]} closes nothing.`,
      offset: (again?.index ?? 0) + (again?.[1]?.length ?? 0),
    });
  });

  it("names the element that is not closed where taking a closing tag away does not help", () => {
    expect(imbalance("<table><tr><td><div><b>a</b></td></tr></table>")).toMatchObject({ offset: 15 });
  });

  it.each([
    ["<p>a</p>\n<!--[if mso]><b>a</b><!endif]--><i>", "This conditional comment lacks its <![endif]-->"],
    ["<p>a</p>\n<!--[if mso><b>a</b><![endif]--><i>", "This conditional comment lacks its ]>"],
    ["<p>a</p>\n<!--[if mso]><b>--><i>a</i><!--[if mso]></b>-->", "This conditional comment lacks its <![endif]-->"],
  ])("names the first conditional comment that is none in %s", (html, message) => {
    expect(imbalance(html)).toMatchObject({ offset: 9, message: expect.stringContaining(message) });
  });

  it.each(["<!--[if !mso]><!-->", "<!--[if !mso]><!-- -->", "<!--[if !mso]>-->", "<!--[if !mso]> <!---->"])(
    "takes %s for the beginning of what others see",
    (start) => {
      expect(imbalance(`${start}<i>a</i><!--<![endif]-->`)).toBeUndefined();
    },
  );

  it("tells where", () => {
    expect(imbalance("<p>\n<b>a</p><i>b</i><div>")?.offset).toBe(4);
  });
});
