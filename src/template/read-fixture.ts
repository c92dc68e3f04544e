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
  /** Whether it is that the module gives something else each time. */
  readonly changes?: true;
}

export interface FixtureReading {
  /** What does not fit the schema. */
  readonly issues: readonly Issue[];
  readonly parsed?: Variables;
  readonly derived?: Variables;
  /** With `derive`, given this fixture. */
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
 * What a schema and `derive` make of variables. Whatever they throw is thrown.
 *
 * @example
 * readFixture({ schema, derive, variables: { cents: 400 }, context }).derived; // { total: "€4.00" }
 */
export function readFixture({ schema, derive, variables, context }: FixtureInput): FixtureReading {
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

/** What was thrown, in words. */
export function thrownMessage(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)} was thrown.`;
  return error.name === "Error" ? error.message : `${error.name}: ${error.message}`;
}
