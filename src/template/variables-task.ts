import type { z } from "zod";
import type { SourcePosition } from "../diagnostic.js";
import type { Bundle } from "../modules/module-bundle.js";
import type { Reads } from "../modules/reads.js";
import type { TaskContext } from "../modules/task.js";
import type { Variables, VariablesSchema } from "../mustache/variables.js";
import { checkDerive } from "./derive.js";
import { findForeign, type Foreign, isPlain } from "./foreign.js";
import { type Issue, pathText } from "./issue.js";
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
  /** What checking by it gives. */
  readonly output?: VariablesSchema;
  readonly hasDerive: boolean;
  /** About the module as a whole. */
  readonly problem?: ModuleProblem;
  readonly fixtures: readonly FixtureReading[];
}

/** With what the module's code asked of its surroundings. */
export interface VariablesOutput {
  readonly reading: VariablesReading;
  readonly reads: Reads;
}

export interface ModuleProblem {
  readonly message: string;
  readonly hint?: string;
  readonly at?: SourcePosition;
  /** Whether it is that the module gives something else each time. */
  readonly changes?: true;
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

export async function readVariables(input: VariablesTaskInput, worker: TaskContext): Promise<VariablesOutput> {
  const reading = await read(input, worker);
  return { reading, reads: worker.reads() };
}

async function read(input: VariablesTaskInput, worker: TaskContext): Promise<VariablesReading> {
  const { default: schema, derive } = await worker.load(input.bundle);
  const hasDerive = isFunction(derive);
  const nothing = { hasDerive, fixtures: [] };
  if (!isObjectSchema(schema)) return { ...nothing, problem: schemaProblem(schema) };
  if (derive !== undefined && !hasDerive)
    return { ...nothing, problem: { message: "derive is exported and is not a function." } };

  const fixtures = input.fixtures.map(({ name, variables }): FixtureReading => {
    try {
      return {
        name,
        ...readFixture({ schema, derive: hasDerive ? derive : undefined, variables, context: input.context }),
      };
    } catch (error) {
      return { name, issues: [], problem: thrown(error, worker) };
    }
  });
  return { schema: variablesSchemaOf(schema), output: variablesSchemaOf(schema, "output"), hasDerive, fixtures };
}

type Derive = (variables: unknown, context: DeriveContext) => unknown;

function isFunction(value: unknown): value is Derive {
  return typeof value === "function";
}

interface FixtureInput {
  readonly schema: z.core.$ZodObject;
  readonly derive: Derive | undefined;
  readonly variables: Variables;
  readonly context: DeriveContext;
}

function readFixture({ schema, derive, variables, context }: FixtureInput): Omit<FixtureReading, "name"> {
  const { data, issues = [] } = parseFixture(schema, variables);
  if (data === undefined) return { issues };
  const parsed = withDatesAsTexts(data);
  const foreign = findForeign(parsed);
  if (foreign) return { issues, problem: madeForeign(foreign) };
  if (!derive) return { issues, parsed };
  // Parsed again for each call, so that none sees what another did to its variables.
  const derived = checkDerive(() => derive(parseFixture(schema, variables).data, context));
  return derived.problem ? { issues, problem: derived.problem } : { issues, parsed, derived: derived.variables };
}

/** As JSON has them. */
function withDatesAsTexts(value: Variables): Variables;
function withDatesAsTexts(value: unknown): unknown;
function withDatesAsTexts(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => withDatesAsTexts(item));
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDatesAsTexts(member)]));
}

function madeForeign({ path, what }: Foreign): ModuleProblem {
  return {
    message: `The schema makes ${what} of ${pathText(path)}, which JSON does not have, and no tag can print.`,
    hint: "Leave the value as it is passed, and compute what is printed in derive.",
  };
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
