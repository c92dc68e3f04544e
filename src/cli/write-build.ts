import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { digest } from "../cache/inputs.js";
import type { Project } from "../config/load.js";
import type { VariablesContract } from "../mustache/variables.js";
import { relativeTo } from "./report/check-report.js";
import { listAssets } from "../render/assets.js";
import type { CompileResult } from "../template/template.js";
import type { Commit } from "./git.js";
import type { WrittenFiles } from "./written-files.js";

export interface BuildOptions {
  readonly out: string;
  /** The project's. */
  readonly folder: string;
  readonly results: readonly CompileResult[];
  readonly roots: readonly string[];
  /** Names of the project's templates, those with errors too: what another name has in an earlier build is removed. Absent where only some were compiled. */
  readonly present?: ReadonlySet<string>;
  /** What earlier builds wrote there. */
  readonly written: WrittenFiles;
  /** Names of templates that are there as an earlier build wrote them, in the manifest too. */
  readonly unchanged?: readonly string[];
  /** Where all templates compiled without an error. Absent, what an earlier build left for sync is removed. */
  readonly sync?: SyncRecord;
}

/** What `manifest.json` says of a template: all that a sender in another language needs, and that sync needs of one. */
interface ManifestEntry {
  readonly name: string;
  readonly description: string;
  readonly subject: string;
  readonly hash: string;
  readonly renamedFrom?: string;
  /** Relative to the project. */
  readonly sources: readonly string[];
  readonly variables: VariablesContract;
}

/** What `sync.json` says: all that `sync --from` needs of the project besides its templates. */
export interface SyncRecord extends Pick<Project, "environments" | "defaultEnvironment" | "sync"> {
  /** The version of lettershop that built, which is the one to sync with. */
  readonly lettershop: string;
  /** The URL at which the built templates expect their images. */
  readonly assets?: Project["assets"];
  /** That was checked out, where the project is in a git repository. */
  readonly commit?: Commit;
  /** Names of all templates, sorted. */
  readonly templates: readonly string[];
  /** By a template's name, what applications pass, as the registry says. */
  readonly passed: Readonly<Record<string, VariablesContract>>;
}

/** The file in a build's folder that holds the `SyncRecord`. */
export const SYNC_RECORD = "sync.json";

/**
 * Writes, where it is not there already, `<out>/<name>/{subject.txt,body.html,body.txt}`, `<out>/manifest.json` and `<out>/assets/`. A template that did not
 * compile keeps what an earlier build wrote.
 */
export function writeBuild(options: BuildOptions): string[] {
  const { out, results, roots, written } = options;
  const compiled = results.flatMap((result) => result.compiled ?? []);
  for (const template of compiled) {
    const { name, hash } = template;
    const [subject, html, text] = filesOf(out, name);
    written.place(subject, hash, () => template.subject);
    written.place(html, hash, () => template.html_body);
    written.place(text, hash, () => template.text_body);
  }
  placeManifest(
    options,
    results.flatMap((result) => manifestEntry(result, options.folder) ?? []),
  );
  const record = path.join(out, SYNC_RECORD);
  if (options.sync === undefined) rmSync(record, { force: true });
  else {
    const text = `${JSON.stringify(options.sync, null, 2)}\n`;
    written.place(record, digest(text), () => text);
  }
  for (const asset of roots.flatMap((root) => listAssets(root))) {
    const content = readFileSync(asset.file);
    written.place(path.join(out, "assets", asset.path), digest(content.toString("base64")), () => content);
  }
  written.save();
  return compiled.map(({ name }) => name);
}

type Place = Pick<BuildOptions, "out" | "written">;

/** Whether all that a template's build wrote is there. */
export function isBuilt({ out, written }: Place, name: string, hash: string): boolean {
  return filesOf(out, name).every((file) => written.holds(file, hash));
}

/** Whether the manifest is as the last build left it. */
export function isManifestLeft({ out, written }: Place): boolean {
  return written.holds(manifestIn(out));
}

function filesOf(out: string, name: string): readonly [subject: string, html: string, text: string] {
  const folder = path.join(out, name);
  return [path.join(folder, "subject.txt"), path.join(folder, "body.html"), path.join(folder, "body.txt")];
}

function placeManifest({ out, present, written, unchanged }: BuildOptions, entries: readonly ManifestEntry[]): void {
  if (unchanged && entries.length === 0) return;
  const identity = digest([entries, present ? [...present].toSorted() : null]);
  // One that is as it was left names no other template than then.
  written.place(manifestIn(out), identity, () => manifestOf([...entries, ...others(entries, out, present)]));
}

function manifestIn(out: string): string {
  return path.join(out, "manifest.json");
}

/** What an earlier build wrote of templates that did not compile now. What it wrote of those that are gone is removed. */
function others(entries: readonly ManifestEntry[], out: string, present: BuildOptions["present"]): ManifestEntry[] {
  const before = readManifest(out);
  const isGone = ({ name }: ManifestEntry): boolean => present !== undefined && !present.has(name);
  for (const { name } of before.filter(isGone)) {
    // The names come from a manifest that lies in the output folder: only a plain folder name is ever removed.
    if (/^[a-z0-9][a-z0-9_-]*$/.test(name)) rmSync(path.join(out, name), { recursive: true, force: true });
  }
  const compiled = new Set(entries.map(({ name }) => name));
  return before.filter((entry) => !compiled.has(entry.name) && !isGone(entry));
}

function manifestOf(entries: readonly ManifestEntry[]): string {
  const templates = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `${JSON.stringify({ templates }, null, 2)}\n`;
}

function manifestEntry({ compiled, template }: CompileResult, folder: string): ManifestEntry | undefined {
  if (compiled === undefined) return undefined;
  const { name, description, subject, hash, contract, sources } = compiled;
  const { renamedFrom } = template.metadata;
  return {
    name,
    description,
    subject,
    hash,
    ...(renamedFrom !== undefined && { renamedFrom }),
    sources: sources.map((file) => relativeTo(folder, file)),
    variables: contract,
  };
}

/** Another build may be writing it just now: a part of one is looked at again. */
const PATIENCE_MS = 5;
const LOOKS = 40;

function readManifest(out: string): readonly ManifestEntry[] {
  for (let look = 1; ; look += 1) {
    const text = readIfThere(manifestIn(out));
    const entries = text === undefined ? [] : manifestEntries(text);
    // No earlier build, or none of ours: nothing to keep and nothing to remove.
    if (entries !== undefined || look === LOOKS) return entries ?? [];
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PATIENCE_MS);
  }
}

/** Undefined for what is not JSON. */
function manifestEntries(text: string): readonly ManifestEntry[] | undefined {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof manifest !== "object" || manifest === null || !("templates" in manifest)) return [];
  if (!Array.isArray(manifest.templates)) return [];
  return manifest.templates.filter(
    (entry): entry is ManifestEntry => typeof entry === "object" && entry !== null && typeof entry.name === "string",
  );
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
