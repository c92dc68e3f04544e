import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { processorMs, Stopwatch } from "../../../src/service/bounded-thread.js";

function work(milliseconds: number): void {
  const since = process.cpuUsage();
  while (processorMs(since) < milliseconds);
}

test("time counts only while the process uses the CPU", async () => {
  let isLate = false;
  let watch: Stopwatch | undefined;
  const late = new Promise<void>((resolve) => (watch = new Stopwatch(500, resolve))).then(() => (isLate = true));
  // The process waits, as it would on a machine that is busy with other work.
  await setTimeout(700);
  expect(isLate).toBe(false);
  work(500);
  await late;
  expect(watch?.takenMs).toBeGreaterThanOrEqual(500);
});

test("a stopped measurement does not call back", async () => {
  let isLate = false;
  const watch = new Stopwatch(1, () => (isLate = true));
  watch.stop();
  work(20);
  await setTimeout(50);
  expect(isLate).toBe(false);
  expect(watch.takenMs).toBeLessThan(1_000);
});
