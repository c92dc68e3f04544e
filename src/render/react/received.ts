import type { Variables, VariablesSchema } from "../../mustache/variables.js";
import type { Template } from "../../project/template.js";
import type { VariablesModule } from "../../project/variables-module.js";
import { exampleSchema } from "./example-schema.js";

/** What is known about a component's props: the passed variables, and those that `derive` adds. */
export interface ReceivedVariables {
  readonly schema?: VariablesSchema;
  /** Whether the schema leaves types open that only examples show. */
  readonly isOpen?: boolean;
  readonly examples: readonly Variables[];
  /** The names of derived variables, which are only known from examples. */
  readonly derived?: readonly string[];
}

/** @param module The template's `variables.ts`, or the type of its component's props. */
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
