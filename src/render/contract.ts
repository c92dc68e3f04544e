import { completeVariables } from "../mustache/complete.js";
import { inferSchema } from "../mustache/infer.js";
import type { Condition, Variables, VariablesContract } from "../mustache/variables.js";
import { readVariablesModule, type VariablesModule } from "../template/variables-module.js";
import type { FilledFixture, Template } from "../template/template.js";
import type { CompileContext } from "./engine.js";
import type { Findings } from "./findings.js";

/** What `variables.ts` says; undefined for a template without one. What is wrong with it goes to the findings. */
export async function readVariables(
  template: Template,
  { host, locale, timeZone }: CompileContext,
  findings: Findings,
): Promise<VariablesModule | undefined> {
  const { variablesFile } = template;
  if (variablesFile === undefined) return undefined;
  const module = await readVariablesModule(host, { ...template, variablesFile }, { locale, timeZone });
  findings.add(module.diagnostics);
  return module;
}

export interface ContractInput {
  readonly template: Template;
  readonly module: VariablesModule | undefined;
  /** The bodies, their tags restored. */
  readonly texts: readonly string[];
  readonly conditions: readonly Condition[];
  /** A component's own example: what it receives, derived variables included. */
  readonly previewProps: Variables | undefined;
}

export interface ContractWithFixtures {
  readonly contract: VariablesContract;
  readonly fixtures: readonly FilledFixture[];
}

/** The fixture that a component's `PreviewProps` are, where there are no others. */
const PREVIEW = "preview";

/** What the tags need to be filled, and every fixture filled in: the schema is the template's own, or inferred. */
export function makeContract(input: ContractInput): ContractWithFixtures {
  return input.module?.schema ? fromSchema(input) : inferred(input);
}

function fromSchema({ module, conditions, previewProps }: ContractInput): ContractWithFixtures {
  const schema = module?.schema ?? {};
  const checked = module?.fixtures ?? [];
  const passed = Object.keys(schema.properties ?? {});
  const shown =
    checked.length > 0 ? checked.map(({ derived }) => derived ?? {}) : [withoutNames(previewProps ?? {}, passed)];
  const derived = module?.hasDerive ? [...new Set(shown.flatMap((example) => Object.keys(example)))].sort() : [];
  const contract = { input: schema, derived, conditions };
  const fixtures = checked.map(({ name, input, parsed, derived: added }) => ({
    name,
    input,
    variables: completeVariables(contract, parsed, added),
  }));
  if (fixtures.length > 0 || !previewProps) return { contract, fixtures };
  const input = withoutNames(previewProps, derived);
  return { contract, fixtures: [{ name: PREVIEW, input, variables: completeVariables(contract, previewProps) }] };
}

function inferred({ template, texts, conditions, previewProps }: ContractInput): ContractWithFixtures {
  const written = template.fixtures.map(({ name, variables }) => ({ name, input: variables }));
  const examples = written.length > 0 || !previewProps ? written : [{ name: PREVIEW, input: previewProps }];
  const schema = inferSchema(
    texts,
    examples.map(({ input }) => input),
    conditions,
  );
  const contract = { input: schema, derived: [], conditions };
  return {
    contract,
    fixtures: examples.map(({ name, input }) => ({ name, input, variables: completeVariables(contract, input) })),
  };
}

function withoutNames(variables: Variables, names: readonly string[]): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));
}
