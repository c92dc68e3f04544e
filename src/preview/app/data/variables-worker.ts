/*
 * The first part of a script that runs in a worker of a static copy: what the project's `variables.ts` make of variables. The
 * second part puts these modules into `lettershopModules`.
 */
import { z } from "zod";
import type { Variables } from "../../../mustache/variables.js";
import { type FixtureInput, type FixtureReading, readFixture, thrownMessage } from "../../../template/read-fixture.js";

export interface Question {
  readonly template: string;
  readonly variables: Variables;
  readonly context: FixtureInput["context"];
}

declare global {
  var lettershopModules: Readonly<Record<string, Pick<FixtureInput, "schema" | "derive">>>;
}

// The page's policy lets nobody make code of a text, and a browser's console would tell of each attempt.
z.config({ jitless: true });

globalThis.addEventListener("message", ({ data }: MessageEvent<Question>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  globalThis.postMessage(answer(data));
});

function answer({ template, ...question }: Question): FixtureReading {
  const { schema, derive } = globalThis.lettershopModules[template] ?? {};
  if (schema === undefined) return { issues: [], problem: { message: `There is no ${template} in this copy.` } };
  try {
    return readFixture({ schema, derive, ...question });
  } catch (error) {
    return { issues: [], problem: { message: thrownMessage(error) } };
  }
}
