import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { passed, processorMs } from "../../../src/service/bounded-thread.js";

function work(milliseconds: number): void {
  const since = process.cpuUsage();
  while (processorMs(since) < milliseconds);
}

test("time counts only while the process uses the CPU", async () => {
  const { signal } = new AbortController();
  let hasPassed = false;
  const time = passed(500, signal).then(() => (hasPassed = true));
  // The process waits, as it would on a machine that is busy with other work.
  await setTimeout(700);
  expect(hasPassed).toBe(false);
  work(500);
  await time;
});

test("the wait ends when it is aborted", async () => {
  const stop = new AbortController();
  const time = passed(60_000, stop.signal);
  stop.abort();
  await expect(time).rejects.toThrow("aborted");
});
