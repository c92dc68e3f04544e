import { randomUUID } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import type { Project } from "../../config/load.js";
import { checkLink, realFolder } from "../../template/links.js";
import { loadTemplates } from "../../template/load.js";
import { stemOf } from "../../template/name.js";
import { nameProblem } from "../../template/name-problem.js";
import type { Engine } from "../../template/template.js";
import { UsageError } from "../arguments.js";
import { firstTemplate } from "./first-template.js";
import { missingPeers } from "./peers.js";
import { starterTemplate } from "./starters.js";
import { writeNewFiles } from "./write-new.js";

export interface NewTemplate {
  readonly name: string;
  readonly engine: Engine;
  /** The starter to copy. Default: a minimal template. */
  readonly starter?: string | undefined;
}

export interface CreatedTemplate {
  /** Absolute paths, the body first. */
  readonly written: readonly string[];
  /** Shared parts of the starter that already existed and were not changed. */
  readonly kept: readonly string[];
  /** Packages that the template needs and that are not installed. */
  readonly missing: readonly string[];
}

/**
 * Adds a template to a project's first templates folder. Never overwrites files.
 *
 * @throws {UsageError} The name is not valid or is taken, or there is no such starter.
 */
export async function createTemplate(
  { folder, roots }: Pick<Project, "folder" | "roots">,
  { name, engine, starter }: NewTemplate,
): Promise<CreatedTemplate> {
  refuseName(name, loadTemplates(roots).names);
  const [root = ""] = roots;
  const place = path.join(root, stemOf(name));
  refusePlace(place, folder);
  const { files, parts } =
    starter === undefined
      ? { files: firstTemplate(name, engine), parts: new Map<string, Buffer>() }
      : await starterTemplate({ starter, engine }, name);
  for (const part of new Set([...parts.keys()].map((file) => path.dirname(file)))) refuseLink(root, part);
  const shared = await writeNewFiles(root, parts);
  const draft = draftOf(place);
  try {
    await writeNewFiles(draft, files);
    await putInPlace(draft, place);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return {
    written: [...[...files.keys()].map((file) => path.join(place, file)), ...shared.written],
    kept: shared.kept,
    missing: missingPeers(folder, [engine], [...files.values(), ...parts.values()]),
  };
}

/** @throws {UsageError} The name is not valid, or it is taken. */
export function refuseName(name: string, taken: ReadonlySet<string>): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw new UsageError(problem);
  if (taken.has(name)) throw new UsageError(`A template "${name}" already exists.`);
}

/** @throws {UsageError} The path exists and is not an empty folder, as version control may leave behind. */
export function refusePlace(place: string, folder: string): void {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isDirectory() && readdirSync(place).length === 0)) return;
  const hint = "Move or delete it, or choose another name.";
  throw new UsageError(`${path.relative(folder, place)} already exists and is not a template.`, { hint });
}

function refuseLink(root: string, part: string): void {
  const real = realFolder(root) ?? root;
  const link = checkLink(real, path.join(real, part));
  if (link) throw new UsageError(link.message);
}

/** A hidden temporary folder next to a template's folder. */
export function draftOf(place: string): string {
  return path.join(path.dirname(place), `.${path.basename(place)}.${randomUUID()}.tmp`);
}

/** Renames a complete folder to its final name, so that other processes never see a part of it. */
export async function putInPlace(draft: string, place: string): Promise<void> {
  // Windows can't replace a folder, so remove an empty one first. This fails for a folder that is not empty.
  await rmdir(place).catch(() => undefined);
  await rename(draft, place);
}
