/*
 * The first part of the script that a static copy runs in a worker: it applies a template's `variables.ts`, and completes
 * variables with functions of packages. The second part sets `lettershopModules` to the modules, and `lettershopFunctions` to
 * what makes the functions.
 */
import { z } from "zod";
import { completeVariables } from "../../src/mustache/complete.js";
import { computingOf } from "../../src/mustache/expression/computing.js";
import type { MakeFunctions } from "../../src/mustache/expression/package-functions.js";
import type { Variables, VariablesContract } from "../../src/mustache/variables.js";
import { type FixtureInput, type FixtureReading, readFixture, thrownMessage } from "../../src/project/read-fixture.js";

export interface WorkerRequest {
  readonly template: string;
  readonly variables: Variables;
  readonly context: FixtureInput["context"];
  readonly contract: VariablesContract;
}

export interface WorkerAnswer {
  readonly fixture: FixtureReading;
  /** The completed variables, for a template that needs functions of packages. */
  readonly completed?: Variables;
}

declare global {
  var lettershopModules: Readonly<Record<string, Pick<FixtureInput, "schema" | "derive">>>;
  var lettershopFunctions: Readonly<Record<string, MakeFunctions>>;
}

// The content security policy forbids `eval`. Without this, the console would report each attempt.
z.config({ jitless: true });

globalThis.addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  globalThis.postMessage(answer(data));
});

function answer({ template, contract, variables, context }: WorkerRequest): WorkerAnswer {
  const { schema, derive } = globalThis.lettershopModules[template] ?? {};
  const functions = globalThis.lettershopFunctions[template];
  try {
    const fixture: FixtureReading = schema
      ? readFixture({ schema, jsonSchema: contract.input, derive, variables, context })
      : { parsed: variables, issues: [] };
    const { parsed, derived, problem } = fixture;
    if (!functions || !parsed || problem) return { fixture };
    return {
      fixture,
      completed: completeVariables(contract, parsed, derived, computingOf({ contract, functions }, context)),
    };
  } catch (error) {
    return { fixture: { issues: [], problem: { message: thrownMessage(error) } } };
  }
}
