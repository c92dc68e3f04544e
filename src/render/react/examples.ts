import type { Severity } from "../../diagnostic.js";
import { completeVariables } from "../../mustache/complete.js";
import type { Variables, VariablesContract } from "../../mustache/variables.js";
import type { FilledFixture } from "../../template/template.js";
import { variationsOf } from "./variations.js";

/** One set of variables for both sides of the oracle. */
export interface Example {
  /** `the fixture "default"` */
  readonly name: string;
  /** What the component receives. */
  readonly received: Variables;
  /** What the compiled body is filled with. */
  readonly filled: Variables;
  /** Whether it was made up from a fixture: then a component may refuse it. */
  readonly isVariation: boolean;
  /** How much a difference matters. */
  readonly severity: Severity;
}

/** The fixtures, and where the contract is known variations of the first. */
export function examplesOf(fixtures: readonly FilledFixture[], contract: VariablesContract | undefined): Example[] {
  const examples = fixtures.map((fixture) => ({
    name: `the fixture "${fixture.name}"`,
    received: receivedOf(fixture),
    filled: fixture.variables,
    isVariation: false,
    severity: "error" as const,
  }));
  const [first] = examples;
  if (!first || !contract) return examples;
  const varied = variationsOf(first.received, contract.input).map(({ name, variables, severity }) => ({
    name: `${first.name}, ${name}`,
    received: variables,
    filled: completeVariables(contract, variables),
    isVariation: true,
    severity,
  }));
  return [...examples, ...varied];
}

/** A fixture's variables with what `derive` adds, without what is added only for Mustache: conditions and nulls. */
function receivedOf({ input, variables }: FilledFixture): Variables {
  return withoutAdditions(variables, input);
}

function withoutAdditions(value: Variables, passed: unknown): Variables {
  const entries = Object.entries(value).filter(
    ([name, each]) => !name.includes("__") && (each !== null || has(passed, name)),
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

function isRecord(value: unknown): value is Variables {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
