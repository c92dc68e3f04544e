import type { Variables, VariablesSchema } from "../../mustache/variables.js";
import type { Template } from "../../template/template.js";
import { readVariablesModule, type VariablesModule } from "../../template/variables-module.js";
import type { CompileContext } from "../engine.js";
import { exampleSchema } from "./example-schema.js";

/** What is known of the variables that a component receives: the application's, and what `derive` adds to them. */
export interface ReceivedVariables {
  readonly schema?: VariablesSchema;
  /** Whether the schema leaves open what only examples show. */
  readonly isOpen?: boolean;
  readonly examples: readonly Variables[];
  /** The names of what `derive` gives, of which no more than the examples is known. */
  readonly derived?: readonly string[];
}

/** @param module What the template's `variables.ts` says; without it, it is read. Or what its component's type says. */
export async function receivedVariables(
  template: Template,
  { host, locale, timeZone }: CompileContext,
  module?: VariablesModule,
): Promise<ReceivedVariables> {
  const { variablesFile, fixtures } = template;
  if (variablesFile === undefined) {
    if (!module?.schema) return { examples: fixtures.map(({ variables }) => variables) };
    return { schema: module.schema, isOpen: true, examples: module.fixtures.map(({ parsed }) => parsed) };
  }
  const read = module ?? (await readVariablesModule(host, { ...template, variablesFile }, { locale, timeZone }));
  const examples = read.fixtures.map(({ parsed, derived }) => ({ ...parsed, ...derived }));
  if (!read.schema) return { examples };
  const derived = read.fixtures.map((fixture) => fixture.derived ?? {});
  const names = [...new Set(derived.flatMap((each) => Object.keys(each)))];
  return { schema: together(read.output ?? read.schema, exampleSchema(derived)), examples, derived: names };
}

function together(passed: VariablesSchema, derived: VariablesSchema): VariablesSchema {
  return {
    ...passed,
    properties: { ...passed.properties, ...derived.properties },
    required: [...new Set([...(passed.required ?? []), ...(derived.required ?? [])])],
  };
}
