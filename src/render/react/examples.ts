import type { Severity } from "../../diagnostic.js";
import { completeVariables } from "../../mustache/complete.js";
import type { Variables, VariablesContract } from "../../mustache/variables.js";
import type { FilledFixture } from "../../project/template.js";
import { isRecord } from "./leaves.js";
import type { Variation } from "./variations.js";

/** One set of variables for both sides of the oracle. */
export interface Example {
  /** `the fixture "default"` */
  readonly name: string;
  /** The component's props. */
  readonly received: Variables;
  /** The variables that fill the compiled body. */
  readonly filled: Variables;
  /** The severity of a difference. */
  readonly severity: Severity;
  /** The fixture that a variation was made from. */
  readonly fixture?: Example;
}

export function fixtureExamples(fixtures: readonly FilledFixture[]): Example[] {
  return fixtures.map((fixture) => ({
    name: `the fixture "${fixture.name}"`,
    received: receivedOf(fixture),
    filled: fixture.variables,
    severity: "error",
  }));
}

/** Variations of the fixtures, without duplicates. */
export function variedExamples(
  fixtures: readonly FilledFixture[],
  contract: VariablesContract,
  variationsOf: (example: Variables, contract: VariablesContract) => readonly Variation[],
): Example[] {
  const varied = new Map<string, Example>();
  for (const fixture of fixtureExamples(fixtures)) {
    for (const { name, variables, severity } of variationsOf(fixture.received, contract)) {
      const key = JSON.stringify(variables);
      if (varied.has(key)) continue;
      const filled = completeVariables(contract, variables);
      varied.set(key, { name: `${fixture.name}, ${name}`, received: variables, filled, severity, fixture });
    }
  }
  return [...varied.values()];
}

/** A fixture's variables including derived ones, without additions for Mustache: conditions and nulls. */
function receivedOf({ input, variables }: FilledFixture): Variables {
  return withoutAdditions(variables, input);
}

function withoutAdditions(value: Variables, passed: unknown): Variables {
  const entries = Object.entries(value).filter(
    ([name, each]) => has(passed, name) || (each !== null && !name.includes("__")),
  );
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutAdditionsIn(each, memberOf(passed, name))]));
}

function withoutAdditionsIn(value: unknown, passed: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => withoutAdditionsIn(item, memberOf(passed, String(index))));
  return isRecord(value) ? withoutAdditions(value, passed) : value;
}

function has(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
