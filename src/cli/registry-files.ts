import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Project } from "../config/load.js";
import { bodiesFolder, bodiesSpecifier, generateBodies, hasBodies, isBodiesFile } from "../registry/bodies.js";
import { generateRegistry } from "../registry/generate.js";
import { readImportEnding } from "../registry/import-ending.js";
import { listAssets } from "../render/assets.js";
import type { CompileResult } from "../template/template.js";

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
}

/**
 * The registry and, where it has them, the files with its bodies.
 *
 * @param results Compiled with the project's own address of images.
 * @param wantsBodies Whether the command asks for bodies. Where neither it nor the configuration says so, the registry keeps
 * those that it has.
 */
export async function registryFiles(
  results: readonly CompileResult[],
  project: Project,
  wantsBodies = false,
): Promise<RegistryFiles> {
  const { registryFile: file } = project;
  const before = await readIfThere(file);
  const written = await readWritten(bodiesFolder(file));
  if (!(wantsBodies || (project.registryBodies ?? hasBodies(before ?? "")))) {
    const text = await generateRegistry({ results, project });
    return { registry: { file, text, before }, bodies: gone(written) };
  }
  const specifier = bodiesSpecifier(file, await readImportEnding(file));
  const text = await generateRegistry({ results, project, bodiesSpecifier: specifier });
  const generated = generateBodies({
    results,
    registryFile: file,
    assets: project.assets?.baseUrl,
    imagesOf: (root) => listAssets(root).map((image) => image.path),
  });
  const bodies = generated.map((each) => ({ ...each, before: written.get(each.file) }));
  for (const each of generated) written.delete(each.file);
  return { registry: { file, text, before }, bodies: [...bodies, ...gone(written)] };
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
