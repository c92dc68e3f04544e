import { describe, expect, test } from "vitest";
import { checkSuppressed, suppressionsOf } from "../../../src/send/tracking/suppressed.js";
import { hastyClock } from "../hasty-clock.js";
import { tracked } from "./tracked.js";

const gone = "Hard-Bounce@example.org";
const recipients = [
  { path: "to[0]", email: "ada@example.org" },
  { path: "cc", email: gone },
];

test("refuses an address that hard-bounced before the next send, and can allow it again", async () => {
  const { tracking, store, send, events } = await tracked({ suppress: true });
  const suppressions = suppressionsOf(store.suppressions, { time: () => Date.now() });
  const check = async () => {
    await tracking.look();
    return checkSuppressed(recipients, store.suppressions);
  };
  expect(await check()).toEqual([]);
  await send([gone, "bounced@example.org", "soft-bounce@example.org"]);
  expect(await check()).toEqual([
    {
      path: "cc",
      message: expect.stringMatching(/^is suppressed since \d{4}-\d\d-\d\d: hard-bounced \(no such mailbox\)$/),
    },
  ]);
  expect(events).toEqual([{ type: "suppressed", reason: "hard-bounced (no such mailbox)" }]);
  expect(await suppressions.list()).toMatchObject([{ email: gone.toLowerCase() }]);

  expect(await suppressions.remove(gone.toUpperCase())).toBe(true);
  expect(await suppressions.remove(gone)).toBe(false);
  // The bounce is still in the log.
  expect(await check()).toEqual([]);
  await send(gone);
  expect(await check()).toHaveLength(1);
});

test("knows in a new process which addresses bounced, except those allowed again", async () => {
  const { track, store, send } = await tracked({ suppress: true });
  await send(gone);
  await track().look();
  expect(await store.suppressions.list()).toHaveLength(1);
  await store.suppressions.remove(gone);
  await track().look();
  expect(await store.suppressions.list()).toEqual([]);
});

describe("bounces that other calls see", () => {
  test("suppress in status and waitFor", async () => {
    const { tracking, store, send } = await tracked({ suppress: true });
    await tracking.status((await send(gone)).id);
    await tracking.waitFor((await send("ada+hard-bounce@example.org")).id, "DELIVERED").catch(() => undefined);
    expect((await store.suppressions.list()).map(({ email }) => email).toSorted()).toEqual([
      "ada+hard-bounce@example.org",
      gone.toLowerCase(),
    ]);
  });

  test("suppress only if enabled", async () => {
    const { tracking, store, send } = await tracked();
    await tracking.status((await send(gone)).id);
    await tracking.look();
    expect(await store.suppressions.list()).toEqual([]);
  });
});

test("delays a send by two seconds at most if the log does not answer", async () => {
  const { tracking, service, store } = await tracked({ suppress: true, clock: hastyClock });
  service.faults.add({ kind: "delay", endpoint: "v4 logs.list", milliseconds: 30_000 });
  const began = performance.now();
  await tracking.look();
  const first = performance.now() - began;
  expect(first).toBeLessThan(20_000);
  // The next one does not wait at all, however slow the machine is.
  const timer = new Promise((resolve) => setTimeout(resolve, first / 2, "waited"));
  expect(await Promise.race([tracking.look(), timer])).toBeUndefined();
  expect(await checkSuppressed(recipients, store.suppressions)).toEqual([]);
});

test("refuses to suppress what is not an address", async () => {
  const { store } = await tracked();
  const suppressions = suppressionsOf(store.suppressions, { time: () => 0 });
  await expect(suppressions.add("ada")).rejects.toMatchObject({ code: "configuration" });
  await suppressions.add("Ada@example.org");
  expect(await suppressions.list()).toEqual([{ email: "ada@example.org", reason: "added by hand", since: 0 }]);
});
