import type { z } from "zod";
import type { SourcePosition } from "../diagnostic.js";
import type { Variables } from "../mustache/variables.js";
import { checkDerive } from "./derive.js";
import { findForeign, type Foreign, isPlain } from "./foreign.js";
import { type Issue, pathText } from "./issue.js";
import { parseFixture } from "./parse-fixture.js";
import type { DeriveContext } from "./registry.js";

export interface ModuleProblem {
  readonly message: string;
  readonly hint?: string;
  readonly at?: SourcePosition;
  /** Whether the problem is that the module returns something else each time. */
  readonly changes?: true;
}

export interface FixtureReading {
  /** What does not fit the schema. */
  readonly issues: readonly Issue[];
  readonly parsed?: Variables;
  readonly derived?: Variables;
  /** A problem of `derive` with this fixture. */
  readonly problem?: ModuleProblem;
}

export type Derive = (variables: unknown, context: DeriveContext) => unknown;

export interface FixtureInput {
  readonly schema: z.core.$ZodObject;
  readonly derive: Derive | undefined;
  readonly variables: Variables;
  readonly context: DeriveContext;
}

/**
 * Applies a schema and `derive` to variables. What they throw is not caught.
 *
 * @example
 * readFixture({ schema, derive, variables: { cents: 400 }, context }).derived; // { total: "€4.00" }
 */
export function readFixture({ schema, derive, variables, context }: FixtureInput): FixtureReading {
  const { data, issues = [] } = parseFixture(schema, variables);
  if (data === undefined) return { issues };
  const parsed = withDatesAsStrings(data);
  const foreign = findForeign(parsed);
  if (foreign) return { issues, problem: foreignProblem(foreign) };
  if (!derive) return { issues, parsed };
  // Parsed again for each call, so that a call doesn't see what an earlier one did to its variables.
  const derived = checkDerive(() => derive(parseFixture(schema, variables).data, context));
  return derived.problem ? { issues, problem: derived.problem } : { issues, parsed, derived: derived.variables };
}

/** Dates become strings, as in JSON. */
function withDatesAsStrings(value: Variables): Variables;
function withDatesAsStrings(value: unknown): unknown;
function withDatesAsStrings(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => withDatesAsStrings(item));
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDatesAsStrings(member)]));
}

function foreignProblem({ path, what }: Foreign): ModuleProblem {
  return {
    message: `The schema turns ${pathText(path)} into ${what}, which is not JSON, so no tag can print it.`,
    hint: "Keep the passed value, and compute the printed one in derive.",
  };
}

/** A message for a thrown value. */
export function thrownMessage(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)} was thrown.`;
  return error.name === "Error" ? error.message : `${error.name}: ${error.message}`;
}
