import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import type { z } from "zod";
import { bundleModule } from "../../src/process/bundle.js";
import type { VariablesSchema } from "../../src/mustache/variables.js";
import type { CompileResult, Metadata } from "../../src/project/template.js";
import { variablesSchemaOf } from "../../src/project/variables-task.js";

/** This repository. */
export const repository = fileURLToPath(new URL("../../", import.meta.url));

/** A folder with a space in its path that can resolve this repository's packages, and that is removed after the test. */
export async function makeFolder(atEnd: (remove: () => Promise<void>) => unknown = onTestFinished): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "letter shop-")));
  atEnd(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, "node_modules"));
  await symlink(path.join(repository, "node_modules", "zod"), path.join(folder, "node_modules", "zod"), "junction");
  return folder;
}

export async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

export interface TemplateFacts {
  readonly name: string;
  /** An inferred schema. */
  readonly input?: VariablesSchema;
  /** A `variables.ts`, relative to the folder. */
  readonly variablesFile?: string;
  readonly description?: string;
  readonly subject?: string;
  readonly html?: string;
  readonly text?: string;
  readonly metadata?: Metadata;
  readonly derived?: VariablesSchema;
  readonly printed?: readonly string[];
}

/** The result of compiling a template, as far as its registry entry needs it. */
export async function compiled(
  folder: string,
  {
    name,
    input,
    variablesFile,
    description = "",
    subject = "Hi",
    html = "",
    text = "",
    metadata = {},
    derived,
    printed,
  }: TemplateFacts,
): Promise<CompileResult> {
  const file = variablesFile === undefined ? undefined : path.join(folder, variablesFile);
  const schema = file === undefined ? (input ?? { type: "object" }) : await readSchema(folder, file);
  const body = { file: path.join(folder, `${name}.html`), text: "" };
  return {
    name,
    template: {
      name,
      engine: "html",
      root: folder,
      folder,
      body,
      metadata,
      fixtures: [],
      ...(file === undefined ? {} : { variablesFile: file }),
    },
    compiled: {
      name,
      description,
      subject,
      html_body: html,
      text_body: text,
      engine: "html",
      contract: { input: schema, ...(derived && { derived }), ...(printed && { printed }), conditions: [] },
      computed: [],
      fixtures: [],
      context: { locale: "en-US", timeZone: "UTC" },
      sources: [],
      hash: `hash of ${name}`,
    },
    diagnostics: [],
  };
}

async function readSchema(folder: string, file: string): Promise<VariablesSchema> {
  const { code } = await bundleModule(file);
  const built = path.join(folder, `schema-${path.basename(path.dirname(file))}.mjs`);
  await writeFile(built, code);
  const { default: schema }: { default: z.ZodObject } = await import(pathToFileURL(built).href);
  return variablesSchemaOf(schema);
}
