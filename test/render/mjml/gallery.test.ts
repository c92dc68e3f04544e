import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { stableIds } from "../../../src/render/mjml/empty-values.js";
import { compactHtml } from "../../../src/render/bodies.js";
import { scan } from "../../../src/mustache/scan.js";
import { compileAll } from "../../../src/render/compile.js";
import { hasErrors } from "../../../src/diagnostic.js";
import { loadTemplates } from "../../../src/project/load-templates.js";
import { compiledOf, useProjects } from "../project.js";

const projects = useProjects();
const gallery = fileURLToPath(new URL("../fixtures/gallery", import.meta.url));
const names = readdirSync(gallery).filter((name) => name.endsWith(".mjml"));

describe("templates in the style of MJML's gallery", () => {
  it("compile, with all their tags", async () => {
    const { templates, diagnostics } = loadTemplates([gallery]);
    expect(diagnostics).toEqual([]);
    for (const result of await compileAll(templates, projects.context())) {
      expect({ [result.name]: result.diagnostics.filter(({ severity }) => severity === "error") }).toEqual({
        [result.name]: [],
      });
      const { html_body, subject } = compiledOf(result);
      for (const tag of scan(result.template.body.text).tags) {
        if (tag.kind === "comment" || tag.kind === "partial") continue;
        const written = result.template.body.text.slice(tag.start, tag.end);
        expect(html_body + subject).toContain(written);
      }
    }
  });
});

describe("the compiler's MJML parser", () => {
  const mjml: (text: string, options: object) => Promise<{ html: string }> = createRequire(import.meta.url)("mjml");

  /** Without tags MJML's own parser loses nothing, so both must give the same result. */
  const plain = names
    .map((name) => [name, readFileSync(`${gallery}/${name}`, "utf8").replaceAll(/\{\{[{]?[^}]*\}?\}\}/g, "")] as const)
    .filter(([, text]) => !text.includes("mj-include") && !text.includes("[if !mso]"));

  it.each(plain)("gives what MJML gives: %s", async (name, text) => {
    const [result] = await projects.compile({ [name]: text });
    if (!result || hasErrors(result.diagnostics)) throw new Error(JSON.stringify(result?.diagnostics));
    const { html } = await mjml(text, { keepComments: false });
    expect(compiledOf(result).html_body).toBe(compactHtml(stableIds(html)));
  });
});
