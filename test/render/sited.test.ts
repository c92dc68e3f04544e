import path from "node:path";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanMarkup, SITE_ATTRIBUTE } from "../../src/text/markup/scan.js";
import { separateDotted } from "../../src/mustache/check-variables.js";
import { compileAll, compileWithPositions } from "../../src/render/compile.js";
import { rebuildWithPositions, type Rebuild } from "../../src/render/rebuild.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import type { Engine, Template } from "../../src/project/template.js";
import { compiledOf, type Files, inColumn, rebuilding, useProjects } from "./project.js";
import { htmlSource, mjmlSource } from "./random-source.js";

const projects = useProjects();
const runs = { numRuns: process.env["MODE"] === "long" ? 500 : 6 };

/** Compiles in all ways, and checks that sited builds differ only in their sites. */
async function expectSameBut(templates: readonly Template[]): Promise<readonly Rebuild[]> {
  const all = await compileAll(templates, projects.context());
  const placed = await compileWithPositions(templates, projects.context());
  expect(placed.map((result) => ({ ...result, sited: undefined }))).toEqual(all);
  const results = all.filter(({ compiled }) => compiled);
  const sited = await rebuildWithPositions(
    results.map(({ template }) => template),
    rebuilding(projects.context()),
    "later",
  );
  for (const [index, result] of results.entries()) {
    const { html } = sited[index] ?? {};
    const kept = placed.find(({ name }) => name === result.name)?.sited;
    if (result.template.engine !== "react") expect(kept).toEqual(html);
    const compiled = compiledOf(result);
    const { fields, error } = sited[index] ?? {};
    expect(error).toBeUndefined();
    expect({ html_body: separateDotted(fields?.html_body ?? "", compiled.contract), name: result.name }).toEqual({
      html_body: compiled.html_body,
      name: result.name,
    });
    expect(separateDotted(fields?.subject ?? "", compiled.contract)).toBe(compiled.subject);
  }
  return sited;
}

async function siteOne(files: Files): Promise<Rebuild> {
  const { templates } = loadTemplates([await projects.write(files)]);
  const [rebuild, ...others] = await expectSameBut(templates);
  if (!rebuild || others.length > 0) throw new Error("Expected one template that compiles.");
  return rebuild;
}

/** Every opening tag with a site, including those in conditional comments, as `name file:line:column`. */
async function sitesOf(files: Files): Promise<string[]> {
  const { html } = await siteOne(files);
  const tag = new RegExp(`<([a-z][\\w:-]*)(?=[^<>]* ${SITE_ATTRIBUTE}="(\\d+)")`, "g");
  return Array.from(html.text.matchAll(tag), ([, name, number]) => {
    const { at, note } = html.places[Number(number)] ?? {};
    return `${name} ${path.basename(at?.file ?? "")}:${at?.line}:${at?.column}${note}`;
  });
}

describe("a sited build of HTML", () => {
  it("records the source of every tag, including partials and what only Outlook shows", async () => {
    const files = {
      "x.html":
        '<p\n class="a">{{name}}<br/></p>\n  {{> _part}}\n<!--[if mso]><td\n a=b>c</td><![endif]--><!-- <b>d</b> -->',
      "_part.html": "<!--[if !mso]><!--><i>e</i><!--<![endif]-->",
    };
    expect(await sitesOf(files)).toEqual([
      "p x.html:1:1",
      "br x.html:2:20",
      "i _part.html:1:20 (x.html → _part.html)",
      "td x.html:4:14",
    ]);
  });

  it("inlines styles as an ordinary build", async () => {
    const css = "p > a[href] { color: {{c}} } td:not([class]) { margin: 0 } a:hover { color: red }";
    const { html } = await siteOne({
      "x.html": `<html><head><style data-inline>${css}</style><link rel="stylesheet" href="_b.css" data-inline></head><body><p style='top: 0'><a href="{{u}}">a</a></p><table><tr><td></td><td class=b style="top:0">c</td></tr></table></body></html>`,
      "_b.css": ".b { color: red } @media print { .b { top: 0 } }",
    });
    expect(html.text).toContain(` style="margin: 0;"`);
    expect(html.text).not.toContain("data-lettershop-element");
  });

  it("has the language of template.json, double quotes and URLs of images", async () => {
    await siteOne({
      "x/x.html":
        "<html><body><a href={{u}} title='{{t}}'>a</a><img src=_assets/a.png><img src='_assets/a.png'></body></html>",
      "x/_assets/a.png": "",
      "x/template.json": '{ "subject": "{{#a}}b{{/a}} {{c.d}}", "locale": "ar" }',
    });
  });
});

