// Adds up the results of .ci/run. Arguments: the number of failed steps, then each run's exit code and report. A run that fails
// without a failed test, or has no report, also counts as a failure.
import { readFile } from "node:fs/promises";

const [failedSteps, ...runs] = process.argv.slice(2);
let passed = 0;
let failed = Number(failedSteps);
for (let run = 0; run < runs.length; run += 2) {
  const [exitCode, file] = [Number(runs[run]), runs[run + 1]];
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(await readFile(file, "utf8"));
    passed += numPassedTests;
    failed += numFailedTests === 0 && exitCode !== 0 ? 1 : numFailedTests;
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    failed += 1;
  }
}
if (passed === 0) failed += 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
