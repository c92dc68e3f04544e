import { readdirSync } from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import { checkLink, statsOf } from "./links.js";
import { nameOf } from "./name.js";
import type { Engine } from "./template.js";

/** What has a template's place on disk: a folder, or a body alone. */
export interface Candidate {
  readonly name: string;
  readonly root: string;
  /** What has the name: the folder, or the body. */
  readonly file: string;
  readonly form: "folder" | "flat";
  /** The folder that is its own, or the root. */
  readonly folder: string;
  /** Names of what is in that folder, sorted. */
  readonly entries: readonly string[];
}

/** Of bodies, in the order in which they are named to a person. */
const engines: Readonly<Record<string, Engine>> = { ".mjml": "mjml", ".tsx": "react", ".html": "html" };

export const bodyExtensions = Object.keys(engines);

/** The engine of a body, by its extension; undefined for what is no body. */
export function engineOf(file: string): Engine | undefined {
  return engines[path.extname(file)];
}

/**
 * Finds the direct children of a root that could be templates. Those that begin with `_` are shared parts, those that
 * begin with a dot are hidden, and an empty folder is what version control leaves behind.
 *
 * @param root Absolute, links resolved.
 * @param roots All of them: a root within another is not one of its templates.
 * @param only Names of those whose folders are looked into; of others it is enough that they are there.
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
    const name = nameOf(path.parse(entry).name);
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
      const inside = entriesOf(file, diagnostics, name);
      if (inside.length > 0)
        candidates.push({ name: nameOf(entry), root, file, form: "folder", folder: file, entries: inside });
    }
  }
  return { candidates, diagnostics };
}

/** Sorted; none where the folder can't be read, which is reported. */
export function entriesOf(folder: string, diagnostics: Diagnostic[], template?: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The folder ${path.basename(folder)} can't be read: ${reason}.`;
    const at = { file: folder };
    diagnostics.push({
      rule: "template-file",
      severity: "error",
      message,
      at,
      ...(template !== undefined && { template }),
    });
    return [];
  }
}
