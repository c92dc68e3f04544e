import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSqlitePace } from "../../../src/send/store/sqlite-pace.js";
import { VirtualClock } from "../virtual-clock.js";
import { openFile, temporaryFolder } from "./stores.js";

const account = { account: "ours", limit: 3, windowMs: 60_000 };

test("only reads an account's state, and does not count what is over", async () => {
  const file = join(await temporaryFolder(), "store.db");
  const clock = new VirtualClock();
  const open = async () => {
    const database = await openFile(file);
    onTestFinished(() => database.close());
    return { database, store: createSqlitePace(database, clock) };
  };
  const { store } = await open();
  const reader = await open();
  reader.database.exec("PRAGMA query_only = ON");
  const reserve = (id: string, holdMs: number) =>
    store.reserve(account, { id, owner: id, priority: "normal", first: false }, holdMs);

  expect(await reader.store.state(account)).toEqual({
    waiting: { high: 0, normal: 0 },
    taken: 0,
    expectedInMs: { high: 0, normal: 0 },
  });
  await reserve("over soon", 1_000);
  await reserve("answered", 60_000);
  await store.settle(account, "answered", { how: "answered" });
  await reserve("under way", 40_000);
  await reserve("waits", 60_000);
  const all = { taken: 3, waiting: { high: 0, normal: 1 } };
  expect(await reader.store.state(account)).toMatchObject(all);
  expect(await store.state(account)).toEqual(await reader.store.state(account));

  await clock.advance(1_000);
  expect(await reader.store.state(account)).toMatchObject({ taken: 2, waiting: all.waiting });
  // A ticket that no longer polls counts as gone.
  await clock.advance(2_000);
  const later = await reader.store.state(account);
  expect(later).toMatchObject({ taken: 2, waiting: { high: 0, normal: 0 }, expectedInMs: { high: 0 } });
  // This writes, and forgets what is over.
  await store.settle(account, "none", { how: "unused" });
  await reserve("next", 60_000);
  await store.settle(account, "next", { how: "unused" });
  expect(await reader.store.state(account)).toEqual(later);
});
