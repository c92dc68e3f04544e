import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "../../../src/send/clock.js";
import { createSqlitePace } from "../../../src/send/store/sqlite-pace.js";
import type { PaceStore } from "../../../src/send/store/pace.js";
import { openFile, temporaryFolder } from "./stores.js";

const account = { account: "ours", limit: 1, windowMs: 60_000 };
const HOUR = 3_600_000;

/** A machine with a wall clock and a monotonic clock, and processes that share a file. */
async function startMachine() {
  const file = join(await temporaryFolder(), "store.db");
  const clock = { wall: 1_800_000_000_000, monotone: 1_000_000 };
  const pass = (milliseconds: number) => {
    clock.wall += milliseconds;
    clock.monotone += milliseconds;
  };
  const startProcess = async (): Promise<PaceStore> => {
    const database = await openFile(file);
    onTestFinished(() => database.close());
    const ofProcess: Clock = { now: () => clock.monotone, time: () => clock.wall, after: () => () => undefined };
    return createSqlitePace(database, ofProcess);
  };
  return { clock, pass, startProcess };
}

const ask = (store: PaceStore, id: string, holdMs = 60_000) =>
  store.reserve(account, { id, owner: id, priority: "normal", first: false }, holdMs);

test.each([
  ["forth", HOUR],
  ["back", -HOUR],
])("is not affected in a running process by a clock that is set %s", async (_, step) => {
  const { clock, pass, startProcess } = await startMachine();
  const store = await startProcess();
  await ask(store, "first");
  clock.wall += step;
  pass(59_999);
  expect(await ask(store, "second")).toMatchObject({ granted: false, expectedInMs: 1 });
  pass(1);
  expect(await ask(store, "second")).toMatchObject({ granted: true });
});

test("is not affected in a starting process by a clock that was set forward", async () => {
  const { clock, pass, startProcess } = await startMachine();
  await ask(await startProcess(), "first");
  clock.wall += HOUR;
  pass(59_999);
  const store = await startProcess();
  expect(await ask(store, "second")).toMatchObject({ granted: false, expectedInMs: 1 });
  pass(1);
  expect(await ask(store, "second")).toMatchObject({ granted: true });
});

test("waits at most a window in a starting process after the clock was set back", async () => {
  const { clock, pass, startProcess } = await startMachine();
  await ask(await startProcess(), "first");
  clock.wall -= HOUR;
  pass(30_000);
  const store = await startProcess();
  expect(await ask(store, "second")).toMatchObject({ granted: false, expectedInMs: 60_000 });
  pass(60_000);
  expect(await ask(store, "second")).toMatchObject({ granted: true });
});

test("uses the wall clock after a reboot", async () => {
  const { clock, startProcess } = await startMachine();
  await ask(await startProcess(), "first");
  clock.monotone = 5000;
  clock.wall += 45_000;
  const store = await startProcess();
  expect(await ask(store, "second")).toMatchObject({ granted: false, expectedInMs: 15_000 });
});

test("is the same in processes whose monotonic clocks started at different times", async () => {
  const { clock, pass, startProcess } = await startMachine();
  const first = await startProcess();
  await ask(first, "first");
  pass(20_000);
  // The other process's clock started later.
  const second = await startProcess();
  clock.monotone -= 500_000;
  expect(await ask(second, "second")).toMatchObject({ expectedInMs: 40_000 });
  clock.monotone += 500_000;
  pass(10_000);
  expect(await ask(first, "third")).toMatchObject({ granted: false, askInMs: 1000 });
  clock.monotone -= 500_000;
  pass(10_000);
  expect(await ask(second, "second")).toMatchObject({ expectedInMs: 20_000 });
});

test("has the machine's monotonic clock, the same in all processes", () => {
  const before = Number(process.hrtime.bigint()) / 1e6;
  const now = systemClock.now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now - before).toBeLessThan(1000);
});
