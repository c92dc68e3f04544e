import type { SourcePosition } from "../diagnostic.js";
import type { Bundle } from "../modules/module-bundle.js";
import type { TaskContext } from "../modules/task.js";
import type { Variables, VariablesSchema } from "../mustache/variables.js";
import { checkDerive } from "./derive.js";
import type { Issue } from "./issue.js";
import { parseFixture } from "./parse-fixture.js";
import type { DeriveContext } from "./registry.js";
import { isObjectSchema, variablesSchemaOf } from "./variables-schema.js";

export interface VariablesTaskInput {
  readonly bundle: Bundle;
  readonly fixtures: readonly { readonly name: string; readonly variables: Variables }[];
  readonly context: DeriveContext;
}

/** What a `variables.ts` says. */
export interface VariablesReading {
  /** Absent where its default export is none, or has something that no schema of JSON can say. */
  readonly schema?: VariablesSchema;
  readonly hasDerive: boolean;
  /** About the module as a whole. */
  readonly problem?: ModuleProblem;
  readonly fixtures: readonly FixtureReading[];
}

export interface ModuleProblem {
  readonly message: string;
  readonly hint?: string;
  readonly at?: SourcePosition;
}

export interface FixtureReading {
  readonly name: string;
  /** What does not fit the schema. */
  readonly issues: readonly Issue[];
  readonly parsed?: Variables;
  readonly derived?: Variables;
  /** With `derive`, given this fixture. */
  readonly problem?: ModuleProblem;
}

export async function readVariables(input: VariablesTaskInput, worker: TaskContext): Promise<VariablesReading> {
  const { default: schema, derive } = await worker.load(input.bundle);
  const hasDerive = typeof derive === "function";
  const nothing = { hasDerive, fixtures: [] };
  if (!isObjectSchema(schema)) return { ...nothing, problem: schemaProblem(schema) };
  if (derive !== undefined && !hasDerive)
    return { ...nothing, problem: { message: "derive is exported and is not a function." } };

  const fixtures = input.fixtures.map(({ name, variables }): FixtureReading => {
    try {
      const { data, issues = [] } = parseFixture(schema, variables);
      if (data === undefined) return { name, issues };
      const parsed: Variables = JSON.parse(JSON.stringify(data));
      if (!hasDerive) return { name, issues, parsed };
      // Parsed again for each call, so that none sees what another did to its variables.
      const derived = checkDerive(() => derive(parseFixture(schema, variables).data, input.context));
      return derived.problem
        ? { name, issues, problem: derived.problem }
        : { name, issues, parsed, derived: derived.variables };
    } catch (error) {
      return { name, issues: [], problem: thrown(error, worker) };
    }
  });
  return { schema: variablesSchemaOf(schema), hasDerive, fixtures };
}

function schemaProblem(value: unknown): ModuleProblem {
  const hint = 'import { z } from "zod"; export default z.object({ … });';
  if (value === undefined) return { message: "variables.ts has no default export.", hint };
  if (typeof value === "object" && value !== null && "_def" in value && !("_zod" in value)) {
    return { message: "variables.ts uses zod 3.", hint: "Install zod 4: npm install zod@4" };
  }
  return { message: "The default export of variables.ts is not an object schema of zod.", hint };
}

function thrown(error: unknown, worker: TaskContext): ModuleProblem {
  if (!(error instanceof Error)) return { message: `${String(error)} was thrown.` };
  const at = worker.positionOf(error);
  const message = error.name === "Error" ? error.message : `${error.name}: ${error.message}`;
  return at === undefined ? { message } : { message, at };
}
