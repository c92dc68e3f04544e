import { createRequire } from "node:module";
import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fill, renderMustache } from "../../src/mustache/fill.js";
import { scan } from "../../src/mustache/scan.js";
import type { Variables } from "../../src/mustache/variables.js";
import { compileTemplate } from "../../src/render/compile.js";
import type { CompileResult, Engine } from "../../src/project/template.js";
import { meaningOf } from "./meaning.js";
import { compiledOf, useProjects } from "./project.js";
import { htmlSource, mjmlSource, variables } from "./random-source.js";

const projects = useProjects();
const mjml: (text: string, options: object) => Promise<{ html: string }> = createRequire(import.meta.url)("mjml");
const runs = { numRuns: process.env["MODE"] === "long" ? 1000 : 25 };

function compile(engine: Engine, text: string): Promise<CompileResult> {
  const folder = path.resolve("/nowhere");
  const body = { file: path.join(folder, `x.${engine}`), text };
  return compileTemplate(
    { name: "x", engine, root: folder, folder, body, metadata: {}, fixtures: [] },
    projects.context(),
  );
}

/** Filling the compiled source, and compiling the filled source, must give the same result. */
function expectSameMeaning(result: CompileResult, values: Variables, filledFirst: string): void {
  const filled = fill(compiledOf(result), values);
  expect(meaningOf(filled.html)).toEqual(meaningOf(filledFirst));
  const text = `${filled.text} `.replaceAll(BULLET, "").replaceAll(ADDRESS, "").replaceAll(/[,:]/g, "");
  expect(withoutSpace(text)).toBe(textOf(filled.html));
}

/** What the text body adds to what the HTML shows, including commas between the lines of a cell and a colon after a label. */
const BULLET = /^ *(?:---|(?:-|\d+\.)(?: |$))/gm;
const ADDRESS = /(?:: |^ *)(?:https:\S*|\/e)(?=\s)| \((?:https:[^)]*|\/e)\)/gm;

function textOf(html: string): string {
  const words = meaningOf(html).filter((word) => !word.startsWith("@"));
  return withoutSpace(words.join("")).replaceAll("&amp;", "&").replaceAll("&#8202;", "");
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

describe("random Mustache in random valid places", () => {
  it("keeps its meaning in MJML", async () => {
    await fc.assert(
      fc.asyncProperty(mjmlSource, variables, async (source, values) => {
        const { html } = await mjml(renderMustache(source, values, { escape: "html" }), {});
        expectSameMeaning(await compile("mjml", source), values, html);
      }),
      runs,
    );
  });

  it("keeps its meaning in HTML", async () => {
    await fc.assert(
      fc.asyncProperty(htmlSource, variables, async (source, values) => {
        expectSameMeaning(await compile("html", source), values, renderMustache(source, values, { escape: "html" }));
      }),
      runs,
    );
  });

  it.each([
    ["mjml", mjmlSource],
    ["html", htmlSource],
  ] as const)("is lost by no mistake without a word: %s", async (engine, sources) => {
    await fc.assert(
      fc.asyncProperty(
        sources,
        fc.nat(),
        fc.constantFrom("", "<", ">", '"', "/", "<!--", "</", "<b>"),
        async (source, at, typo) => {
          // One character is missing or replaced.
          const place = at % source.length;
          const broken = source.slice(0, place) + typo + source.slice(place + 1);
          const { compiled } = await compile(engine, broken);
          if (!compiled) return;
          const uncommented = broken.replaceAll(/<!--[^]*?-->/g, "");
          for (const { kind, start, end } of scan(uncommented).tags) {
            if (kind !== "comment") expect(compiled.html_body).toContain(uncommented.slice(start, end));
          }
        },
      ),
      { numRuns: 2 * runs.numRuns },
    );
  });
});
