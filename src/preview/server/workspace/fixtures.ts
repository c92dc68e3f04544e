import path from "node:path";
import type { Diagnostic } from "../../../diagnostic.js";
import { completeVariables } from "../../../mustache/complete.js";
import { evaluator } from "../../../mustache/expression/evaluate.js";
import type { Variables } from "../../../mustache/variables.js";
import type { CompileResult, FilledFixture, Fixture, Template } from "../../../project/template.js";
import { type Entry, fixturesOf, type ShownBuild } from "./entry.js";
import { sampleOf } from "../../../mustache/sample.js";

/** A fixture that cannot be read, that the schema rejects, or that nobody has written yet. */
export interface BrokenFixture {
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The file's content, if it can be read. */
  readonly input?: Variables;
  /** The last valid version. Undefined if it never was valid. */
  readonly last?: FilledFixture;
  readonly isMadeUp?: true;
}

/**
 * The fixtures whose files cannot be read.
 *
 * @param before The template's previous entry.
 */
export function unreadableFixtures(diagnostics: readonly Diagnostic[], before: Entry | undefined): BrokenFixture[] {
  return diagnostics.flatMap((diagnostic): BrokenFixture[] => {
    const { at, severity } = diagnostic;
    if (severity !== "error" || at === undefined) return [];
    return [brokenFixture({ name: path.basename(at.file, ".json"), diagnostics: [diagnostic] }, before)];
  });
}

/**
 * The template without broken fixtures, if they are the only reason why it does not compile.
 *
 * @returns Undefined if there are other reasons.
 */
export function withoutBrokenFixtures(
  { compiled, diagnostics, template }: CompileResult,
  before: Entry,
): { readonly template: Template; readonly broken: readonly BrokenFixture[] } | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const isOf = ({ source }: Fixture, { at }: Diagnostic): boolean => at?.file === source.file;
  const { fixtures } = template;
  if (compiled || errors.length === 0 || !errors.every((error) => fixtures.some((each) => isOf(each, error))))
    return undefined;
  const broken = fixtures.flatMap((fixture): BrokenFixture[] => {
    const { name, variables: input } = fixture;
    const fixtureErrors = errors.filter((error) => isOf(fixture, error));
    return fixtureErrors.length === 0 ? [] : [brokenFixture({ name, diagnostics: fixtureErrors, input }, before)];
  });
  const names = new Set(broken.map(({ name }) => name));
  return { template: { ...template, fixtures: fixtures.filter(({ name }) => !names.has(name)) }, broken };
}

function brokenFixture(fixture: Omit<BrokenFixture, "last">, before: Entry | undefined): BrokenFixture {
  const known = [...(before?.shown?.result.compiled.fixtures ?? []), ...lastOf(before?.brokenFixtures)];
  const last = known.find(({ name }) => name === fixture.name);
  return { ...fixture, ...(last && { last }) };
}

function lastOf(broken: readonly BrokenFixture[] = []): FilledFixture[] {
  return broken.flatMap(({ last }) => last ?? []);
}

/** A fixture as the page shows it. */
export interface ShownFixture extends FilledFixture {
  /** Why the file's content is not used, or that the template needs this fixture. */
  readonly problem?: string;
  /** Set if nobody has written it yet. */
  readonly isMadeUp?: true;
}

export function shownFixtures({
  shown,
  brokenFixtures: broken = [],
}: {
  readonly shown?: Pick<ShownBuild, "result">;
  readonly brokenFixtures?: Entry["brokenFixtures"];
}): readonly ShownFixture[] {
  const { compiled } = shown?.result ?? {};
  const { fixtures = [] } = compiled ?? {};
  const names = new Set(broken.map(({ name }) => name));
  const all: readonly ShownFixture[] = [
    ...fixtures.filter(({ name }) => !names.has(name)),
    ...broken.map(({ name, diagnostics, last, isMadeUp, input = last?.input ?? {} }) => {
      // As with a template that does not compile, the last email stays.
      const variables =
        last?.variables ??
        (compiled ? completeVariables(compiled.contract, input, {}, { evaluator, ...compiled.context }) : {});
      return { name, input, variables, problem: problemOf(diagnostics), ...(isMadeUp && { isMadeUp }) };
    }),
  ];
  const madeUp = all.length === 0 && shown ? madeUpFixture(shown.result) : undefined;
  if (madeUp) return [madeUp];
  return fixturesOf({ fixtures: names.size === 0 ? all : all.toSorted((a, b) => (a.name < b.name ? -1 : 1)) });
}

/** `long.json, line 3: Expected a value, found "}".` */
function problemOf([first, ...others]: readonly Diagnostic[]): string {
  const { at, message = "" } = first ?? {};
  const line = at?.line === undefined ? "" : `, line ${at.line}`;
  const more = others.length === 0 ? "" : ` And ${others.length} more.`;
  return `${path.basename(at?.file ?? "")}${line}: ${message}${more}`;
}

/** The name under which the example is to be saved: that of the first fixture users usually write. */
const NAME = "default";

/** The file in which it would be saved. */
export function madeUpFile({ body }: Pick<Template, "body">): string {
  return path.join(path.dirname(body.file), "fixtures", `${NAME}.json`);
}

/** An example for a template that compiles without one, whose tags would otherwise be empty. */
function madeUpFixture({
  compiled,
  template,
}: ShownBuild["result"]): (FilledFixture & { readonly isMadeUp: true }) | undefined {
  const { contract, context, fixtures } = compiled;
  const isInferred = template.variablesFile === undefined;
  if (fixtures.length > 0 || !isInferred || Object.keys(contract.input.properties ?? {}).length === 0) return undefined;
  const input = sampleOf(contract.input);
  return {
    name: NAME,
    input,
    variables: completeVariables(contract, input, {}, { evaluator, ...context }),
    isMadeUp: true,
  };
}

/**
 * A template with an example of its variables, if nothing else is missing to compile it. The template can then be
 * viewed, and the example edited and saved.
 *
 * @returns Undefined if it has a fixture or other problems.
 */
export function withSample(
  { compiled, sample, diagnostics, template }: CompileResult,
  { brokenFixtures = [] }: Entry,
): { readonly template: Template; readonly broken: readonly BrokenFixture[] } | undefined {
  if (compiled || !sample || template.fixtures.length + brokenFixtures.length > 0) return undefined;
  const source = { file: madeUpFile(template), text: JSON.stringify(sample) };
  const broken = { name: NAME, diagnostics, input: sample, isMadeUp: true } as const;
  return { template: { ...template, fixtures: [{ name: NAME, source, variables: sample }] }, broken: [broken] };
}

/** Restores the template without the example, if the example does not work with the template's code. */
export function withoutFailedSample(
  result: CompileResult,
  entry: Entry,
): { readonly result: CompileResult; readonly entry: Entry } {
  const madeUp = entry.brokenFixtures?.find(({ isMadeUp }) => isMadeUp);
  if (!madeUp || result.compiled) return { result, entry };
  const template = { ...result.template, fixtures: [] };
  return {
    result: { ...result, template, diagnostics: madeUp.diagnostics },
    entry: { ...entry, template, brokenFixtures: undefined },
  };
}
