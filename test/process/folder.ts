import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const installed = fileURLToPath(new URL("../../node_modules/", import.meta.url));

/**
 * A folder with the given files, until the test ends. Its path has no links.
 *
 * @param name The name of the folder, if it matters.
 */
export async function makeFolder(files: Readonly<Record<string, string>> = {}, name = "project"): Promise<string> {
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), "lettershop-test-")));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const folder = path.join(parent, name);
  await mkdir(folder);
  await addFiles(folder, files);
  return folder;
}

export async function addFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Installs packages of this repository in a project, as links: their real path contains `node_modules`. */
export async function install(folder: string, ...packages: string[]): Promise<void> {
  for (const name of packages) await link(path.join(installed, name), path.join(folder, "node_modules", name));
}

export async function link(target: string, at: string): Promise<void> {
  await mkdir(path.dirname(at), { recursive: true });
  await symlink(target, at, "junction");
}
