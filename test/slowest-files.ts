import type { Reporter, TestModule, Vitest } from "vitest/node";

const SHOWN = 10;

/** The largest share of the total time for one file: 30 seconds on two idle cores, and as much work on a slow machine. */
const LARGEST_SHARE = 1 / 20;

/**
 * Reports the slowest files at the end of a run, so that the suite stays quick. With `TEST_BUDGET=1` in
 * the environment, a file that takes too large a share of the run fails it.
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
    const most = LARGEST_SHARE * slowest.reduce((sum, { seconds }) => sum + seconds, 0);
    const tooSlow = slowest.filter(({ seconds }) => seconds > most);
    if (!this.#hasBudget || tooSlow.length === 0) return;
    this.#log?.(`More than the ${most.toFixed(0)} seconds that a file may take of this run: ${list(tooSlow)}`);
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
