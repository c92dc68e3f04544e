import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bundleModule } from "../../../src/process/bundle.js";
import { completeVariables } from "../../../src/mustache/complete.js";
import { evaluator } from "../../../src/mustache/expression/evaluate.js";
import { renderMustache } from "../../../src/mustache/fill.js";
import { decodeReactEntities } from "../../../src/render/react/react-html.js";
import { rewriteModule } from "../../../src/render/react/rewrite/rewrite.js";
import type { Variables } from "../../../src/mustache/variables.js";
import { typeInWords } from "../../../src/registry/print-type.js";
import { useProjects } from "../project.js";
import { component, SCHEMA, variables } from "./generator.js";
import { Project } from "./project.js";
import { renderWith } from "./render.js";
import { fillStrictly } from "./strict-engine.js";

const project = await Project.make();
const projects = useProjects();
const long = process.env["MODE"] === "long";
const RUNS = long ? 2000 : 14;

/** With null for what may be absent, as applications in JavaScript pass it. */
function withNulls(example: Variables): Variables {
  return { ...Object.fromEntries(Object.keys(SCHEMA.properties ?? {}).map((name) => [name, null])), ...example };
}

describe("random components from what is supported", () => {
  test("are filled to what React renders, also by engines with other falsy values, or are refused", async () => {
    let compiled = 0;
    await fc.assert(
      fc.asyncProperty(component, fc.array(variables, { minLength: 4, maxLength: 4 }), async (source, examples) => {
        const fixtures = Object.fromEntries(examples.map((example, index) => [`example-${index}`, example]));
        const found = await project.prove(source, { fixtures, schema: SCHEMA });
        const { html, output } = found;
        const diagnostics = found.diagnostics.filter(({ rule }) => rule !== "react-undefined");
        expect(diagnostics.filter(({ rule }) => rule !== "react-unsupported")).toEqual([]);
        if (diagnostics.length > 0) return;
        compiled += 1;
        const contract = { input: SCHEMA, conditions: output.conditions ?? [] };
        for (const example of examples) {
          const filled = completeVariables(contract, example, {}, { evaluator, locale: "en-US", timeZone: "UTC" });
          const strictly = fillStrictly(html, JSON.parse(JSON.stringify(filled)));
          expect(decodeReactEntities(strictly)).toBe(
            decodeReactEntities(renderMustache(html, filled, { escape: "html" })),
          );
        }
      }),
      { numRuns: RUNS },
    );
    expect(compiled).toBeGreaterThan(RUNS / 4);
  });

  test("with typed props, are never refused for null and absent, whichever of the two is passed", async () => {
    const refusals: string[] = [];
    await fc.assert(
      fc.asyncProperty(component, fc.array(variables, { minLength: 2, maxLength: 2 }), async (source, examples) => {
        const fixtures = examples.map((example, index) => [
          `a/fixtures/${index}.json`,
          JSON.stringify(withNulls(example)),
        ]);
        const { diagnostics } = await projects.compileOne({
          "a/a.tsx": source.replace("Email(p)", `Email(p: ${typeInWords(SCHEMA)})`),
          "a/template.json": '{ "subject": "Hi" }',
          ...Object.fromEntries(fixtures),
        });
        const errors = diagnostics.filter(({ severity }) => severity === "error");
        expect(errors.filter(({ rule }) => rule !== "react-unsupported")).toEqual([]);
        refusals.push(...errors.map(({ message }) => message.replace(/^.*` /s, "")));
      }),
      { numRuns: RUNS },
    );
    expect(refusals.filter((message) => /\b(?:null|undefined)\b/.test(message))).toEqual([]);
  });

  test("behave the same with real variables after rewriting", async () => {
    await fc.assert(
      fc.asyncProperty(component, variables, async (source, example) => {
        const { body } = await project.template(source);
        const plain = await bundleModule(body.file);
        const rewritten = await bundleModule(body.file, { transform: rewriteModule });
        expect(await renderWith(project, rewritten, example)).toEqual(await renderWith(project, plain, example));
      }),
      { numRuns: RUNS / 2 },
    );
  });
});
