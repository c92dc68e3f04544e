import path from "node:path";
import { completeVariables } from "../../../mustache/complete.js";
import { sampleOf } from "../../../mustache/sample.js";
import type { CompileResult, FilledFixture, Template } from "../../../project/template.js";
import type { BrokenFixture } from "./broken-fixtures.js";
import type { Entry, ShownBuild } from "./entry.js";

/** The name under which the example is to be saved: that of the first fixture users usually write. */
const NAME = "default";

/** The file in which it would be saved. */
export function madeUpFile({ body }: Pick<Template, "body">): string {
  return path.join(path.dirname(body.file), "fixtures", `${NAME}.json`);
}

/** An example for a template that compiles without one, whose tags would otherwise be empty. */
export function madeUpFixture({
  compiled,
  template,
}: ShownBuild["result"]): (FilledFixture & { readonly isMadeUp: true }) | undefined {
  const { contract, fixtures } = compiled;
  const isInferred = template.variablesFile === undefined;
  if (fixtures.length > 0 || !isInferred || Object.keys(contract.input.properties ?? {}).length === 0) return undefined;
  const input = sampleOf(contract.input);
  return { name: NAME, input, variables: completeVariables(contract, input), isMadeUp: true };
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
