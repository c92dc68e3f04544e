import path from "node:path";
import { describe, expect, it } from "vitest";
import { DIAGNOSTICS, RULES } from "../../src/check/catalogue.js";
import { checkTemplates } from "../../src/check/index.js";
import { type ExampleTemplate, extensionOf, MARK } from "../../src/check/rule.js";
import { positionAt } from "../../src/text/position.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import { rebuilding, useProjects } from "../render/project.js";
import { page } from "./findings.js";

const projects = useProjects();

/** The files of an example, without marks, and the marked places, each as `file:line:column`. */
function readExample(example: ExampleTemplate) {
  const sources = typeof example === "string" ? { [`order/order${extensionOf(example)}`]: example } : example;
  const marked: string[] = [];
  const files: Record<string, string> = {};
  for (const [file, source] of Object.entries(sources)) {
    const isPart = /^(?!_)[^/]*(?:\/[^_/][^/]*)?\.html$/.test(file) && !/<html/.test(source);
    const [first = "", ...others] = (isPart ? page(source) : source).split(MARK);
    let text = first;
    for (const rest of others) {
      const { line, column } = positionAt(text, text.length);
      marked.push(`${path.basename(file)}:${line}:${column}`);
      text += rest;
    }
    files[file] = text;
  }
  return { files, marked };
}

/** What `check` reports with this rule only, and when compiling, each as `id file:line:column`. */
async function diagnosticsOf(files: Readonly<Record<string, string>>, id: string): Promise<string[]> {
  const root = await projects.write(files);
  const loaded = loadTemplates([root]);
  const context = rebuilding(projects.context());
  const { diagnostics } = await checkTemplates({
    templates: loaded.templates,
    context,
    rules: RULES.filter((rule) => rule.id === id),
    files: () => Promise.resolve({ all: Object.keys(files).map((file) => path.join(root, file)) }),
  });
  return [...loaded.diagnostics, ...diagnostics].map(({ rule, at }) => {
    const place = [path.basename(at?.file ?? ""), at?.line, at?.column];
    return [rule, ...(at?.line === undefined ? [] : [place.join(":")])].join(" ");
  });
}

describe.each(DIAGNOSTICS.filter(({ examples }) => examples))("$id", ({ id, examples }) => {
  it.each(examples?.wrong ?? [])("reports %j", async (example) => {
    const { files, marked } = readExample(example);
    // One that is reported for a file or a template has no mark.
    const expected = new Set([...marked.map((place) => `${id} ${place}`), ...(marked.length === 0 ? [id] : [])]);
    const found = new Set(await diagnosticsOf(files, id));
    if (marked.length > 0) found.delete(id);
    expect(found).toEqual(expected);
  });

  it.each(examples?.right ?? [])("accepts %j", async (example) => {
    expect(await diagnosticsOf(readExample(example).files, id)).toEqual([]);
  });
});

it("has examples for every rule that needs no network and no unusual project", () => {
  const without = RULES.filter(({ examples, needsNetwork }) => !examples && !needsNetwork).map(({ id }) => id);
  expect(without).toEqual([
    "client-unknown",
    "gmail-clipping",
    "length-near-limit",
    "template-count",
    "registry-out-of-date",
    "registry-template-missing",
  ]);
});
