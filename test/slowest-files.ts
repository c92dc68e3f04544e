import type { Reporter, TestModule, Vitest } from "vitest/node";

const SHOWN = 10;

/** Names the slowest files at the end of a run, so that the suite gets quick and stays so. */
export default class SlowestFiles implements Reporter {
  #log: Vitest["logger"]["log"] | undefined;

  onInit({ logger }: Vitest): void {
    this.#log = logger.log.bind(logger);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules
      .map((module) => ({ name: module.relativeModuleId, seconds: secondsOf(module) }))
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, SHOWN);
    this.#log?.(
      `Slowest files, in seconds: ${slowest.map(({ name, seconds }) => `${name} ${seconds.toFixed(1)}`).join(", ")}`,
    );
  }
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}
