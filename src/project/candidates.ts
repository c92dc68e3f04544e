import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import { templateNameOf } from "./template-name.js";
import type { Engine } from "./template.js";
import { attempt, isWithin } from "../files.js";

/** A folder or file that could be a template. */
export interface Candidate {
  readonly name: string;
  readonly root: string;
  /** The folder, or the body file in the flat form. */
  readonly file: string;
  readonly form: "folder" | "flat";
  /** The template's own folder, or the root in the flat form. */
  readonly folder: string;
  /** Names of the files in that folder, sorted. */
  readonly entries: readonly string[];
}

/** By file extension, in the order in which messages list them. */
const engines: Readonly<Record<string, Engine>> = { ".mjml": "mjml", ".tsx": "react", ".html": "html" };

export const bodyExtensions = Object.keys(engines);

/** The engine of a body file, by its extension; undefined if the file is not a body. */
export function engineOf(file: string): Engine | undefined {
  return engines[path.extname(file)];
}

/**
 * Finds the direct children of a root that could be templates. Names that begin with `_` are shared parts, names that
 * begin with a dot are hidden, and empty folders are ignored because Git leaves them behind.
 *
 * @param root Absolute, links resolved.
 * @param roots All templates roots: a root nested in another is not a template.
 * @param only Names of the templates whose folders are read; for others, their existence is enough.
 */
export function findCandidates(
  root: string,
  roots: ReadonlySet<string>,
  only?: readonly string[],
): { candidates: Candidate[]; diagnostics: Diagnostic[] } {
  const candidates: Candidate[] = [];
  const diagnostics: Diagnostic[] = [];
  const entries = entriesOf(root, diagnostics);
  for (const entry of entries) {
    const file = path.join(root, entry);
    if (/^[_.]|^node_modules$/.test(entry) || roots.has(file)) continue;
    const name = templateNameOf(path.parse(entry).name);
    if (only && !only.includes(name)) {
      const form = engineOf(entry) === undefined ? "folder" : "flat";
      candidates.push({ name, root, file, form, folder: root, entries: [] });
      continue;
    }
    const stats = statsOf(file);
    const isFolder = stats?.isDirectory() ?? false;
    if (stats !== undefined && !isFolder && engineOf(entry) === undefined) continue;
    const link = checkLink(root, file);
    if (link !== undefined) diagnostics.push({ ...link, template: name });
    else if (!isFolder) candidates.push({ name, root, file, form: "flat", folder: root, entries });
    else {
      const files = entriesOf(file, diagnostics, name);
      if (files.length > 0)
        candidates.push({ name: templateNameOf(entry), root, file, form: "folder", folder: file, entries: files });
    }
  }
  return { candidates, diagnostics };
}

/** Sorted. If the folder can't be read, returns an empty list and adds a diagnostic. */
export function entriesOf(folder: string, diagnostics: Diagnostic[], template?: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The folder ${path.basename(folder)} can't be read: ${reason}.`;
    diagnostics.push({ rule: "template-file", severity: "error", message, at: { file: folder }, template });
    return [];
  }
}

/**
 * A diagnostic if a path is a link that leads out of the templates root, or is broken.
 *
 * @param root Absolute, links resolved.
 * @param file A path in the root; its parent folders have been checked already.
 */
export function checkLink(root: string, file: string): Diagnostic | undefined {
  if (!attempt(() => lstatSync(file))?.isSymbolicLink()) return undefined;
  const target = targetOf(file);
  if (target !== undefined && isWithin(root, target)) return undefined;
  const where = target === undefined ? "nowhere" : `out of the templates root, to ${target}`;
  const message = `${path.relative(root, file)} is a link that leads ${where}.`;
  return { rule: "template-link", severity: "error", message, at: { file } };
}

/** The real path of a folder; undefined if it doesn't exist or can't be reached. */
export function realFolder(folder: string): string | undefined {
  return statsOf(folder)?.isDirectory() ? targetOf(folder) : undefined;
}

/** Undefined for a file that doesn't exist, can't be reached, or is a link that is broken or refers to itself. */
export function statsOf(file: string): Stats | undefined {
  // Avoids an exception in the common case of a missing file; other errors are still thrown, and caught by `attempt`.
  return attempt(() => statSync(file, { throwIfNoEntry: false }));
}

function targetOf(link: string): string | undefined {
  return attempt(() => realpathSync.native(link));
}
