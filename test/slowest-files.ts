import type { Reporter, TestModule, Vitest } from "vitest/node";

/** Seconds that a file's tests may take on two quiet cores. In CI, whose machines are busy, three times that fails the run. */
const BUDGET = 10;
const TOLERANCE = 3;
const SHOWN = 10;

/** Names the slowest files at the end of a run, so that the suite stays quick. */
export default class SlowestFiles implements Reporter {
  #hasBudget = false;

  onInit(vitest: Vitest): void {
    this.#hasBudget = process.env["CI"] !== undefined && vitest.vite.config.mode !== "long";
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => ({ name: module.relativeModuleId, seconds: secondsOf(module) }))
      .toSorted((one, other) => other.seconds - one.seconds);
    const slowest = files.slice(0, SHOWN).map(({ name, seconds }) => `${name} ${seconds.toFixed(1)}`);
    console.log(`Slowest files, in seconds: ${slowest.join(", ")}`);

    if (!this.#hasBudget) return;
    for (const { name, seconds } of files.filter((file) => file.seconds > BUDGET * TOLERANCE)) {
      console.error(
        `${name} took ${seconds.toFixed(0)} seconds. A file's budget is ${BUDGET}, or ${BUDGET * TOLERANCE} in CI.`,
      );
      process.exitCode = 1;
    }
  }
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}
