import type { Diagnostic } from "../diagnostic.js";
import { type Candidate, findCandidates, realFolder } from "./candidates.js";
import { readTemplate } from "./read-template.js";
import type { Template, UnusableTemplate } from "./template.js";

export interface LoadedTemplates {
  /** Names of all templates on disk, broken ones included. With `only`, possibly names of other files, too. */
  readonly names: ReadonlySet<string>;
  /** Sorted by name. */
  readonly templates: Template[];
  /** Templates whose only errors are in fixtures, without these fixtures: they can be previewed but not built. */
  readonly incomplete?: Template[];
  /** Templates with other errors: they can be listed with their problems. */
  readonly unusable?: UnusableTemplate[];
  /** Sorted by file and line. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Reads every template in the given roots. A template with an error is not in `templates` but does not affect the
 * others; its errors are in `diagnostics`.
 *
 * @example
 * const { templates, diagnostics } = loadTemplates(project.roots);
 *
 * It reads synchronously: for hundreds of small files that is several times faster.
 *
 * @param roots Absolute paths.
 * @param only Names of the templates to read; by default, all.
 */
export function loadTemplates(roots: readonly string[], only?: readonly string[]): LoadedTemplates {
  const diagnostics: Diagnostic[] = [];
  const folders = new Set<string>();
  for (const root of roots) {
    const folder = realFolder(root);
    if (folder !== undefined) folders.add(folder);
    else diagnostics.push(missingRoot(root));
  }
  const candidates: Candidate[] = [];
  for (const root of folders) {
    const inRoot = findCandidates(root, folders, only);
    candidates.push(...inRoot.candidates);
    diagnostics.push(...inRoot.diagnostics);
  }
  const { unique, duplicates } = separate(candidates);
  diagnostics.push(...duplicates);
  const read = unique.filter(({ name }) => only?.includes(name) ?? true).map(readTemplate);
  diagnostics.push(...read.flatMap((each) => each.diagnostics));
  const incomplete = read.flatMap((each) => each.incomplete ?? []);
  const unusable = read.flatMap((each) => each.unusable ?? []);
  return {
    names: new Set([...candidates.map(({ name }) => name), ...diagnostics.flatMap(({ template }) => template ?? [])]),
    templates: read.flatMap(({ template }) => template ?? []).sort((a, b) => compare(a.name, b.name)),
    ...(incomplete.length > 0 && { incomplete }),
    ...(unusable.length > 0 && { unusable }),
    diagnostics: diagnostics.sort(byPosition),
  };
}

function missingRoot(root: string): Diagnostic {
  return {
    rule: "templates-root",
    severity: "error",
    message: `The templates folder ${root} doesn't exist.`,
    at: { file: root },
    hint: `Create it with "templates new", or set "templates" in the configuration.`,
  };
}

/** If two templates have the same name, it is unclear which is meant: neither is used. */
function separate(candidates: readonly Candidate[]): { unique: Candidate[]; duplicates: Diagnostic[] } {
  const unique: Candidate[] = [];
  const duplicates: Diagnostic[] = [];
  for (const candidate of candidates) {
    const { name, file } = candidate;
    const others = candidates.filter((other) => other.name === name && other !== candidate);
    if (others.length === 0) unique.push(candidate);
    for (const other of others) {
      const message = `Two templates have the name "${name}": this one and ${other.file}.`;
      duplicates.push({ rule: "template-duplicate", severity: "error", message, template: name, at: { file } });
    }
  }
  return { unique, duplicates };
}

function byPosition({ at: a }: Diagnostic, { at: b }: Diagnostic): number {
  return (
    compare(a?.file ?? "", b?.file ?? "") || (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0)
  );
}

/** By code units, so that the order is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
