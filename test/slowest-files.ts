import type { Reporter, TestModule, Vitest } from "vitest/node";

const SHOWN = 10;

/** What a file may take, in seconds, on two quiet cores. */
const BUDGET = 10;

/**
 * Names the slowest files at the end of a run, so that the suite stays quick. With `TEST_BUDGET=1` in
 * the environment, one that takes three times its budget fails the run.
 */
export default class SlowestFiles implements Reporter {
  #log: Vitest["logger"]["log"] | undefined;
  #hasBudget = false;

  onInit({ logger, vite }: Vitest): void {
    this.#log = logger.log.bind(logger);
    this.#hasBudget = process.env["TEST_BUDGET"] === "1" && vite.config.mode !== "long";
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules
      .map((module) => ({ name: module.relativeModuleId, seconds: secondsOf(module) }))
      .toSorted((one, other) => other.seconds - one.seconds);
    this.#log?.(`Slowest files, in seconds: ${list(slowest.slice(0, SHOWN))}`);
    const tooSlow = slowest.filter(({ seconds }) => seconds > 3 * BUDGET);
    if (!this.#hasBudget || tooSlow.length === 0) return;
    this.#log?.(`More than three times the ${BUDGET} seconds that a file may take: ${list(tooSlow)}`);
    process.exitCode = 1;
  }
}

function list(files: readonly { name: string; seconds: number }[]): string {
  return files.map(({ name, seconds }) => `${name} ${seconds.toFixed(1)}`).join(", ");
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}
