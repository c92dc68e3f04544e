import { describe, expect, it } from "vitest";
import { compiledOf, places, useProjects } from "../project.js";

const { compileOne } = useProjects();

describe("an HTML body", () => {
  it("stays as it is", async () => {
    const html = `<!doctype html>
<html lang="en">
<head><title>Hi {{name}}</title><style>a > b { color: {{colour}} }</style></head>
<body>
<table>{{#rows}}<tr><td {{#wide}}colspan=2{{/wide}}>{{ name }}</td></tr>{{/rows}}</table>
<!--[if mso]><p>{{{raw}}}</p><![endif]-->
</body>
</html>`;
    expect(compiledOf(await compileOne({ "x.html": html })).html_body).toBe(html);
  });

  it("loses its comments, tags in them included", async () => {
    expect(compiledOf(await compileOne({ "x.html": "<p>{{a}}</p><!-- {{#b}}c{{/b}} -->{{! d }}" })).html_body).toBe(
      "<p>{{a}}</p>",
    );
  });

  it.each([
    ['<p>\n<a href="{{url}}>b</a></p><p class="c">', "markup-unclosed x.html:2:9"],
    ["<p>\n <!-- a </p>", "markup-unclosed x.html:2:2"],
    ["<table>\n  {{#i}}<tr>{{/i}}<td></td></tr></table>", "markup-unbalanced x.html:2:3"],
    ["<div>\n<b>{{a}}\n</div>", "markup-unbalanced x.html:2:1"],
    ["<p>{{#a}}</p>", "mustache-syntax x.html:1:4"],
    ["<p>\n{{this.a}}</p>", "mustache-name x.html:2:1"],
    ["<p>\uE000</p>", "mustache-syntax x.html:1:4"],
  ])("is refused at the right place: %j", async (html, place) => {
    const result = await compileOne({ "x.html": html });
    expect(result.compiled).toBeUndefined();
    expect(places(result)).toEqual([place]);
  });
});
