import { type Diagnostic, hasErrors, type Severity, type SourcePosition } from "../diagnostic.js";
import { type Bundle, bundleModule } from "../process/bundle.js";
import type { ModuleHost, Task } from "../process/host.js";
import { ModuleError } from "../process/module-error.js";
import type { Variables, VariablesSchema } from "../mustache/variables.js";
import { asIssue, foreignNames, trialOf, type VariablesTrial } from "./variables-trial.js";
import { describeIssue, type Issue } from "./issues.js";
import { jsonPosition } from "./source-file.js";
import type { DeriveContext } from "./registry-types.js";
import type { Fixture, Template } from "./template.js";
import type { ModuleProblem } from "./read-fixture.js";
import type { readVariables, VariablesReading } from "./variables-task.js";
import { nearest } from "../text/nearest.js";

/** The content of a template's `variables.ts`, tried on its fixtures. */
export interface VariablesModule {
  /** What the application passes; absent if the module could not be read. */
  readonly schema?: VariablesSchema;
  /**
   * Set if the schema comes from the type of a component's props, for lack of a `variables.ts`: what it leaves open is inferred.
   */
  readonly isOpen?: true;
  /** The schema of the parsed values, with defaults and after transforms. */
  readonly output?: VariablesSchema;
  readonly hasDerive: boolean;
  readonly fixtures: readonly CheckedFixture[];
  /** Files that it was made from, absolute, sorted. */
  readonly sources: readonly string[];
  /** Paths that unresolved imports would match: absolute, without extension. */
  readonly missing?: readonly string[];
  /** Names of the environment variables that its code read, sorted. */
  readonly environment?: readonly string[];
  /** About the module, and about each fixture. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A fixture that matches the schema. The others appear only in the diagnostics. */
export interface CheckedFixture {
  readonly name: string;
  /** As in its file. */
  readonly input: Variables;
  /** The fixture after the schema's defaults and transforms, as JSON: what fills the tags. */
  readonly parsed: Variables;
  /** What `derive` adds. */
  readonly derived?: Variables;
}

export const READ_VARIABLES: Task<typeof readVariables> = {
  module: new URL("./variables-task.js", import.meta.url),
  name: "readVariables",
};

/**
 * Reads the schema in a template's `variables.ts`, checks every fixture against it, and applies `derive` to each.
 *
 * @param bundleOf Bundles the module; callers that read many modules bundle them together.
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
    const { reading, reads } = await host.run(
      READ_VARIABLES,
      { bundle, fixtures: examples, context },
      { place: context },
    );
    return {
      ...interpret(reading, template, reads.moments),
      sources: [...bundle.sources, ...reads.files],
      environment: reads.environment.map((read) => read.name),
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
    problem === undefined ? [] : [moduleDiagnostic("variables-schema", problem, template)];
  const checked: CheckedFixture[] = [];
  for (const fixture of template.fixtures) {
    const read = reading.fixtures.find(({ name }) => name === fixture.name);
    if (read === undefined) continue;
    const misfits = read.issues.map((issue) => misfit(issue, fixture, template));
    // Points to the name: there is nothing wrong with the value.
    for (const { severity, ...issue } of foreignNames(fixture.variables, schema))
      misfits.push(misfit(issue, fixture, template, severity, "name"));
    diagnostics.push(...misfits);
    // A `derive` that changes by itself does so with every fixture: report it once.
    const isReported =
      read.problem?.changes === true && reading.fixtures.find((each) => each.problem?.changes) !== read;
    if (read.problem !== undefined && !isReported)
      diagnostics.push(moduleDiagnostic("variables-derive", withPosition(read.problem, moments), template, fixture));
    const { name, variables: input } = fixture;
    const { parsed, derived } = read;
    if (parsed !== undefined && !hasErrors(misfits)) checked.push({ name, input, parsed, ...(derived && { derived }) });
  }
  return { hasDerive, fixtures: checked, diagnostics, ...(schema && { schema }), ...(output && { output }) };
}

/** Adds the position where the module reads the time or random numbers, if that is the problem. */
function withPosition(problem: ModuleProblem, [moment]: readonly SourcePosition[]): ModuleProblem {
  return problem.changes === true && moment ? { ...problem, at: moment } : problem;
}

function moduleDiagnostic(
  rule: string,
  { message, hint, at }: ModuleProblem,
  { name, variablesFile: file = "" }: Template,
  fixture?: Fixture,
): Diagnostic {
  const where = fixture === undefined ? "" : `With the fixture "${fixture.name}": `;
  return { rule, severity: "error", message: where + message, template: name, at: at ?? { file }, hint };
}

function misfit(
  issue: Issue,
  { source }: Fixture,
  { name }: Template,
  severity: Severity = "error",
  of: "value" | "name" = "value",
): Diagnostic {
  const at = jsonPosition(source, issue.path, of);
  return { rule: "fixture-schema", severity, message: describeIssue(issue), template: name, at };
}

/** A suggestion for a mistyped zod function, if an error message says that there is no such function. */
async function zodNameMeant(message: string): Promise<string | undefined> {
  const [, chain, name = ""] = /\bz((?:\.\w+\(\.\.\.\))*)\.(\w+) is not a function$/.exec(message) ?? [];
  if (name === "") return undefined;
  const { z } = await import("zod");
  const schemas = () => [z.string(), z.number(), z.array(z.unknown()), z.object({})];
  const near = chain === "" ? nearest(name, Object.keys(z)) : nearest(name, schemas().flatMap(membersOf));
  return near === undefined ? undefined : `Did you mean ${chain === "" ? `z.${near}` : near}?`;
}

/** Own and inherited members. */
function membersOf(schema: object): string[] {
  const above: unknown = Object.getPrototypeOf(schema);
  const inherited = typeof above === "object" && above !== null && above !== Object.prototype ? membersOf(above) : [];
  return [...Object.getOwnPropertyNames(schema), ...inherited].filter((name) => !name.startsWith("_"));
}

/**
 * Applies a template's schema and `derive` to variables that are not in a file.
 *
 * @throws {MissingPeerError} rolldown is not installed.
 */
export async function tryVariables(
  host: ModuleHost,
  { variablesFile }: Template,
  variables: Variables,
  context: DeriveContext,
): Promise<VariablesTrial> {
  if (variablesFile === undefined) return { parsed: variables, issues: [] };
  try {
    const bundle = await bundleModule(variablesFile);
    const fixtures = [{ name: "", variables }];
    const { reading } = await host.run(READ_VARIABLES, { bundle, fixtures, context });
    const [fixture] = reading.fixtures;
    return trialOf(variables, { ...reading, fixture });
  } catch (error) {
    if (!(error instanceof ModuleError)) throw error;
    return { issues: [asIssue(error)] };
  }
}

/**
 * Whether a `variables.ts` changes the values that an application passes before tags see them: with `derive`, or with a
 * transforming schema. The contract can't show this when the type stays the same.
 *
 * @example
 * computes("export default z.object({ name: z.string().trim() });"); // true
 */
export function computes(code: string): boolean {
  return COMPUTES.test(code);
}

const COMPUTES =
  /\bderive\b|\bz\.(?:coerce|codec|preprocess|stringbool)\b|\.(?:catch|normalize|overwrite|pipe|slugify|toLowerCase|toUpperCase|transform|trim)\s*\(/;
