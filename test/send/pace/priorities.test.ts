import { describe, expect, test } from "vitest";
import { createMemoryPace } from "../../../src/send/store/memory.js";
import { createPace } from "../../../src/send/pace/pace.js";
import type { Priority } from "../../../src/send/parcel.js";
import { VirtualClock } from "../virtual-clock.js";

const MINUTE = 60_000;
const signal = new AbortController().signal;

/** Sends that take a while to be answered, in controlled time. */
function setUp({ limit = 10, latencyMs = 300 } = {}) {
  const clock = new VirtualClock();
  const store = createMemoryPace(clock);
  const pace = createPace({ account: "ours", store, sendsPerMinute: limit, clock, publish: () => undefined });
  const left: { readonly priority: Priority; readonly at: number; readonly waitedMs: number }[] = [];
  async function go(priority: Priority): Promise<void> {
    const requestedAt = clock.now();
    const slot = await pace.acquire({ priority, maxWaitMs: Infinity, signal, requestMs: 30_000 });
    left.push({ priority, at: clock.now(), waitedMs: clock.now() - requestedAt });
    clock.after(latencyMs, () => void slot.answered());
  }
  const send = (priority: Priority) => void go(priority);
  const leftOf = (priority: Priority) => left.filter((each) => each.priority === priority);
  return { clock, send, left, leftOf };
}

function times<Result>(count: number, make: (n: number) => Result): Result[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

test("leaves two slots of a burst for codes, which are sent at once", async () => {
  const { clock, send, leftOf } = setUp();
  times(20, () => send("normal"));
  await clock.advance(1000);
  expect(leftOf("normal")).toHaveLength(8);
  send("high");
  send("high");
  await clock.advance(0);
  expect(leftOf("high").map(({ waitedMs }) => waitedMs)).toEqual([0, 0]);
});

test("sends a code within seven seconds behind 500 receipts, at any time", async () => {
  const { clock, send, leftOf } = setUp();
  times(500, () => send("normal"));
  for (let n = 0; n < 60; n += 1) {
    await clock.advance(33_700 + 10 * n);
    send("high");
  }
  await clock.advance(MINUTE);
  const waits = leftOf("high").map(({ waitedMs }) => waitedMs);
  expect(waits).toHaveLength(60);
  expect(Math.max(...waits)).toBeLessThan(7000);
});

test("sends two codes within seven and fourteen seconds", async () => {
  const { clock, send, leftOf } = setUp();
  times(1000, () => send("normal"));
  for (let n = 0; n < 30; n += 1) {
    await clock.advance(61_700 + 100 * n);
    send("high");
    send("high");
  }
  await clock.advance(MINUTE);
  const waits = leftOf("high").map(({ waitedMs }) => waitedMs);
  expect(waits).toHaveLength(60);
  expect(Math.max(...waits.filter((_, n) => n % 2 === 0))).toBeLessThan(7000);
  expect(Math.max(...waits)).toBeLessThan(14_000);
});

test.each([0, 300, 1000])(
  "uses the whole limit for a continuous queue, with answers after %i ms",
  async (latencyMs) => {
    const { clock, send, left } = setUp({ latencyMs });
    times(500, () => send("normal"));
    await clock.advance(30 * MINUTE);
    // A slot's cycle is a window and the time of a request.
    const most = (30 * 10 * MINUTE) / (MINUTE + latencyMs);
    expect(left.length / most).toBeGreaterThan(0.99);
  },
);

test("serves receipts while codes never end: one in ten", async () => {
  const { clock, send, leftOf, left } = setUp();
  times(500, () => send("high"));
  times(50, () => send("normal"));
  await clock.advance(20 * MINUTE);
  expect(left.length).toBeGreaterThan(195);
  const receipts = leftOf("normal");
  expect(receipts.length / left.length).toBeCloseTo(0.1, 1);
  const between = receipts.slice(1).map(({ at }, n) => at - (receipts[n]?.at ?? 0));
  expect(Math.max(...between)).toBeLessThan(1.2 * MINUTE);
});

describe.each([1, 2, 3, 5])("with a limit of %i", (limit) => {
  test("uses the whole limit for a continuous queue, and starves neither priority", async () => {
    const { clock, send, left, leftOf } = setUp({ limit });
    times(100, () => send("high"));
    times(100, () => send("normal"));
    await clock.advance(20 * MINUTE);
    expect(left.length).toBeGreaterThan(20 * limit * 0.95);
    expect(leftOf("normal").length).toBeGreaterThanOrEqual(Math.floor(left.length / Math.max(2, limit)) - 1);
    expect(leftOf("high").length).toBeGreaterThanOrEqual(Math.floor(left.length / 2) - 1);
  });
});

test("never waits without a limit", async () => {
  const { clock, send, left } = setUp({ limit: Infinity });
  times(2000, (n) => send(n % 2 === 0 ? "high" : "normal"));
  await clock.advance(0);
  expect(left).toHaveLength(2000);
});
