import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os, { availableParallelism } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ConfigurationError } from "../../../src/errors.js";
import { compileAll } from "../../../src/render/compile.js";
import { RenderThread } from "../../../src/render/mjml/render-thread.js";
import { loadTemplates } from "../../../src/project/load-templates.js";
import type { CompileResult, Template } from "../../../src/project/template.js";
import { compiledOf, useProjects } from "../project.js";
import { mjmlSource } from "../random-source.js";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const MJML = createRequire(import.meta.url).resolve("mjml");

const projects = useProjects();
const runs = { numRuns: process.env["MODE"] === "long" ? 500 : 6 };
/** Of a project whose mjml follows instructions in the text. */
let folder = "";

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "lettershop mjml ")));
  for (const name of ["mjml-core", "mjml-validator"]) {
    await mkdir(path.join(folder, "node_modules", "mjml"), { recursive: true });
    await symlink(path.join(REPOSITORY, "node_modules", name), path.join(folder, "node_modules", name), "junction");
  }
  await writeFile(
    fileIn(folder),
    `const mjml = require(${JSON.stringify(MJML)});
     const { isMainThread } = require("node:worker_threads");
     module.exports = async (tree, options) => {
       const text = JSON.stringify(tree);
       if (text.includes("THROW")) throw new TypeError("MJML does not like it.");
       if (text.includes("EXIT")) process.exit(3);
       if (text.includes("CRASH")) await new Promise(() => setTimeout(() => { throw new Error("Too late.") }));
       const { html } = await mjml(tree, options);
       const where = isMainThread ? "here" : "elsewhere, with " + Object.keys(process.env).length;
       return { html: html.replaceAll("WHERE", where) };
     };`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function fileIn(project: string): string {
  return path.join(project, "node_modules", "mjml", "index.js");
}

function threadOf(file: string): RenderThread {
  const thread = new RenderThread(file);
  onTestFinished(() => thread.close());
  return thread;
}

function template(name: string, text: string): Template {
  const root = path.resolve("/nowhere");
  const body = { file: path.join(root, `${name}.mjml`), text };
  return { name, engine: "mjml", root, folder: root, body, metadata: { subject: "Hi" }, fixtures: [] };
}

function templatesOf(words: string, count: number): Template[] {
  const body = `<mjml><mj-body><mj-section><mj-column><mj-text>${words}</mj-text></mj-column></mj-section></mj-body></mjml>`;
  return Array.from({ length: count }, (_, index) => template(`mail-${index}`, body));
}

function places(results: readonly CompileResult[]): Set<string> {
  const html = results.map((result) => compiledOf(result).html_body);
  return new Set(html.map((text) => /here|elsewhere, with \d+/.exec(text)?.[0] ?? "nowhere"));
}

describe("MJML renders the same in a separate thread as in the main thread", () => {
  const mjml = new RenderThread(MJML);
  afterAll(() => mjml.close());

  test("the starters, sited", async () => {
    const { templates } = loadTemplates([path.join(REPOSITORY, "templates")]);
    const starters = templates.filter(({ engine }) => engine === "mjml");
    expect(starters.length).toBeGreaterThan(1);
    const sited = await compileAll(starters, projects.context({ mjml, sited: true }));
    expect(sited).toEqual(await compileAll(starters, projects.context({ sited: true })));
  });

  test("random bodies", async () => {
    await fc.assert(
      fc.asyncProperty(mjmlSource, async (source) => {
        const one = [template("x", source)];
        expect(await compileAll(one, projects.context({ mjml }))).toEqual(await compileAll(one, projects.context()));
      }),
      runs,
    );
  });

  test("an error", async () => {
    const templates = templatesOf("THROW", 1);
    const message = "The mjml template can't be compiled: MJML does not like it.";
    const failed = [{ diagnostics: [{ rule: "compile-failed", message }] }];
    const throwing = threadOf(fileIn(folder));
    const elsewhere = projects.context({ folder, mjml: throwing });
    expect(await compileAll(templates, projects.context({ folder }))).toMatchObject(failed);
    expect(await compileAll(templates, elsewhere)).toMatchObject(failed);
    // It continues with the next one.
    expect(places(await compileAll(templatesOf("WHERE", 1), elsewhere))).toEqual(new Set(["elsewhere, with 0"]));
  });
});

describe("rendering many templates uses a thread", () => {
  test.skipIf(availableParallelism() === 1)("without the environment's variables, in order", async () => {
    const templates = templatesOf("WHERE", 50);
    const results = await compileAll(templates, projects.context({ folder }));
    expect(places(results)).toEqual(new Set(["elsewhere, with 0"]));
    expect(results.map(({ name }) => name)).toEqual(templates.map(({ name }) => name));
  });

  test("unless there are few", async () => {
    expect(places(await compileAll(templatesOf("WHERE", 10), projects.context({ folder })))).toEqual(new Set(["here"]));
  });

  test("unless there are components among them, which have a thread", async () => {
    const root = await projects.write({
      "note/note.tsx": `export default () => <html><body>WHERE</body></html>;`,
      "note/template.json": `{ "subject": "Note" }`,
    });
    const templates = [...templatesOf("WHERE", 50), ...loadTemplates([root]).templates];
    const results = await compileAll(templates, projects.context({ folder }));
    expect(places(results.filter(({ template: { engine } }) => engine === "mjml"))).toEqual(new Set(["here"]));
  });
});

describe("a thread that ends", () => {
  /** Names of the templates that failed, with the reasons. */
  const failures = (results: readonly CompileResult[]) =>
    results.flatMap(({ name, diagnostics }) => diagnostics.map(({ message }) => `${name}: ${message}`));

  test.each([
    ["EXIT", "The thread that renders MJML ended with code 3."],
    ["CRASH", "The thread that renders MJML ended: Too late."],
  ])("is an error of the template that ended it, and of no other: %s", async (words, message) => {
    const mjml = threadOf(fileIn(folder));
    const context = projects.context({ folder, mjml });
    const templates = [...templatesOf("WHERE", 3), ...templatesOf(words, 2), ...templatesOf("WHERE", 3)].map(
      (each, index) => ({
        ...each,
        name: `mail-${index}`,
      }),
    );
    const results = await Promise.all(templates.map((each) => compileAll([each], context)));
    expect(failures(results.flat())).toEqual([
      `mail-3: The mjml template can't be compiled: ${message}`,
      `mail-4: The mjml template can't be compiled: ${message}`,
    ]);
    expect(places(await compileAll(templatesOf("WHERE", 1), context))).toEqual(new Set(["elsewhere, with 0"]));
  });

  test.skipIf(availableParallelism() === 1)("does not end the run that it is for", async () => {
    const templates = [
      ...templatesOf("WHERE", 25),
      template("broken", templatesOf("EXIT", 1)[0]?.body.text ?? ""),
      ...templatesOf("WHERE", 25),
    ];
    const results = await compileAll(templates, projects.context({ folder }));
    expect(results.filter(({ compiled }) => !compiled).map(({ name }) => name)).toEqual(["broken"]);
  });

  test("renders nothing if it ended before loading MJML, and is not restarted", async () => {
    const mjml = threadOf(path.join(folder, "missing.js"));
    const pending = [1, 2].map(() => mjml.render({ tagName: "mjml", attributes: {} }));
    for (const each of pending) await expect(each).rejects.toThrow("The thread that renders MJML ended: ");
    await expect(mjml.render({ tagName: "mjml", attributes: {} })).rejects.toThrow("missing.js");
  });

  test("leaves its remaining tasks undone", async () => {
    const mjml = new RenderThread(MJML);
    const pending = mjml.render({ tagName: "mjml", attributes: {} });
    await Promise.all([expect(pending).rejects.toThrow("The thread that renders MJML was closed"), mjml.close()]);
  });
});

test("an unsupported version is rejected with the same message", async () => {
  const unknown = path.join(folder, "unknown");
  await mkdir(path.dirname(fileIn(unknown)), { recursive: true });
  await writeFile(fileIn(unknown), "module.exports = {};");
  for (const count of [1, 50]) {
    const compiling = compileAll(templatesOf("Hi", count), projects.context({ folder: unknown }));
    await expect(compiling).rejects.toThrow(ConfigurationError);
  }
});
