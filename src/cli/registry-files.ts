import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Project } from "../project/load-project.js";
import { bodiesFolder, bodiesSpecifier, generateBodies, hasBodies } from "../registry/bodies.js";
import {
  type GenerateOptions,
  generateRegistry,
  isGenerated,
  type KeptTemplate,
  readEntry,
} from "../registry/generate.js";
import { readImportEnding } from "../registry/import-ending.js";
import { generatePackages, packagesFile, packagesSpecifier } from "../registry/packages-file.js";
import { listAssets } from "../render/assets.js";
import type { Diagnostic } from "../diagnostic.js";
import type { CompileResult } from "../project/template.js";
import type { CompiledProject } from "./compile-project.js";

/** A file that `templates types` writes, with its new and current contents. */
export interface RegistryFile {
  /** Absolute path. */
  readonly file: string;
  /** The new contents; undefined to delete the file, because its template no longer exists. */
  readonly text: string | undefined;
  /** The current contents; undefined if the file does not exist. */
  readonly before: string | undefined;
}

export interface RegistryFiles {
  readonly registry: RegistryFile & { readonly text: string };
  /** Generates the files that it imports: compiled bodies, and functions of packages that render HTML. */
  readonly imported: () => Promise<readonly RegistryFile[]>;
  /** Names of templates that do not compile and stay unchanged in the registry. */
  readonly kept: readonly string[];
  /** Names of templates that do not compile and are not in the registry. */
  readonly missing: readonly string[];
}

/**
 * Generates the registry and the files that it imports; those with compiled bodies only if requested.
 *
 * @param compiled Compiled with the project's own assets. A template that does not compile stays unchanged in the registry.
 * @param wantsBodies Whether to write bodies. If false, the configuration decides; else, whether the registry already has bodies.
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
    if (!entry) return [];
    const files = { file: result && variablesOf(result), body: result?.template.body.file };
    return [{ name, description, entry, ...files, hasBodies: written.has(fileOfBodies(name)) }];
  });
  const names = { kept: kept.map(({ name }) => name).toSorted() };
  const missing = broken.filter((name) => !names.kept.includes(name)).toSorted();
  const ending = await readImportEnding(file);
  const generating = { results, kept, before, project, packagesSpecifier: packagesSpecifier(file, ending) };
  if (!(wantsBodies || (project.registryBodies ?? hasBodies(before ?? "")))) {
    const text = await generateRegistry(generating);
    const imported = async () => [...(await packagesOf(file, generating)), ...gone(written)];
    return { registry: { file, text, before }, imported, ...names, missing };
  }
  const specifier = bodiesSpecifier(file, ending);
  const text = await generateRegistry({ ...generating, bodiesSpecifier: specifier });
  const imported = async () => {
    const generated = generateBodies({
      results,
      registryFile: file,
      assets: project.assets?.baseUrl,
      imagesOf: (root) => listAssets(root).map((image) => image.path),
    });
    const current = new Set([...generated.map((each) => each.file), ...kept.map(({ name }) => fileOfBodies(name))]);
    const bodies = generated.map((each) => ({ ...each, before: written.get(each.file) }));
    const others = new Map([...written].filter(([each]) => !current.has(each)));
    return [...(await packagesOf(file, generating)), ...bodies, ...gone(others)];
  };
  return { registry: { file, text, before }, imported, ...names, missing };
}

/** The file with the functions that render HTML, if there is one or should be. */
async function packagesOf(
  registryFile: string,
  options: Pick<GenerateOptions, "results" | "kept" | "before">,
): Promise<RegistryFile[]> {
  const file = packagesFile(registryFile);
  const text = await generatePackages(options);
  const before = await readIfThere(file);
  const isOurs = before !== undefined && isGenerated(before);
  return text !== undefined || isOurs ? [{ file, text, before }] : [];
}

/** The `variables.ts` of a template with errors; undefined if that file or its imports may be the cause. */
function variablesOf({ template, diagnostics }: CompileResult): string | undefined {
  const { variablesFile, body } = template;
  const isOfVariables = ({ rule, severity, at }: Diagnostic): boolean =>
    severity === "error" &&
    (rule.startsWith("variables-") || (/\.[cm]?[jt]sx?$/.test(at?.file ?? "") && at?.file !== body.file));
  return diagnostics.some(isOfVariables) ? undefined : variablesFile;
}

function gone(written: ReadonlyMap<string, string>): RegistryFile[] {
  return [...written].flatMap(([file, before]) => (isGenerated(before) ? [{ file, text: undefined, before }] : []));
}

/** The contents of the files in the bodies' folder, by path. */
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
