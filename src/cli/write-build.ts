import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { digest, digestOfContent, type FileState, readDigest, stateOf } from "../cache/inputs.js";
import type { Project } from "../project/load-project.js";
import { packageKey, packagesIn } from "../mustache/expression/packages.js";
import type { VariablesContract } from "../mustache/variables.js";
import { relativeTo } from "./report/check-report.js";
import { listAssets } from "../render/assets.js";
import type { CompileResult } from "../project/template.js";
import type { GitCommit } from "./git.js";
import type { Cache } from "../cache/cache.js";
import { attempt } from "../files.js";
import { isRecord } from "../values.js";

export interface BuildOptions {
  readonly out: string;
  readonly folder: string;
  readonly results: readonly CompileResult[];
  readonly roots: readonly string[];
  /**
   * The names of all of the project's templates, including those with errors: other templates of an earlier build are removed.
   * Absent if only some templates were compiled.
   */
  readonly present?: ReadonlySet<string>;
  /** The files that earlier builds wrote. */
  readonly written: WrittenFiles;
  /** Names of templates that are unchanged since an earlier build, also in the manifest. */
  readonly unchanged?: readonly string[];
  /** Present if all templates compiled without errors. If absent, an earlier build's record for sync is removed. */
  readonly sync?: SyncRecord;
}

/** A template in `manifest.json`: everything that sync, or a sender in another language, needs to know about it. */
interface ManifestEntry {
  readonly name: string;
  readonly description: string;
  readonly subject: string;
  readonly hash: string;
  readonly renamedFrom?: string;
  /** Relative to the project. */
  readonly sources: readonly string[];
  readonly variables: VariablesContract;
  /** The functions of packages that compute its values, which only JavaScript can call: `date-fns format`. */
  readonly needs?: readonly string[];
}

/** The contents of `sync.json`: everything that `sync --from` needs to know about the project in addition to its templates. */
export interface SyncRecord extends Pick<Project, "environments" | "defaultEnvironment" | "sync"> {
  /** The version of lettershop that made the build; sync needs the same one. */
  readonly lettershop: string;
  /** The URL at which the built templates expect their images. */
  readonly assets?: Project["assets"];
  /** The commit that was checked out, if the project is in a git repository. */
  readonly commit?: GitCommit;
  /** Names of all templates, sorted. */
  readonly templates: readonly string[];
  /** What applications pass according to the registry, by template name. */
  readonly passed: Readonly<Record<string, VariablesContract>>;
}

/** The file in a build's folder that contains the `SyncRecord`. */
export const SYNC_RECORD = "sync.json";

/**
 * Writes `<out>/<name>/{subject.txt,body.html,body.txt}`, `<out>/manifest.json` and `<out>/assets/`; skips files that are already
 * up to date. A template that did not compile keeps the files of an earlier build.
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

type BuildFolder = Pick<BuildOptions, "out" | "written">;

/** Whether all of a built template's files exist and are unchanged. */
export function isBuilt({ out, written }: BuildFolder, name: string, hash: string): boolean {
  return filesOf(out, name).every((file) => written.holds(file, hash));
}

export function isManifestUnchanged({ out, written }: BuildFolder): boolean {
  return written.holds(manifestIn(out));
}

function filesOf(out: string, name: string): readonly [subject: string, html: string, text: string] {
  const folder = path.join(out, name);
  return [path.join(folder, "subject.txt"), path.join(folder, "body.html"), path.join(folder, "body.txt")];
}

function placeManifest({ out, present, written, unchanged }: BuildOptions, entries: readonly ManifestEntry[]): void {
  if (unchanged && entries.length === 0) return;
  const identity = digest([entries, present ? [...present].toSorted() : null]);
  // If the manifest is unchanged since then, so are its other entries.
  written.place(manifestIn(out), identity, () => manifestOf([...entries, ...earlierEntries(entries, out, present)]));
}

function manifestIn(out: string): string {
  return path.join(out, "manifest.json");
}

