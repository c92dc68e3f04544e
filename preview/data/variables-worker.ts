/*
 * The first part of the script that a static copy runs in a worker: it applies a template's `variables.ts`. The second part
 * sets `lettershopModules` to these modules.
 */
import { z } from "zod";
import type { Variables } from "../../src/mustache/variables.js";
import { type FixtureInput, type FixtureReading, readFixture, thrownMessage } from "../../src/project/read-fixture.js";

export interface WorkerRequest {
  readonly template: string;
  readonly variables: Variables;
  readonly context: FixtureInput["context"];
}

declare global {
  var lettershopModules: Readonly<Record<string, Pick<FixtureInput, "schema" | "derive">>>;
}

// The content security policy forbids `eval`. Without this, the console would report each attempt.
z.config({ jitless: true });

globalThis.addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  globalThis.postMessage(answer(data));
});

function answer({ template, ...question }: WorkerRequest): FixtureReading {
  const { schema, derive } = globalThis.lettershopModules[template] ?? {};
  if (schema === undefined) return { issues: [], problem: { message: `This copy has no template ${template}.` } };
  try {
    return readFixture({ schema, derive, ...question });
  } catch (error) {
    return { issues: [], problem: { message: thrownMessage(error) } };
  }
}
