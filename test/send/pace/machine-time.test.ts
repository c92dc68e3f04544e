import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "../../../src/send/clock.js";
import { createSqlitePace } from "../../../src/send/pace/sqlite-pace.js";
import type { PaceStore } from "../../../src/send/pace/store.js";
import { openFile, temporaryFolder } from "./stores.js";

const account = { account: "ours", limit: 1, windowMs: 60_000 };
const HOUR = 3_600_000;

/** A machine with a clock on the wall and one that only counts, and processes that share a file. */
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
])("a running process does not care about a clock that is set %s", async (_, step) => {
  const { clock, pass, startProcess } = await startMachine();
  const store = await startProcess();
  await ask(store, "first");
  clock.wall += step;
  pass(59_999);
  expect(await ask(store, "second")).toMatchObject({ granted: false, expectedInMs: 1 });
  pass(1);
  expect(await ask(store, "second")).toMatchObject({ granted: true });
});

test("nor does one that starts when the clock has been set forth", async () => {
  const { clock, pass, startProcess } = await startMachine();
  await ask(await startProcess(), "first");
  clock.wall += HOUR;
  pass(59_999);
  const store = await startProcess();
  expect(await ask(store, "second")).toMatchObject({ granted: false, expectedInMs: 1 });
  pass(1);
  expect(await ask(store, "second")).toMatchObject({ granted: true });
});

test("one that starts when the clock has been set back waits a window at most", async () => {
  const { clock, pass, startProcess } = await startMachine();
  await ask(await startProcess(), "first");
  clock.wall -= HOUR;
  pass(30_000);
  const store = await startProcess();
  expect(await ask(store, "second")).toMatchObject({ granted: false, expectedInMs: 60_000 });
  pass(60_000);
  expect(await ask(store, "second")).toMatchObject({ granted: true });
});

test("after a new start of the machine the clock on the wall counts", async () => {
  const { clock, startProcess } = await startMachine();
  await ask(await startProcess(), "first");
  clock.monotone = 5000;
  clock.wall += 45_000;
  const store = await startProcess();
  expect(await ask(store, "second")).toMatchObject({ granted: false, expectedInMs: 15_000 });
});

test("processes whose counting clocks began at different moments agree", async () => {
  const { clock, pass, startProcess } = await startMachine();
  const first = await startProcess();
  await ask(first, "first");
  pass(20_000);
  // The other one's began later.
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

test("the system's counting clock is the machine's, the same in all processes", () => {
  const before = Number(process.hrtime.bigint()) / 1e6;
  const now = systemClock.now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now - before).toBeLessThan(1000);
});
