// Adds up what .ci/run ran. A report that is missing counts as a failure: its step did not get to the end.
import { readFile } from "node:fs/promises";

const [failedSteps, ...reports] = process.argv.slice(2);
let passed = 0;
let failed = Number(failedSteps);
for (const file of reports) {
  try {
    const { numPassedTests, numFailedTests, success } = JSON.parse(await readFile(file, "utf8"));
    passed += numPassedTests;
    failed += numFailedTests === 0 && !success ? 1 : numFailedTests;
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    failed += 1;
  }
}
if (passed === 0) failed += 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
