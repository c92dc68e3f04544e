import type { Diagnostic } from "../../../diagnostic.js";
import type { Dependencies } from "../../../render/dependencies.js";
import type { CompiledTemplate, CompileResult, FilledFixture, UnusableTemplate } from "../../../project/template.js";
import type { BrokenFixture } from "./broken-fixtures.js";
import type { Outline } from "./outline.js";

/** The state of one template. */
export interface Entry {
  readonly name: string;
  /** The template as it was last loaded. */
  readonly template: UnusableTemplate;
  readonly revision: number;
  /** The result of the newest sources. Undefined until they were compiled for the first time. */
  readonly result?: CompileResult;
  /** The last version that compiled. */
  readonly shown?: ShownBuild;
  readonly made?: Dependencies;
  /** Why the newest sources could not be compiled, if they could not even be loaded. */
  readonly unloadable?: readonly Diagnostic[];
  /** Set while compiling the newest sources takes longer than a moment. */
  readonly isCompiling?: true;
  /** Fixtures that cannot be read or that the schema rejects. Everything else is shown without them. */
  readonly brokenFixtures?: readonly BrokenFixture[] | undefined;
  /** The findings of checking this revision. */
  readonly findings?: readonly Diagnostic[];
}

export interface ShownBuild {
  readonly result: CompileResult & { readonly compiled: CompiledTemplate };
  readonly outline: Outline;
}

/**
 * Why the newest sources are not shown. Errors come before other findings, and findings in the template's own body
 * before those in other files, which may follow from them.
 */
export function failureOf({ result, unloadable, template }: Entry): readonly Diagnostic[] | undefined {
  const failure = unloadable ?? (result && !result.compiled ? result.diagnostics : undefined);
  const rank = ({ severity, at }: Diagnostic): number =>
    (severity === "error" ? 0 : 2) + (at?.file === template.body?.file ? 0 : 1);
  return failure?.toSorted((a, b) => rank(a) - rank(b));
}

/** All findings about the newest sources. */
export function diagnosticsOf(entry: Entry): readonly Diagnostic[] {
  const all = entry.findings ?? failureOf(entry) ?? entry.result?.diagnostics ?? [];
  const broken = (entry.brokenFixtures ?? []).flatMap(({ diagnostics }) => diagnostics);
  // Other findings in these files are consequences.
  const files = new Set(broken.map(({ at }) => at?.file));
  return [...broken, ...all.filter(({ at }) => at === undefined || !files.has(at.file))];
}

/** In the order in which the page offers them: the fixture named `default` comes first. */
export function fixturesOf<Fixture extends FilledFixture>({
  fixtures,
}: {
  readonly fixtures: readonly Fixture[];
}): readonly Fixture[] {
  const first = fixtures.find(({ name }) => name === "default");
  return first ? [first, ...fixtures.filter((fixture) => fixture !== first)] : fixtures;
}
