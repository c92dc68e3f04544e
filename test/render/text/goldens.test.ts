import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createModuleHost, type ModuleHost } from "../../../src/process/host.js";
import { fill } from "../../../src/mustache/fill.js";
import { compileAll } from "../../../src/render/compile.js";
import { loadTemplates } from "../../../src/project/load-templates.js";
import type { CompileResult } from "../../../src/project/template.js";
import { compiledOf } from "../project.js";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const shapes = fileURLToPath(new URL("shapes", import.meta.url));

/** Templates and their fixtures: emails that are difficult to convert to plain text, and the starters. */
const examples = {
  account: ["full", "quiet"],
  code: ["default"],
  digest: ["none", "one", "three"],
  invite: ["alone", "full"],
  notes: ["full", "least"],
  order: ["full", "least"],
  "password-reset": ["default", "long-names", "minimal"],
  "payment-failed": ["default", "last-attempt", "long-names"],
  receipt: ["default", "many-items", "minimal", "whole-units"],
  "sign-in-code": ["default", "long-names", "minimal"],
  "team-invite": ["default", "long-names", "no-message"],
  welcome: ["default", "long-names", "no-trial"],
};

let cacheFolder: string;
let host: ModuleHost;
let results: readonly CompileResult[];

beforeAll(async () => {
  cacheFolder = await mkdtemp(path.join(os.tmpdir(), "lettershop texts "));
  host = createModuleHost({ cacheFolder });
  const { templates } = loadTemplates([shapes, path.join(repository, "templates")]);
  // The starters' own texts are left out, so that theirs are derived, too.
  const derived = templates.map((template) => ({ ...template, text: undefined }));
  results = await compileAll(derived, { host, folder: repository, locale: "en-US", timeZone: "UTC" });
});

afterAll(async () => {
  await host.close();
  await rm(cacheFolder, { recursive: true, force: true });
});

describe("derived texts, filled", () => {
  it("exist for all templates and fixtures", () => {
    const found = results.map(({ name, template }) => [name, template.fixtures.map((fixture) => fixture.name)]);
    expect(Object.fromEntries(found)).toEqual(examples);
  });

  it.each(Object.entries(examples).flatMap(([name, fixtures]) => fixtures.map((fixture) => [name, fixture])))(
    "%s, %s",
    async (name, fixture) => {
      const [result] = results.filter((each) => each.name === name);
      if (!result) throw new Error(`There is no ${name}.`);
      const template = compiledOf(result);
      const variables = template.fixtures.find((each) => each.name === fixture)?.variables ?? {};
      expect(template.text_body).not.toMatch(/[ \t]$|\n\n\n/m);
      const text = fill(template, variables).text.replaceAll(/[ \t]+$/gm, "");
      await expect(`${text.trim()}\n`).toMatchFileSnapshot(`golden/${name}.${fixture}.txt`);
    },
  );
});
