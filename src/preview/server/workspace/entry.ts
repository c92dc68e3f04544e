import type { Diagnostic } from "../../../diagnostic.js";
import type { MadeFrom } from "../../../render/concerned.js";
import type { CompiledTemplate, CompileResult, FilledFixture, UnusableTemplate } from "../../../template/template.js";
import type { BrokenFixture } from "./broken-fixtures.js";
import type { Outline } from "./outline.js";

/** What the preview knows of one template. */
export interface Entry {
  readonly name: string;
  /** As it was loaded last. */
  readonly template: UnusableTemplate;
  readonly revision: number;
  /** What the newest sources came to. Absent until they were compiled for the first time. */
  readonly result?: CompileResult;
  /** The last that compiled. */
  readonly shown?: ShownBuild;
  readonly made?: MadeFrom;
  /** What keeps the newest sources from being compiled, where they cannot even be loaded. */
  readonly unloadable?: readonly Diagnostic[];
  /** Whether compiling the newest sources takes longer than a moment. */
  readonly isCompiling?: true;
  /** Fixtures that cannot be read, or that the schema refuses: all else is shown without them. */
  readonly brokenFixtures?: readonly BrokenFixture[] | undefined;
  /** What checking found in this revision. */
  readonly findings?: readonly Diagnostic[];
}

export interface ShownBuild {
  readonly result: CompileResult & { readonly compiled: CompiledTemplate };
  readonly outline: Outline;
}

/**
 * Why the newest sources are not what is shown: errors before what is only to be looked at, and what is in the template's own
 * body before what is elsewhere, as that may follow from it.
 */
export function failureOf({ result, unloadable, template }: Entry): readonly Diagnostic[] | undefined {
  const failure = unloadable ?? (result && !result.compiled ? result.diagnostics : undefined);
  const rank = ({ severity, at }: Diagnostic): number =>
    (severity === "error" ? 0 : 2) + (at?.file === template.body?.file ? 0 : 1);
  return failure?.toSorted((a, b) => rank(a) - rank(b));
}

/** All that is known to be wrong with the newest sources. */
export function diagnosticsOf(entry: Entry): readonly Diagnostic[] {
  const found = entry.findings ?? failureOf(entry) ?? entry.result?.diagnostics ?? [];
  const broken = (entry.brokenFixtures ?? []).flatMap(({ diagnostics }) => diagnostics);
  // Whatever else is said of their files follows from that.
  const files = new Set(broken.map(({ at }) => at?.file));
  return [...broken, ...found.filter(({ at }) => at === undefined || !files.has(at.file))];
}

/** In the order in which the page offers them: the one that is called default is what a person looks at first. */
export function fixturesOf<Fixture extends FilledFixture>({
  fixtures,
}: {
  readonly fixtures: readonly Fixture[];
}): readonly Fixture[] {
  const first = fixtures.find(({ name }) => name === "default");
  return first ? [first, ...fixtures.filter((fixture) => fixture !== first)] : fixtures;
}
