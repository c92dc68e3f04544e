import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
 * Writes, where it is not there already, `<out>/<name>/{subject.txt,body.html,body.txt}`, `<out>/manifest.json` and `<out>/assets/`. A template that did not
 * compile keeps what an earlier build wrote.
 */
export function writeBuild({ out, results, roots, present }: BuildOptions): string[] {
  const compiled = results.flatMap((result) => result.compiled ?? []);
  const before = readManifest(out);
  for (const { name, subject, html_body, text_body } of compiled) {
    place(path.join(out, name, "subject.txt"), subject);
    place(path.join(out, name, "body.html"), html_body);
    place(path.join(out, name, "body.txt"), text_body);
  }

  const isGone = (name: string): boolean => present !== undefined && !present.has(name);
  const kept = before.filter(({ name }) => !compiled.some((template) => template.name === name) && !isGone(name));
  const gone = before.filter(({ name }) => isGone(name));
  for (const { name } of gone) {
    // The names come from a manifest that lies in the output folder: only a plain folder name is ever removed.
    if (/^[a-z0-9][a-z0-9_-]*$/.test(name)) rmSync(path.join(out, name), { recursive: true, force: true });
  }

  const entries = [...compiled.map(manifestEntry), ...kept].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  place(path.join(out, "manifest.json"), `${JSON.stringify({ templates: entries }, null, 2)}\n`);
  for (const asset of roots.flatMap((root) => listAssets(root))) {
    place(path.join(out, "assets", asset.path), readFileSync(asset.file));
  }
  return compiled.map(({ name }) => name);
}

/** Writes what is not there yet: comparing takes a tenth of the time, and what watches the folder is left in peace. */
function place(file: string, content: string | Buffer): void {
  if (readIfThere(file)?.equals(Buffer.from(content))) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function manifestEntry({ name, description, subject, hash, contract }: CompiledTemplate): ManifestEntry {
  return { name, description, subject, hash, variables: contract };
}

function readManifest(out: string): ManifestEntry[] {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path.join(out, "manifest.json"), "utf8"));
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
