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
  /** The starter that it begins as. Default: the plain first template. */
  readonly starter?: string | undefined;
}

export interface CreatedTemplate {
  /** Absolute, the body first. */
  readonly written: readonly string[];
  /** Shared parts of the starter that were there already, and stay as they are. */
  readonly kept: readonly string[];
  /** Packages that it needs and that the project lacks. */
  readonly missing: readonly string[];
}

/**
 * Adds a template to a project, in its first templates root. Nothing that is there is overwritten.
 *
 * @throws {UsageError} The name is not a valid one, or is taken; there is no such starter.
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

/** @throws {UsageError} No template can have the name, or one has it. */
export function refuseName(name: string, taken: ReadonlySet<string>): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw new UsageError(problem);
  if (taken.has(name)) throw new UsageError(`There is a template "${name}" already.`);
}

/** @throws {UsageError} Something is there. An empty folder, as version control leaves behind, is nothing. */
export function refusePlace(place: string, folder: string): void {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isDirectory() && readdirSync(place).length === 0)) return;
  const hint = "Move it away, or choose another name.";
  throw new UsageError(`${path.relative(folder, place)} exists already, and is not a template.`, { hint });
}

function refuseLink(root: string, part: string): void {
  const real = realFolder(root) ?? root;
  const link = checkLink(real, path.join(real, part));
  if (link) throw new UsageError(link.message);
}

/** A folder beside a template's that nothing reads. */
export function draftOf(place: string): string {
  return path.join(path.dirname(place), `.${path.basename(place)}.${randomUUID()}.tmp`);
}

/** Gives a folder its name when all is in it: whoever reads meanwhile sees the whole of it, or nothing. */
export async function putInPlace(draft: string, place: string): Promise<void> {
  // Windows replaces no folder; one that is not empty stays.
  await rmdir(place).catch(() => undefined);
  await rename(draft, place);
}
