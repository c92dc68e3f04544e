import { expect, test } from "vitest";
import { createDatabase } from "../../postgres/database.js";

const { runCrowd, mostInAWindow } = await import(new URL("../../../bench/send/pace/crowd.mjs", import.meta.url).href);
const { benchPace } = await import(new URL("../../../bench/send/pace.mjs", import.meta.url).href);
const long = process.env["MODE"] === "long";

const windowMs = 1000;
const requests = long ? 500 : 15;
const processes = long ? 8 : 2;
const crowd = { processes, limit: 10, windowMs, forMs: 120_000, requests };

test.runIf(long)("never exceeds the limit in a window with 8 processes and one file", async () => {
  const arrivals = await runCrowd(crowd);
  expect(mostInAWindow(arrivals, windowMs)).toBeLessThanOrEqual(10);
  expect(arrivals.length).toBeGreaterThanOrEqual(requests);
});

test("never sends more, and blocks nobody forever, with killed processes and lost answers", async () => {
  const arrivals = await runCrowd({ ...crowd, loses: long ? 20 : 8, kills: long ? 10 : 1 });
  expect(mostInAWindow(arrivals, windowMs)).toBeLessThanOrEqual(10);
  expect(arrivals.length).toBeGreaterThanOrEqual(requests);
});

test("never exceeds the limit of one database, with clocks an hour apart, killed processes and lost answers", async () => {
  const database = await createDatabase();
  const arrivals = await runCrowd({
    ...crowd,
    database,
    processes: long ? 8 : 3,
    loses: long ? 20 : 8,
    kills: long ? 10 : 1,
  });
  expect(mostInAWindow(arrivals, windowMs)).toBeLessThanOrEqual(10);
  expect(arrivals.length).toBeGreaterThanOrEqual(requests);
});

test.runIf(long)("uses 95% of the limit in real time, and never more than it", async () => {
  const results = await benchPace({ minutes: 4, note: () => undefined });
  expect(results.map(({ reached }: { readonly reached: boolean }) => reached)).toEqual([true, true]);
});
