import { type Diagnostic, hasErrors, type Severity, type SourcePosition } from "../diagnostic.js";
import { bundleModule } from "../modules/bundle.js";
import type { ModuleHost } from "../modules/host.js";
import type { Bundle } from "../modules/module-bundle.js";
import { ModuleError } from "../modules/module-error.js";
import type { Task } from "../modules/task.js";
import type { Variables, VariablesSchema } from "../mustache/variables.js";
import { foreignNames } from "./foreign-names.js";
import { describeIssue, type Issue } from "./issue.js";
import { jsonPosition } from "./json.js";
import type { DeriveContext } from "./registry.js";
import type { Fixture, Template } from "./template.js";
import type { ModuleProblem } from "./read-fixture.js";
import type { readVariables, VariablesReading } from "./variables-task.js";
import { zodNameMeant } from "./zod-names.js";

/** What a template's `variables.ts` says, tried on its fixtures. */
export interface VariablesModule {
  /** What the application passes; absent where the module could not be read. */
  readonly schema?: VariablesSchema;
  /**
   * Whether it is what a component's type says, where there is no `variables.ts`: what the type leaves open is inferred.
   */
  readonly isOpen?: true;
  /** What checking it by the schema gives: with defaults, and after transforms. */
  readonly output?: VariablesSchema;
  readonly hasDerive: boolean;
  readonly fixtures: readonly CheckedFixture[];
  /** Files that it was made from, absolute, sorted. */
  readonly sources: readonly string[];
  /** What imports of them that lead nowhere mean: absolute, without an ending. */
  readonly missing?: readonly string[];
  /** Names of the environment variables that its code read, sorted. */
  readonly environment?: readonly string[];
  /** About the module, and about each fixture. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A fixture that fits the schema. One that does not is only in the diagnostics. */
export interface CheckedFixture {
  readonly name: string;
  /** As in its file. */
  readonly input: Variables;
  /** What the schema makes of it (defaults, transforms), as JSON: what the tags are filled with. */
  readonly parsed: Variables;
  /** What `derive` adds. */
  readonly derived?: Variables;
}

export const READ_VARIABLES: Task<typeof readVariables> = {
  module: new URL("./variables-task.js", import.meta.url),
  name: "readVariables",
};

/**
 * Reads the schema of a template's `variables.ts`, checks every fixture by it, and lets `derive` add to each.
 *
 * @example
 * const { schema, fixtures, diagnostics } = await readVariablesModule(host, template, { locale: "en-US", timeZone: "UTC" });
 *
 * @param template One that has a `variables.ts`.
 * @param bundleOf Bundles the module: where many are read, all of them in one go.
 * @throws {MissingPeerError} rolldown is not installed.
 */
export async function readVariablesModule(
  host: ModuleHost,
  template: Template,
  context: DeriveContext,
  bundleOf: (file: string) => Promise<Bundle> = bundleModule,
): Promise<VariablesModule> {
  const { name, variablesFile: file = "", fixtures } = template;
  let bundle: Bundle | undefined;
  try {
    bundle = await bundleOf(file);
    const examples = fixtures.map((fixture) => ({ name: fixture.name, variables: fixture.variables }));
    const { reading, reads } = await host.run(READ_VARIABLES, { bundle, fixtures: examples, context });
    const environment = reads.environment.map((read) => read.name);
    return {
      ...interpret(reading, template, reads.moments),
      sources: [...bundle.sources, ...reads.files],
      environment,
    };
  } catch (error) {
    if (!(error instanceof ModuleError)) throw error;
    const hint = await zodNameMeant(error.message);
    const [first, ...others] = error.toDiagnostics("variables-module", name);
    const diagnostics = [{ ...(hint !== undefined && { hint }), ...first }, ...others];
    return { hasDerive: false, fixtures: [], sources: bundle?.sources ?? [file], diagnostics };
  }
}

function interpret(
  reading: VariablesReading,
  template: Template,
  moments: readonly SourcePosition[],
): Omit<VariablesModule, "sources"> {
  const { schema, output, hasDerive, problem } = reading;
  const diagnostics: Diagnostic[] =
    problem === undefined ? [] : [about({ rule: "variables-schema", problem, template })];
  const checked: CheckedFixture[] = [];
  for (const fixture of template.fixtures) {
    const read = reading.fixtures.find(({ name }) => name === fixture.name);
    if (read === undefined) continue;
    const misfits = read.issues.map((issue) => misfit(issue, fixture, template));
    // The mark is at the name: there is nothing wrong with the value.
    for (const { severity, ...issue } of foreignNames(fixture.variables, schema))
      misfits.push(misfit(issue, fixture, template, { severity, of: "name" }));
    diagnostics.push(...misfits);
    // What changes by itself does so with every fixture.
    const isTold = read.problem?.changes === true && reading.fixtures.find((each) => each.problem?.changes) !== read;
    if (read.problem !== undefined && !isTold)
      diagnostics.push(about({ rule: "variables-derive", problem: placed(read.problem, moments), template, fixture }));
    const { name, variables: input } = fixture;
    const { parsed, derived } = read;
    if (parsed !== undefined && !hasErrors(misfits)) checked.push({ name, input, parsed, ...(derived && { derived }) });
  }
  return { hasDerive, fixtures: checked, diagnostics, ...(schema && { schema }), ...(output && { output }) };
}

/** Where the module asks for the time or for chance, if that is what is wrong. */
function placed(problem: ModuleProblem, [moment]: readonly SourcePosition[]): ModuleProblem {
  return problem.changes === true && moment ? { ...problem, at: moment } : problem;
}

interface ProblemAt {
  readonly rule: string;
  readonly problem: ModuleProblem;
  readonly template: Template;
  readonly fixture?: Fixture;
}

function about({ rule, problem, template, fixture }: ProblemAt): Diagnostic {
  const { message, hint, at = { file: template.variablesFile ?? "" } } = problem;
  const where = fixture === undefined ? "" : `With the fixture "${fixture.name}": `;
  return { rule, severity: "error", message: `${where}${message}`, template: template.name, at, ...(hint && { hint }) };
}

function misfit(
  issue: Issue,
  { source }: Fixture,
  template: Template,
  { severity, of }: { severity: Severity; of: "value" | "name" } = { severity: "error", of: "value" },
): Diagnostic {
  const at = jsonPosition(source, issue.path, of);
  return { rule: "fixture-schema", severity, message: describeIssue(issue), template: template.name, at };
}
