import path from "node:path";
import { completeVariables } from "../../../mustache/complete.js";
import { sampleOf } from "../../../mustache/sample.js";
import type { CompileResult, FilledFixture, Template } from "../../../template/template.js";
import type { BrokenFixture } from "./broken-fixtures.js";
import type { Entry, ShownBuild } from "./entry.js";

/** The first that a person writes, and so what to save the example as. */
const NAME = "default";

/** Where it would be saved. */
export function madeUpFile({ body }: Pick<Template, "body">): string {
  return path.join(path.dirname(body.file), "fixtures", `${NAME}.json`);
}

/** An example for a template that compiles without one: its tags would print nothing. */
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
 * A template with an example of its variables, where it lacks nothing else to be compiled: so that it can be looked at, and
 * the example be mended and saved.
 *
 * @returns Undefined where it has one, or lacks more.
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

/** As it was without the example, where that does not fit what the template does with its variables. */
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
