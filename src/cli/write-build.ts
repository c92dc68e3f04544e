import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { listAssets } from "../render/assets.js";
import type { CompiledTemplate, CompileResult } from "../template/template.js";

export interface BuildOptions {
  readonly out: string;
  readonly results: readonly CompileResult[];
  readonly roots: readonly string[];
  /** Names of the project's templates, those with errors too: what another name has in an earlier build is removed. Absent where only some were compiled. */
  readonly present?: ReadonlySet<string>;
}

/** What `manifest.json` says of a template: all that a sender in another language needs. */
interface ManifestEntry {
  readonly name: string;
  readonly description: string;
  readonly subject: string;
  readonly hash: string;
  readonly variables: CompiledTemplate["contract"];
}

/**
 * Writes `<out>/<name>/{subject.txt,body.html,body.txt}`, `<out>/manifest.json` and `<out>/assets/`. A template that did not
 * compile keeps what an earlier build wrote.
 */
export async function writeBuild({ out, results, roots, present }: BuildOptions): Promise<string[]> {
  const compiled = results.flatMap((result) => result.compiled ?? []);
  const before = await readManifest(out);
  await mkdir(out, { recursive: true });
  await Promise.all(compiled.map((template) => writeTemplate(out, template)));

  const isGone = (name: string): boolean => present !== undefined && !present.has(name);
  const kept = before.filter(({ name }) => !compiled.some((template) => template.name === name) && !isGone(name));
  const gone = before.filter(({ name }) => isGone(name));
  // The names come from a manifest that lies in the output folder: only a plain folder name is ever removed.
  await Promise.all(
    gone
      .filter(({ name }) => /^[a-z0-9][a-z0-9_-]*$/.test(name))
      .map(({ name }) => rm(path.join(out, name), { recursive: true, force: true })),
  );

  const entries = [...compiled.map(manifestEntry), ...kept].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  await writeFile(path.join(out, "manifest.json"), `${JSON.stringify({ templates: entries }, null, 2)}\n`);
  for (const root of roots) {
    for (const asset of await listAssets(root)) {
      const target = path.join(out, "assets", asset.path);
      await mkdir(path.dirname(target), { recursive: true });
      await copyFile(asset.file, target);
    }
  }
  return compiled.map(({ name }) => name);
}

async function writeTemplate(out: string, template: CompiledTemplate): Promise<void> {
  const folder = path.join(out, template.name);
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeFile(path.join(folder, "subject.txt"), template.subject),
    writeFile(path.join(folder, "body.html"), template.html_body),
    writeFile(path.join(folder, "body.txt"), template.text_body),
  ]);
}

function manifestEntry({ name, description, subject, hash, contract }: CompiledTemplate): ManifestEntry {
  return { name, description, subject, hash, variables: contract };
}

async function readManifest(out: string): Promise<ManifestEntry[]> {
  try {
    const manifest: unknown = JSON.parse(await readFile(path.join(out, "manifest.json"), "utf8"));
    if (
      typeof manifest !== "object" ||
      manifest === null ||
      !("templates" in manifest) ||
      !Array.isArray(manifest.templates)
    )
      return [];
    return manifest.templates.filter(
      (entry): entry is ManifestEntry => typeof entry === "object" && entry !== null && typeof entry.name === "string",
    );
  } catch {
    // No earlier build, or none of ours: nothing to keep and nothing to remove.
    return [];
  }
}
