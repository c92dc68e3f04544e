import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { programs, variables } from "./computed-generator.js";
import { ComputedTrials, describeResult, KNOWN } from "./computed-trial.js";
import { Project } from "./project.js";

const trials = new ComputedTrials(await Project.make());
afterAll(() => trials.close());

const long = process.env["MODE"] === "long";
const RUNS = long ? 10_000 : 40;

const trial = fc.record({
  known: fc.constantFrom(...KNOWN),
  examples: fc.array(variables, { minLength: 4, maxLength: 4 }),
});

test("computed values are what React renders, in 4 languages and 3 time zones", async () => {
  const refusals: string[] = [];
  await fc.assert(
    fc.asyncProperty(fc.oneof(programs(2), programs(3), programs(4, 1)), trial, async (program, of) => {
      const found = await trials.run(program, of);
      if (found.kind === "refused") refusals.push(found.message);
      // Programs become smaller by their own rules, and fast-check's would only repeat that.
      if (found.kind === "wrong") throw new Error(describeResult(await trials.shrink(program, of, found), of));
    }),
    { numRuns: RUNS, endOnFailure: true, ...(!long && { seed: 28 }) },
  );
  expect(refusals.length, refusals.join("\n")).toBeLessThan(RUNS * 0.05);
});
