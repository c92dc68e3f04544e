import type { Variables, VariablesSchema } from "../../mustache/variables.js";
import type { Template } from "../../template/template.js";
import type { VariablesModule } from "../../template/variables-module.js";
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

/** @param module What the template's `variables.ts` says, or its component's type. */
export function receivedVariables(
  { variablesFile, fixtures }: Template,
  module: VariablesModule | undefined,
): ReceivedVariables {
  if (!module || (variablesFile === undefined && !module.schema))
    return { examples: fixtures.map(({ variables }) => variables) };
  const { schema, output = schema } = module;
  if (variablesFile === undefined)
    return { ...(schema && { schema }), isOpen: true, examples: module.fixtures.map(({ parsed }) => parsed) };
  const examples = module.fixtures.map(({ parsed, derived }) => ({ ...parsed, ...derived }));
  if (!output) return { examples };
  const derived = module.fixtures.map((fixture) => fixture.derived ?? {});
  const names = [...new Set(derived.flatMap((each) => Object.keys(each)))];
  return { schema: together(output, exampleSchema(derived)), examples, derived: names };
}

function together(passed: VariablesSchema, derived: VariablesSchema): VariablesSchema {
  return {
    ...passed,
    properties: { ...passed.properties, ...derived.properties },
    required: [...new Set([...(passed.required ?? []), ...(derived.required ?? [])])],
  };
}
