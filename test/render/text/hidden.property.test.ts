import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fill } from "../../../src/mustache/fill.js";
import { parse } from "../../../src/mustache/parse.js";
import { compileTemplate } from "../../../src/render/compile.js";
import { Hidden, parseHtml, textIn } from "../../../src/render/text/tree.js";
import type { CompileResult, Template } from "../../../src/project/template.js";
import { useProjects } from "../project.js";

const projects = useProjects();
const runs = { numRuns: process.env["MODE"] === "long" ? 2000 : 40 };

function compile(body: string): Promise<CompileResult> {
  const folder = path.resolve("/nowhere");
  const fileOf = (name: string, text: string) => ({ file: path.join(folder, name), text });
  const variables = { list: [{ x: "v" }, { x: "w" }], shown: true, other: true, x: "u" };
  const template: Template = {
    name: "x",
    engine: "html",
    root: folder,
    folder,
    body: fileOf("x.html", `<body>${body}</body>`),
    metadata: { subject: "Hi" },
    fixtures: [{ name: "default", variables, source: fileOf("default.json", "") }],
  };
  return compileTemplate(template, projects.context());
}

const word = fc.stringMatching(/^[a-z]{1,3}$/).map((text) => ` ${text} `);
const hides = fc.constantFrom("", "", " hidden", ' style="display:none"', ' class="preheader"');
const opens = fc.tuple(fc.constantFrom("p", "div", "li", "b"), hides);

/** Nested elements; paragraphs and items often without their closing tag, or with a superfluous one. */
const body = fc.letrec<{ content: string }>((tie) => ({
  content: fc
    .array(
      fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        { weight: 2, arbitrary: word },
        fc.constantFrom("{{x}} ", "</p>"),
        fc
          .tuple(opens, tie("content"), fc.boolean())
          .map(([[name, hiding], inner, isClosed]) =>
            !isClosed && (name === "p" || name === "li")
              ? `<${name}${hiding}>${inner}`
              : `<${name}${hiding}>${inner}</${name}>`,
          ),
        fc.tuple(hides, tie("content")).map(([hiding, inner]) => `<table${hiding}><tr><td>${inner}</td></tr></table>`),
        fc
          .tuple(fc.constantFrom("#list", "#shown", "^shown", "#other", "^list"), tie("content"))
          .map(([name, inner]) => `{{${name}}}${inner}{{/${name.slice(1)}}}`),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join("")),
})).content;

const item = fc.record({ x: word });
const variables = fc.record({
  x: word,
  list: fc.array(item, { maxLength: 2 }),
  shown: fc.boolean(),
  other: fc.boolean(),
});

describe("hidden elements with sections in, around and across them", () => {
  it.each([
    `<p style="display:none">{{^shown}}<li>{{/shown}}{{#list}}<table><tr><td> a </td></tr></table>{{/list}}`,
    `<p>{{#list}}<p></p>{{/list}}<li class="preheader"></p> a `,
  ])("are rejected if a section decides which element ends implicitly: %s", async (source) => {
    expect((await compile(source)).diagnostics.map(({ rule }) => rule)).toEqual(["markup-unbalanced"]);
  });

  it("are omitted from the text as from that of the filled HTML, or the HTML is rejected", async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.array(variables, { minLength: 4, maxLength: 4 }), async (source, examples) => {
        const { compiled, diagnostics } = await compile(source);
        if (!compiled) {
          expect(diagnostics.map(({ rule }) => rule)).toEqual(["markup-unbalanced"]);
          return;
        }
        expect(parse(compiled.text_body).problems).toEqual([]);
        for (const values of examples) {
          const { html, text } = fill(compiled, values);
          expect(lettersOf(text)).toBe(lettersOf(await shownIn(html)));
        }
      }),
      runs,
    );
  });
});

async function shownIn(html: string): Promise<string> {
  const document = await parseHtml(html);
  return textIn(new Hidden(document, []).shown(document));
}

/** Without white space, bullets and the commas between the lines of a cell. */
function lettersOf(text: string): string {
  return text.replaceAll(/[^a-z]/g, "");
}
