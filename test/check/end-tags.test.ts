import { describe, expect, it } from "vitest";
import { inColumn } from "../render/project.js";
import { page, useFindings, rulesOf } from "./findings.js";

const { diagnostics, findings } = useFindings(
  rulesOf("structure").filter(({ id }) => id === "end-tag-missing" || id === "html-moved"),
);

/** What is found in a body that begins in line 14. */
function inBody(html: string) {
  return findings({ "x.html": page(html) });
}

describe("end-tag-missing", () => {
  it.each([
    ["<table><tr>\n<td>a\n<td>b</td></tr></table>", "15:1"],
    ["<table>\n<tr><td>a</td>\n<tr><td>b</td></tr></table>", "15:1"],
    ["<table>\n<tr><td>a</td></table>", "15:1"],
    ["<table><tr>\n<td>a</tr></table>", "15:1"],
    ["<table><thead>\n<tr><th>a</th></tr>\n<tbody><tr><td>b</td></tr></tbody></table>", "14:8"],
    ["<ul><li>a</li>\n<li>b</ul>", "15:1"],
    ["<p>a</p><p>b</p>\n<p>c<p>d</p>", "15:1"],
    ["<p>a</p><p>b</p><div>\n<p>c</div>", "15:1"],
  ])("reports %s", async (html, place) => {
    expect(await inBody(html)).toEqual([`end-tag-missing warning x.html:${place}`]);
  });

  it("says where the element ends, also in MJML", async () => {
    const [found] = await diagnostics({ "x.html": page("<ul><li>a</li><li>b</ul>") });
    expect(found?.message).toBe("This <li> is never closed, unlike others around it. It ends at </ul>.");
    const table = inColumn("<mj-table>\n<tr><td>a\n<td>b</td></tr></mj-table>");
    expect(await findings({ "x.mjml": table })).toEqual([
      expect.stringMatching(/^end-tag-missing warning x\.mjml:\d+:5$/),
    ]);
  });

  it.each([
    "<table><tr><th>A<th>B</table>",
    "<table><tr><td><table><tr><th>A<th>B<tr><td>c<td>d</table></td></tr></table>",
    "<table><thead><tr><th>A<th>B<tbody><tr><td>c<td>d</table>",
    "<table><tr><td>a<td>b</tr><tr><td>c<td>d</tr></table>",
    "<ul><li>a<li>b</ul><dl><dt>a<dd>b<dt>c<dd>d</dl>",
    "<p>a<p>b<ul><li>c</ul><table>{{#items}}<tr><td>{{a}}</td></tr>{{/items}}</table>",
    "<table>{{#a}}<tr><td>a</td></tr>{{/a}}{{^a}}<tr><td>b</td></tr>{{/a}}</table>",
  ])("accepts %s", async (html) => {
    expect(await inBody(html)).toEqual([]);
  });
});
