import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { completeVariables } from "../../src/mustache/complete.js";
import { fill, renderMustache } from "../../src/mustache/fill.js";
import type { Variables } from "../../src/mustache/variables.js";
import { meaningOf } from "./meaning.js";
import { compiledOf, inColumn, useProjects } from "./project.js";

const { compileOne } = useProjects();
const require = createRequire(import.meta.url);
const mjml: (text: string, options: object) => Promise<{ html: string }> = require("mjml");
const mustache: { render(text: string, variables: unknown): string } = require("mustache");

/** A name with characters that have a meaning in HTML; lists of no, one and three items; both values of the boolean. */
const examples: Variables[] = [0, 1, 3].flatMap((count) =>
  [true, false].map((vip) => ({
    name: `Ada & "<b>" 'é🎉'`,
    count: 5,
    vip,
    url: "https://a.example/?a=1&b=2",
    user: { name: "Bob", vip },
    items: Array.from({ length: count }, (_, index) => ({
      title: `T${index} <i>&`,
      url: `https://i.example/?n=${index}&x=1`,
      isFirst: index === 0,
      tags: ["x", "y&"].slice(0, index),
    })),
  })),
);
const fixtures = Object.fromEntries(
  examples.map((variables, index) => [`x/fixtures/${index}.json`, JSON.stringify(variables)]),
);

const inHtml = [
  "<!-- {{#items}} --><p>{{title}}</p><!-- {{/items}} --><!--{{^items}}--><p>none</p><!--{{/items}}-->",
  "<table><!-- {{#items}}\n{{#isFirst}} --><tr><td>{{title}}</td></tr><!-- {{/isFirst}}{{/items}} --></table>",
  "<!--[if mso]>{{#vip}}<table><tr><td>V</td></tr></table>{{/vip}}<![endif]--><p>{{name}}</p>",
  "<!--[if !mso]><!-->{{#vip}}<p>{{name}}</p>{{/vip}}<!--<![endif]-->",
  "<!--><p>{{name}}</p><!-- b --!><p>c</p><!-- d -->",
  `<a href='{{url}}' {{#vip}}class="v"{{/vip}} title='{{name}}'>x</a>`,
  `<a href="{{{url}}}" title="{{&count}}">x {{& name}}</a>`,
  `<a href="https://a.example/?a={{count}}&b={{name}}&amp;c={{{count}}}">x</a>`,
  `<a title="{{#vip}}>{{/vip}}<" href="{{url}}">x</a>`,
  `<a href="{{#items}}{{url}}{{/items}}" style="color:red;{{#vip}}margin:0{{/vip}}">x</a>`,
  "<select>{{#items}}<option value='{{url}}' {{#isFirst}}selected{{/isFirst}}>{{title}}</option>{{/items}}</select>",
  "<table><tr>{{#items}}<td>{{title}}</td>{{/items}}{{^items}}<td>none</td>{{/items}}</tr></table>",
  "<p>{{#items}}{{#tags}}<i title='{{.}}'>{{.}}|{{{.}}}|{{&.}}</i>{{/tags}}{{^tags}}none{{/tags}}{{/items}}</p>",
  "<p>{{#items}}{{#items}}{{title}}{{/items}}{{/items}}</p>",
  "<p>{{#user}}{{name}} {{count}}{{#vip}}!{{/vip}}{{/user}} {{user.name}} {{#user.vip}}?{{/user.vip}}</p>",
  "<p>{{#\nvip\n}}v{{/vip}} {{\nname\n}} {{# vip }}w{{/ vip }}</p>",
  "<p>\r\n  a\r\n{{#items}}\r\n  <b>{{title}}</b>\r\n{{/items}}\r\n</p>",
  "<p>{ {{name}} } 1 < 2 a & b &lt; &amp;lt;</p>",
  "<table><tr{{#vip}} class='v'{{/vip}}><td{{^vip}} title='{{name}}'{{/vip}}>x</td></tr></table>",
  "<ul>{{#items}}<li>{{title}}{{/items}}</ul><p>a{{#vip}}<p>b{{/vip}}",
];

const inMjml = [
  "<mj-table><tr{{#vip}} class='v'{{/vip}}><td{{^vip}} title='{{name}}'{{/vip}}>x</td></tr></mj-table>",
  "<mj-text><!-- {{#vip}} -->V<!-- {{/vip}} --> x</mj-text>",
  "<mj-table><!-- {{#items}} --><tr><td>{{title}}</td></tr><!-- {{/items}} --></mj-table>",
  "<!-- {{#items}} --><mj-text>{{title}}</mj-text><!-- {{/items}} -->",
  "<mj-raw><tr><td><!-- {{#items}} --><p>{{title}}</p><!-- {{/items}} --></td></tr></mj-raw>",
  `<mj-button href="https://a.example/?a={{count}}&b={{name}}&amp;c={{{count}}}">A &amp; B {{{name}}}</mj-button>`,
  `<mj-image src="{{url}}&z=1" href="{{{url}}}" alt="{{#vip}}{{name}}{{/vip}} &quot;x&quot;" />`,
  "<mj-table><tr>{{#items}}<td>{{title}}</td>{{/items}}</tr>{{#vip}}<tr><td>V</td></tr>{{/vip}}</mj-table>",
  "<mj-accordion>{{#items}}<mj-accordion-element><mj-accordion-title>{{title}}</mj-accordion-title><mj-accordion-text>{{#isFirst}}1{{/isFirst}}</mj-accordion-text></mj-accordion-element>{{/items}}</mj-accordion>",
  "<mj-navbar base-url='https://b.example'>{{#items}}<mj-navbar-link href='/{{title}}'>{{title}}</mj-navbar-link>{{/items}}</mj-navbar>",
  "<mj-social>{{#items}}<mj-social-element name='facebook' href='{{url}}'>{{title}}</mj-social-element>{{/items}}</mj-social>",
  "<mj-text><p style='color:red;{{#vip}}margin:0{{/vip}}'>{{#items}}{{#tags}}{{.}}{{/tags}}{{/items}}</p></mj-text>",
];

async function expectSameMeaning(engine: "html" | "mjml", source: string, before: (variables: Variables) => unknown) {
  const compiled = compiledOf(await compileOne({ [`x/x.${engine}`]: source, ...fixtures }));
  for (const variables of examples) {
    const { html } = fill(compiled, variables);
    expect(meaningOf(html)).toEqual(meaningOf(String(await before(variables))));
    const elsewhere = mustache.render(compiled.html_body, completeVariables(compiled.contract, variables));
    expect(withEntities(elsewhere)).toBe(withEntities(html));
  }
}

/** Engines escape different characters. */
function withEntities(html: string): string {
  return html
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll("&#x2F;", "/")
    .replaceAll("&#x3D;", "=");
}

describe("common Mustache idioms keep their meaning when compiled, for any list and boolean", () => {
  it.each(inHtml)("in html: %s", async (body) => {
    const source = `<html><head><title>a</title></head><body>\n${body}\n</body></html>`;
    await expectSameMeaning("html", source, (variables) => renderMustache(source, variables, { escape: "html" }));
  });

  it.each(inMjml)("in MJML: %s", async (elements) => {
    const source = inColumn(elements);
    await expectSameMeaning("mjml", source, async (variables) => {
      const { html } = await mjml(renderMustache(source, variables, { escape: "html" }), {});
      return html;
    });
  });
});
