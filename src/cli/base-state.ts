import { readFileSync } from "node:fs";
import { compareStates, type State } from "./compare-states.js";
import type { Diagnostic } from "../diagnostic.js";
import { LettershopError } from "../errors.js";
import { loadTemplates } from "../project/load-templates.js";
import { withBaseProject } from "./base-project.js";
import { type BaseTree, withBaseTree } from "./base-tree.js";
import { checkProject, type CheckedProjectState, type CheckProjectOptions } from "./check-project.js";
import type { Output } from "./output.js";
import type { OpenProject } from "./project.js";
import { relativeTo } from "./report/check-report.js";

/** The diagnostics at a commit, to compare with. */
export interface EarlierState {
  readonly ref: string;
  /** The diagnostics that did not exist at the commit. */
  newIn(state: CheckedProjectState): readonly Diagnostic[];
}

/**
 * Checks the project at a commit, with the current rules.
 *
 * @param names The templates to check; all if empty.
 * @throws {UsageError} There is no repository, or no such commit.
 */
export async function earlierState(
  ref: string,
  { project }: OpenProject,
  names: readonly string[],
  options: Omit<CheckProjectOptions, "loaded">,
  output: Output,
): Promise<EarlierState> {
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
    const linesThen = new Lines();
    for (const { at } of before.diagnostics) if (at) linesThen.of(at.file);
    return {
      ref,
      newIn({ diagnostics, results }) {
        const nameNow = (file: string): string => relativeTo(tree.repository, file);
        const renamed = new Map(
          results.map(({ name, template }) => [bodies.get(nameNow(template.body.file)) ?? name, name]),
        );
        const named = before.diagnostics.map((each) => withTemplate(each, renamed));
        const then: State = { diagnostics: named, nameOf, lineOf: (file, line) => linesThen.of(file)[line - 1] };
        const linesNow = new Lines();
        const now: State = { diagnostics, nameOf: nameNow, lineOf: (file, line) => linesNow.of(file)[line - 1] };
        return compareStates(now, then).added;
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

/** The lines of files; each file is read once. */
export class Lines {
  readonly #files = new Map<string, readonly string[]>();

  of(file: string): readonly string[] {
    const lines = this.#files.get(file) ?? readLines(file);
    this.#files.set(file, lines);
    return lines;
  }
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split(/\r\n?|\n/);
  } catch {
    return [];
  }
}
