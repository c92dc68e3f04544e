import { readFileSync } from "node:fs";
import type { Diagnostic } from "../diagnostic.js";
import { memoizeByString } from "../cache/memoize.js";
import { LettershopError } from "../errors.js";
import { attempt } from "../files.js";
import { loadTemplates } from "../project/load-templates.js";
import { type BaseTree, withBaseProject, withBaseTree } from "./base-tree.js";
import { type CheckedProjectState, checkProject, type CheckProjectOptions } from "./check-project.js";
import type { Output } from "./output.js";
import type { OpenProject } from "./project.js";
import { relativeTo } from "./report/check-report.js";

/**
 * Checks the project at a commit, with the current rules.
 *
 * @param names The templates to check; all if empty.
 * @throws {UsageError} There is no repository, or no such commit.
 */
export async function checkBase(
  ref: string,
  { project }: OpenProject,
  names: readonly string[],
  options: Omit<CheckProjectOptions, "loaded">,
  output: Output,
) {
  return withBaseTree(ref, project.folder, async (tree) => {
    const before = await checkThen(tree, project, names, options).catch((error: unknown) => {
      if (!(error instanceof LettershopError)) throw error;
      output.note(`The project at ${ref} can't be checked, so everything counts as new: ${error.message}`);
      return { diagnostics: [], results: [] };
    });
    const nameOf = (file: string): string => {
      const name = relativeTo(tree.folder, file);
      return tree.renamed.get(name) ?? name;
    };
    const bodies = new Map(before.results.map(({ name, template }) => [nameOf(template.body.file), name]));
    // Read the lines now: the files are deleted before the states are compared.
    const lineThen = lineReader();
    for (const { at } of before.diagnostics) if (at) lineThen(at.file, 1);
    return {
      ref,
      /** The diagnostics that did not exist at the commit. */
      newIn({ diagnostics, results }: CheckedProjectState): readonly Diagnostic[] {
        const nameNow = (file: string): string => relativeTo(tree.repository, file);
        const renamed = new Map(
          results.map(({ name, template }) => [bodies.get(nameNow(template.body.file)) ?? name, name]),
        );
        const named = before.diagnostics.map((each) => withTemplate(each, renamed));
        const now: CheckedState = { diagnostics, nameOf: nameNow, lineOf: lineReader() };
        return compareStates(now, { diagnostics: named, nameOf, lineOf: lineThen }).added;
      },
    };
  });
}

function checkThen(
  tree: BaseTree,
  project: OpenProject["project"],
  names: readonly string[],
  options: Omit<CheckProjectOptions, "loaded">,
): Promise<CheckedProjectState> {
  return withBaseProject(tree, project, (open) => {
    const loaded = loadTemplates(open.project.roots, names.length > 0 ? names : undefined);
    return checkProject(open, { ...options, loaded });
  });
}

function withTemplate(diagnostic: Diagnostic, renamed: ReadonlyMap<string, string>): Diagnostic {
  const template = renamed.get(diagnostic.template ?? "");
  return template === undefined ? diagnostic : { ...diagnostic, template };
}

/** Reads lines of files; each file is read once. */
export function lineReader(): CheckedState["lineOf"] {
  const linesOf = memoizeByString(Infinity, (file) => attempt(() => readFileSync(file, "utf8").split(/\r\n?|\n/)));
  return (file, line) => linesOf(file)?.[line - 1];
}

/** The diagnostics of one state of the project, and what is needed to match them with another state's. */
export interface CheckedState {
  readonly diagnostics: readonly Diagnostic[];
  /** A file's name in both states: a relative path, the new one if the file was renamed. */
  readonly nameOf: (file: string) => string;
  /** The text of a line; undefined if there is no such line. */
  readonly lineOf: (file: string, line: number) => string | undefined;
}

/**
 * Compares the diagnostics of two states. Two diagnostics are the same if they have the same rule, file and template, and the
 * same message or reported line; the line number may differ. Each earlier diagnostic matches at most one later one.
 *
 * @returns The diagnostics that are only in the later state, and those that are only in the earlier one.
 */
export function compareStates(now: CheckedState, before: CheckedState) {
  const earlier = before.diagnostics.map((diagnostic) => ({ diagnostic, traits: describe(diagnostic, before) }));
  let left = now.diagnostics.map((diagnostic) => ({ diagnostic, traits: describe(diagnostic, now) }));
  // Exact matches first, so that a second diagnostic of the same kind on another line counts as the new one.
  for (const compared of [
    ["subject", "line", "message"],
    ["subject", "line"],
    ["subject", "message"],
  ] as const) {
    left = left.filter(({ traits }) => {
      const index = earlier.findIndex((each) => compared.every((name) => traits[name] === each.traits[name]));
      if (index >= 0) earlier.splice(index, 1);
      return index < 0;
    });
  }
  const [added, gone] = [left, earlier].map((each) => each.map(({ diagnostic }) => diagnostic));
  return { added: added ?? [], gone: gone ?? [] };
}

function describe({ rule, template, at, message }: Diagnostic, { nameOf, lineOf }: CheckedState) {
  const line = at?.line === undefined ? undefined : lineOf(at.file, at.line)?.trim();
  return { subject: JSON.stringify([rule, at ? nameOf(at.file) : null, template ?? null]), message, line };
}
