import { readdirSync } from "node:fs";
import path from "node:path";
import type { AssetsConfig } from "../config/define.js";
import type { ProjectFiles } from "../check/rule.js";
import { compileAll } from "../render/compile.js";
import { registryFiles } from "./registry-files.js";
import { readSource } from "../template/source.js";
import type { CompileResult, SourceFile } from "../template/template.js";
import { compileContext, type OpenProject } from "./project.js";

/**
 * Reads the project's files other than the templates themselves, for rules about the whole project.
 *
 * @param assets The assets that the results were compiled with.
 */
export async function readProjectFiles(
  open: OpenProject,
  results: readonly CompileResult[],
  assets: AssetsConfig | undefined,
): Promise<ProjectFiles> {
  const { roots, registryFile } = open.project;
  const all = [...new Set(roots.flatMap(filesBelow))].toSorted();
  const registry = readIfThere(registryFile);
  if (!registry) return { all };
  const generated = await generate(open, results, assets);
  return { all, registry, ...(generated !== undefined && { generated }) };
}

function filesBelow(root: string): string[] {
  try {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map((entry) => path.join(entry.parentPath, entry.name));
  } catch {
    return []; // loading has reported it
  }
}

function readIfThere(file: string): SourceFile | undefined {
  try {
    return readSource(file);
  } catch {
    return undefined;
  }
}

/** The registry that `templates types` would write, with the project's own assets; undefined if a template does not compile. */
async function generate(
  open: OpenProject,
  results: readonly CompileResult[],
  assets: AssetsConfig | undefined,
): Promise<string | undefined> {
  if (results.some(({ compiled }) => !compiled)) return undefined;
  const { project } = open;
  const isSame = assets?.baseUrl === project.assets?.baseUrl;
  const templates = results.map(({ template }) => template);
  const compiled = isSame ? results : await compileAll(templates, compileContext(open));
  return (await registryFiles({ results: compiled, present: new Set() }, project)).registry.text;
}
