import path from "node:path";
import type { AssetsConfig } from "../project/config.js";
import type { Project } from "../project/load-project.js";
import type { Diagnostic } from "../diagnostic.js";
import { compileAll } from "../render/compile.js";
import { type LoadedTemplates, loadTemplates } from "../project/load-templates.js";
import type { CompiledTemplate, CompileResult, FilledFixture } from "../project/template.js";
import type { KeylessTemplate } from "./keyless/compiled.js";
import { didYouMean, UsageError } from "./arguments.js";
import { compileContext, type OpenProject } from "./project.js";

/**
 * Loads all of the project's templates, or only those named.
 *
 * @throws {UsageError} There is no template of a name.
 */
export function selectTemplates({ project }: OpenProject, names: readonly string[]): LoadedTemplates {
  if (names.length === 0) return loadTemplates(project.roots);
  const loaded = loadTemplates(project.roots, names);
  for (const name of names) if (!loaded.names.has(name)) throw unknownTemplate(name, project);
  return {
    ...loaded,
    diagnostics: loaded.diagnostics.filter(({ template }) => template === undefined || names.includes(template)),
  };
}

function unknownTemplate(name: string, { roots, folder }: Project): UsageError {
  const { names } = loadTemplates(roots);
  const places = roots.map((root) => path.relative(folder, root) || ".").join(", ");
  const all = [...names].toSorted().join(", ") || "none yet; run: templates init";
  return new UsageError(`There is no template "${name}" in ${places}.`, {
    hint: didYouMean(name, names) ?? `Templates: ${all}`,
  });
}

export interface CompiledProject {
  readonly results: readonly CompileResult[];
  /** From loading and from compiling. */
  readonly diagnostics: readonly Diagnostic[];
  /** The names of all requested templates, including those that could not be loaded. */
  readonly present: ReadonlySet<string>;
}

/** Loads and compiles all of the project's templates, or only those named. */
export async function compileProject(
  open: OpenProject,
  names: readonly string[],
  assets: AssetsConfig | undefined = open.project.assets,
): Promise<CompiledProject> {
  const loaded = selectTemplates(open, names);
  const results = await compileAll(loaded.templates, compileContext(open, assets));
  return {
    results,
    present: loaded.names,
    diagnostics: [...loaded.diagnostics, ...results.flatMap((result) => result.diagnostics)],
  };
}

/** A compiled template with the previous name from its metadata; undefined if it does not compile. */
export function keylessTemplate({ compiled, template }: CompileResult): KeylessTemplate | undefined {
  return compiled && { ...compiled, renamedFrom: template.metadata.renamedFrom };
}

/** The fixture of this name. Default: `default`, else the first; an empty one if the template has no fixtures. */
export function chooseFixture({ name: template, fixtures }: CompiledTemplate, name: string | undefined): FilledFixture {
  if (name === undefined)
    return (
      fixtures.find((fixture) => fixture.name === "default") ??
      fixtures[0] ?? { name: "none", input: {}, variables: {} }
    );
  const named = fixtures.find((fixture) => fixture.name === name);
  if (named !== undefined) return named;
  const names = fixtures.map((fixture) => fixture.name);
  const others =
    names.length > 0 ? `Fixtures: ${names.join(", ")}` : `Create fixtures/${name}.json in the template's folder.`;
  throw new UsageError(`The template "${template}" has no fixture "${name}".`, {
    hint: didYouMean(name, names) ?? others,
  });
}
