import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Project } from "../config/load.js";
import { bodiesFolder, bodiesSpecifier, generateBodies, hasBodies, isBodiesFile } from "../registry/bodies.js";
import { generateRegistry, type KeptTemplate } from "../registry/generate.js";
import { readEntry } from "../registry/written-entry.js";
import { readImportEnding } from "../registry/import-ending.js";
import { listAssets } from "../render/assets.js";
import type { Diagnostic } from "../diagnostic.js";
import type { CompileResult } from "../template/template.js";
import type { CompiledProject } from "./compile-project.js";

/** A file that `templates types` writes, as it is to be and as it is. */
export interface RegistryFile {
  /** Absolute path. */
  readonly file: string;
  /** Undefined where it is to go: its template is gone. */
  readonly text: string | undefined;
  /** Undefined where it is not there. */
  readonly before: string | undefined;
}

export interface RegistryFiles {
  readonly registry: RegistryFile & { readonly text: string };
  readonly bodies: readonly RegistryFile[];
  /** Names of templates that do not compile, and are in the registry as they were. */
  readonly kept: readonly string[];
  /** Names of those that are not in it, as it did not have them. */
  readonly missing: readonly string[];
}

/**
 * The registry and, where it has them, the files with its bodies.
 *
 * @param compiled With the project's own address of images. A template that does not compile stays as the registry has it.
 * @param wantsBodies Whether the command asks for bodies. Where neither it nor the configuration says so, the registry keeps
 * those that it has.
 */
export async function registryFiles(
  { results, present }: Pick<CompiledProject, "results" | "present">,
  project: Project,
  wantsBodies = false,
): Promise<RegistryFiles> {
  const { registryFile: file } = project;
  const before = await readIfThere(file);
  const written = await readWritten(bodiesFolder(file));
  const fileOfBodies = (name: string) => path.join(bodiesFolder(file), `${name}${path.extname(file)}`);
  const broken = [...present].filter((name) => !results.some((result) => result.name === name && result.compiled));
  const kept = broken.flatMap((name): KeptTemplate[] => {
    const entry = before === undefined ? undefined : readEntry(before, name);
    const result = results.find((each) => each.name === name);
    const description = result?.template.metadata.description ?? "";
    return entry
      ? [{ name, description, entry, file: result && variablesOf(result), hasBodies: written.has(fileOfBodies(name)) }]
      : [];
  });
  const names = { kept: kept.map(({ name }) => name).toSorted() };
  const missing = broken.filter((name) => !names.kept.includes(name)).toSorted();
  if (!(wantsBodies || (project.registryBodies ?? hasBodies(before ?? "")))) {
    const text = await generateRegistry({ results, kept, project });
    return { registry: { file, text, before }, bodies: gone(written), ...names, missing };
  }
  const specifier = bodiesSpecifier(file, await readImportEnding(file));
  const text = await generateRegistry({ results, kept, project, bodiesSpecifier: specifier });
  const generated = generateBodies({
    results,
    registryFile: file,
    assets: project.assets?.baseUrl,
    imagesOf: (root) => listAssets(root).map((image) => image.path),
  });
  const bodies = generated.map((each) => ({ ...each, before: written.get(each.file) }));
  for (const each of generated) written.delete(each.file);
  for (const { name } of kept) written.delete(fileOfBodies(name));
  return { registry: { file, text, before }, bodies: [...bodies, ...gone(written)], ...names, missing };
}

/** The `variables.ts` of a template with errors; undefined where it or what it imports may be the cause. */
function variablesOf({ template, diagnostics }: CompileResult): string | undefined {
  const { variablesFile, body } = template;
  const isOfVariables = ({ rule, severity, at }: Diagnostic): boolean =>
    severity === "error" &&
    (rule.startsWith("variables-") || (/\.[cm]?[jt]sx?$/.test(at?.file ?? "") && at?.file !== body.file));
  return diagnostics.some(isOfVariables) ? undefined : variablesFile;
}

function gone(written: ReadonlyMap<string, string>): RegistryFile[] {
  return [...written].flatMap(([file, before]) => (isBodiesFile(before) ? [{ file, text: undefined, before }] : []));
}

/** The files in the bodies' folder, by their path. */
async function readWritten(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => /\.[cm]?ts$/.test(name)).map((name) => path.join(folder, name));
  const texts = await Promise.all(files.map(async (file) => [file, await readIfThere(file)] as const));
  return new Map(texts.flatMap(([file, text]) => (text === undefined ? [] : [[file, text]])));
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
