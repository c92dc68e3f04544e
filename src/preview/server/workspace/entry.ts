import type { Diagnostic } from "../../../diagnostic.js";
import type { MadeFrom } from "../../../render/concerned.js";
import type { CompiledTemplate, CompileResult, FilledFixture, Template } from "../../../template/template.js";
import type { Outline } from "./outline.js";

/** What the preview knows of one template. */
export interface Entry {
  readonly name: string;
  /** As it was loaded last. */
  readonly template: Template;
  readonly revision: number;
  /** What the newest sources came to. Absent until they were compiled for the first time. */
  readonly result?: CompileResult;
  /** The last that compiled. */
  readonly shown?: ShownBuild;
  readonly made?: MadeFrom;
  /** What keeps the newest sources from being compiled, where they cannot even be loaded. */
  readonly unloadable?: readonly Diagnostic[];
  /** What checking found in this revision. */
  readonly findings?: readonly Diagnostic[];
}

export interface ShownBuild {
  readonly result: CompileResult & { readonly compiled: CompiledTemplate };
  readonly outline: Outline;
}

/** Why the newest sources are not what is shown: what is in the template's own body first, as the rest may follow from it. */
export function failureOf({ result, unloadable, template }: Entry): readonly Diagnostic[] | undefined {
  const failure = unloadable ?? (result && !result.compiled ? result.diagnostics : undefined);
  const isOwn = ({ at }: Diagnostic): boolean => at?.file === template.body.file;
  return failure && [...failure.filter(isOwn), ...failure.filter((each) => !isOwn(each))];
}

/** All that is known to be wrong with the newest sources. */
export function diagnosticsOf(entry: Entry): readonly Diagnostic[] {
  return entry.findings ?? failureOf(entry) ?? entry.result?.diagnostics ?? [];
}

/** In the order in which the page offers them: the one that is called default is what a person looks at first. */
export function fixturesOf({ fixtures }: CompiledTemplate): readonly FilledFixture[] {
  const first = fixtures.find(({ name }) => name === "default");
  return first ? [first, ...fixtures.filter((fixture) => fixture !== first)] : fixtures;
}