describe("a sited build of MJML", () => {
  it("records the source element for all of its output", async () => {
    const files = {
      "x.mjml": `<mjml lang="en"><mj-head><mj-title>Hi</mj-title>
<mj-preview>Preview</mj-preview><mj-attributes><mj-text color="red" /></mj-attributes></mj-head><mj-body>
<mj-include path="_part.mjml" />
</mj-body></mjml>`,
      "_part.mjml":
        '<mj-section><mj-column>\n  <mj-image src="{{u}}" alt="a" href="b" />\n  <mj-text>c <b>d</b></mj-text></mj-column></mj-section>',
    };
    const note = " (x.mjml → _part.mjml)";
    const sites = await sitesOf(files);
    expect(sites.slice(0, 5)).toEqual([
      "html x.mjml:1:1",
      "head x.mjml:1:17",
      "title x.mjml:1:26",
      "body x.mjml:2:97",
      "div x.mjml:2:1",
    ]);
    expect(sites.filter((site) => /^(?:img|a) /.test(site))).toEqual([
      `a _part.mjml:2:3${note}`,
      `img _part.mjml:2:3${note}`,
    ]);
    // The cell around a text has its padding.
    expect(sites.slice(-3)).toEqual([
      `td _part.mjml:3:3${note}`,
      `div _part.mjml:3:3${note}`,
      `b _part.mjml:3:14${note}`,
    ]);
  });

  it("records the source of HTML in raw elements and tables, in conditional comments, and between Mustache tags", async () => {
    const mjml = inColumn(`<mj-table>{{#rows}}
<tr><td>{{.}}</td></tr>{{/rows}}</mj-table>
<mj-raw><!--[if mso]><i>a</i><![endif]--></mj-raw>`);
    const sites = await sitesOf({ "x.mjml": mjml });
    expect(sites).toContain("tr x.mjml:3:1");
    expect(sites).toContain("td x.mjml:3:5");
    expect(sites).toContain("i x.mjml:4:22");
  });

  it.each([
    [
      "html attributes",
      `<mj-html-attributes><mj-selector path=".a td"><mj-html-attribute name="data-b">c</mj-html-attribute></mj-selector></mj-html-attributes>`,
    ],
    [
      "inlined styles",
      `<mj-style inline="inline">.a td { color: red } p { top: 0 } a:hover { color: blue }</mj-style>`,
    ],
    ["a raw head", `<mj-raw><meta name="a" content="b"></mj-raw><mj-style>.a { color: {{c}} }</mj-style>`],
  ])("is the same with %s", async (_, head) => {
    const body = inColumn(`<mj-text css-class="a"><p>a<br>b</p><p></p></mj-text><mj-spacer /><mj-divider />
<mj-social><mj-social-element name="github" href="a">b <b>c</b></mj-social-element></mj-social>
<mj-accordion><mj-accordion-element><mj-accordion-title>a</mj-accordion-title><mj-accordion-text>b<p>c</p></mj-accordion-text></mj-accordion-element></mj-accordion>
<mj-navbar hamburger="hamburger"><mj-navbar-link href="/a">b</mj-navbar-link></mj-navbar>
<mj-carousel><mj-carousel-image src="a" /><mj-carousel-image src="b" href="c" /></mj-carousel>
<mj-button href="a" css-class="b">c <i>d</i></mj-button>`);
    await siteOne({ "x.mjml": body.replace("<mjml>", `<mjml><mj-head>${head}</mj-head>`) });
  });
});

describe("without its sites", () => {
  it.each([
    ["x.mjml", inColumn("<mj-text>{{#a}}</mj-text>\n<mj-texd></mj-texd><mj-image width='{{w}}' src='{{s}}' />")],
    ["x.mjml", inColumn("<mj-raw><i>a</i><div></mj-raw>\n<mj-text>{{b}}</mj-text>")],
    ["x.mjml", inColumn("<mj-image width='{{w}}' src='{{s}}' />")],
    ["x.html", "<p>a<i>b</p>"],
    ["x.html", '<style data-inline>p { color: red }</style>\n<p><i class="{{c}}">a</i></p>'],
    ["x.html", "<p>{{a}} &#123;&#123;b&#125;&#125;</p><img src='_assets/none.png'>"],
  ])("a build finds the same problems: %s %s", async (name, text) => {
    const { templates } = loadTemplates([await projects.write({ [name]: text })]);
    expect((await compileAll(templates, projects.context()))[0]?.diagnostics).not.toEqual([]);
    expect(await expectSameBut(templates)).toEqual([]);
  });

  it.each(["templates", "test/render/fixtures/gallery"])("a build is the ordinary one: %s", async (folder) => {
    const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
    const { templates } = loadTemplates([root]);
    const sited = await expectSameBut(templates.filter(({ engine }) => engine !== "react"));
    expect(sited.length).toBeGreaterThan(0);
    for (const { html } of sited) {
      const open = scanMarkup(html.text).pieces.filter((piece) => piece.kind === "open");
      const numbers = open.flatMap(({ attributes }) => attributes.filter(({ name }) => name === SITE_ATTRIBUTE));
      expect(numbers.length).toBeGreaterThan(0);
      expect(numbers.every(({ value }) => html.places[Number(value)] !== undefined)).toBe(true);
    }
  });

  it.each([
    ["mjml", mjmlSource],
    ["html", htmlSource],
  ] as const)("a random body is the ordinary one: %s", async (engine: Engine, sources) => {
    const folder = path.resolve("/nowhere");
    await fc.assert(
      fc.asyncProperty(sources, async (text) => {
        const body = { file: path.join(folder, `x.${engine}`), text };
        await expectSameBut([{ name: "x", engine, root: folder, folder, body, metadata: {}, fixtures: [] }]);
      }),
      runs,
    );
  });
});