/** An earlier build's entries for templates that did not compile now. Removes files of templates that no longer exist. */
function earlierEntries(
  entries: readonly ManifestEntry[],
  out: string,
  present: BuildOptions["present"],
): ManifestEntry[] {
  const before = readManifest(out);
  const isGone = ({ name }: ManifestEntry): boolean => present !== undefined && !present.has(name);
  for (const { name } of before.filter(isGone)) {
    // The name comes from a file in the output folder, so only remove it if it is a plain folder name.
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
  const needs = packagesIn(contract.conditions).map(packageKey);
  return {
    name,
    description,
    subject,
    hash,
    ...(renamedFrom !== undefined && { renamedFrom }),
    sources: sources.map((file) => relativeTo(folder, file)),
    variables: contract,
    ...(needs.length > 0 && { needs }),
  };
}

/** Another build may be writing the manifest: an incomplete one is read again after a delay. */
const RETRY_DELAY_MS = 5;
const ATTEMPTS = 40;

function readManifest(out: string): readonly ManifestEntry[] {
  for (let tries = 1; ; tries += 1) {
    const text = attempt(() => readFileSync(manifestIn(out), "utf8"));
    const entries = text === undefined ? [] : manifestEntries(text);
    // Without a valid manifest, there is nothing to keep and nothing to remove.
    if (entries !== undefined || tries === ATTEMPTS) return entries ?? [];
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_DELAY_MS);
  }
}

/** Parses a manifest; undefined if it is not JSON. */
function manifestEntries(text: string): readonly ManifestEntry[] | undefined {
  const manifest: unknown = attempt(() => JSON.parse(text));
  if (manifest === undefined) return undefined;
  const entries: unknown = isRecord(manifest) ? manifest["templates"] : [];
  return Array.isArray(entries)
    ? entries.filter((entry): entry is ManifestEntry => isRecord(entry) && typeof entry["name"] === "string")
    : [];
}

/** Files that were written to a folder that other programs may also write to. */
export type WrittenFiles = ReturnType<typeof openWrittenFiles>;

/**
 * Records which files were written to a folder, with their states (`stateOf`). If a file's state has changed, or the file was
 * written too recently for the state to be reliable, its content is compared.
 */
export function openWrittenFiles(folder: string, cache: Cache) {
  const key = { name: `written\n${folder}`, key: null };
  const cached = cache.read(key)?.value;
  const before: Known = isKnown(cached) ? cached : {};
  const now: Record<string, KnownFile> = {};
  let isSame = true;

  const note = (file: string, known: KnownFile): void => {
    now[file] = known;
    isSame &&= known === before[file];
  };

  /**
   * Whether a file still contains what an earlier run wrote.
   *
   * @param identity Identifies the content. Without it, any content that was written is accepted.
   */
  function holds(file: string, identity?: string): boolean {
    const known = now[file] ?? before[file];
    if (!known || (identity !== undefined && identity !== known.identity)) return false;
    const state = stateOf(file);
    if (state && state.text === known.state) note(file, known);
    else if (state && readDigest(file) === known.content)
      note(file, { identity: known.identity, content: known.content, ...settled(state) });
    else return false;
    return true;
  }

  return {
    holds,
    /** Writes a file unless it already has this content, so as not to trigger file watchers. */
    place(file: string, identity: string, content: () => string | Buffer): void {
      if (holds(file, identity)) return;
      const expected = content();
      const wanted = digestOfContent(expected);
      const state = stateOf(file);
      const isUpToDate = state !== undefined && readDigest(file) === wanted;
      note(file, { identity, content: wanted, ...(isUpToDate && settled(state)) });
      if (isUpToDate) return;
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, expected);
    },
    /** Stores the record for the next run. */
    save(): void {
      if (isSame) return;
      const others = Object.entries(before).filter(([file, { state }]) => !now[file] && stateOf(file)?.text === state);
      cache.write(key, { files: [] }, { ...Object.fromEntries(others), ...now });
    },
  };
}

interface KnownFile {
  readonly identity: string;
  readonly content: string;
  /** The file's state, if it reliably identifies this content. */
  readonly state?: string;
}

type Known = Readonly<Record<string, KnownFile>>;

/** The state, unless the file was written so recently that a later write could have the same state. */
function settled({ text, settledAt }: FileState): Pick<KnownFile, "state"> {
  return settledAt < Date.now() ? { state: text } : {};
}

/** A shallow check is enough: the cache only returns what this version wrote. */
function isKnown(value: unknown): value is Known {
  return typeof value === "object" && value !== null;
}
