import * as fc from "fast-check";
import { expect, test } from "vitest";
import { RateLimitedError } from "../../../src/send/errors.js";
import { Limiter, type Slot } from "../../../src/send/pace/limiter.js";
import { VirtualClock } from "../virtual-clock.js";

const signal = new AbortController().signal;

function setUp(limit = 2) {
  const clock = new VirtualClock();
  const limiter = new Limiter({ limit, windowMs: 60_000, clock });
  const acquire = (maxWaitMs = 600_000) => limiter.acquire({ maxWaitMs, signal });
  return { clock, limiter, acquire };
}

/** Follows a promise without waiting for it. */
function watch<Value>(promise: Promise<Value>): {
  state: "waiting" | "done" | "failed";
  value?: Value;
  error?: unknown;
} {
  const watched: { state: "waiting" | "done" | "failed"; value?: Value; error?: unknown } = { state: "waiting" };
  promise.then(
    (value) => Object.assign(watched, { state: "done", value }),
    (error: unknown) => Object.assign(watched, { state: "failed", error }),
  );
  return watched;
}

test("a slot is free again 60 seconds after its answer, not after its request", async () => {
  const { clock, acquire } = setUp(1);
  const slot = await acquire();
  const second = watch(acquire());
  await clock.advance(45_000);
  slot.answered();
  await clock.advance(59_999);
  expect(second.state).toBe("waiting");
  await clock.advance(1);
  expect(second.state).toBe("done");
});

test("a slot whose request never left is free at once, and ends only once", async () => {
  const { clock, acquire } = setUp(1);
  const slot = await acquire();
  const [second, third] = [watch(acquire()), watch(acquire())];
  slot.unused();
  slot.answered();
  await clock.advance(0);
  expect([second.state, third.state]).toEqual(["done", "waiting"]);
});

test("first come, first served; a second try goes first", async () => {
  const { clock, limiter, acquire } = setUp(1);
  const order: string[] = [];
  const enter = (name: string, promise: Promise<Slot>) => promise.then((slot) => (order.push(name), slot.answered()));
  const blocking = await acquire();
  const all = [
    enter("a", acquire()),
    enter("b", acquire()),
    enter("c", acquire()),
    enter("again", limiter.acquire({ maxWaitMs: 600_000, signal, first: true })),
  ];
  blocking.answered();
  await clock.advance(300_000);
  await Promise.all(all);
  expect(order).toEqual(["again", "a", "b", "c"]);
});

test("a wait that cannot end in time fails at once and says how long it would be", async () => {
  const { clock, acquire } = setUp(2);
  for (const slot of [await acquire(), await acquire()]) {
    slot.answered();
    await clock.advance(10_000);
  }
  await expect(acquire(39_999)).rejects.toMatchObject({ code: "rate_limited", expectedWaitMs: 40_000 });
  const [third, fourth] = [watch(acquire()), watch(acquire())];
  await expect(acquire(60_000)).rejects.toMatchObject({ expectedWaitMs: 100_000 });
  await clock.advance(50_000);
  expect([third.state, fourth.state]).toEqual(["done", "done"]);
});

test("a wait for a request under way ends at its deadline", async () => {
  const { clock, acquire } = setUp(1);
  await acquire();
  await expect(acquire(59_999)).rejects.toThrow(RateLimitedError);
  const waiting = watch(acquire(70_000));
  await clock.advance(69_999);
  expect(waiting.state).toBe("waiting");
  await clock.advance(1);
  expect(waiting.error).toMatchObject({ code: "rate_limited" });
});

test("a slot that is free just when a wait ends is still taken", async () => {
  const { clock, acquire } = setUp(1);
  (await acquire()).answered();
  const waiting = watch(acquire(60_000));
  await clock.advance(60_000);
  expect(waiting.state).toBe("done");
});

test("an aborted wait leaves the queue", async () => {
  const { clock, limiter, acquire } = setUp(1);
  const slot = await acquire();
  const controller = new AbortController();
  const aborted = watch(limiter.acquire({ maxWaitMs: 600_000, signal: controller.signal }));
  const behind = watch(acquire());
  controller.abort(new Error("enough"));
  slot.unused();
  await clock.advance(0);
  expect(aborted.error).toEqual(new Error("enough"));
  expect(behind.state).toBe("done");
  await expect(limiter.acquire({ maxWaitMs: 0, signal: controller.signal })).rejects.toThrow("enough");
});

test("while the service asks to wait nothing goes through, and who cannot wait that long fails now", async () => {
  const { clock, limiter, acquire } = setUp(1);
  const slot = await acquire();
  const [short, long] = [watch(acquire(65_000)), watch(acquire(150_000))];
  limiter.holdUntil(clock.now() + 80_000);
  slot.unused();
  await clock.advance(0);
  expect(short.error).toMatchObject({ code: "rate_limited", expectedWaitMs: 80_000 });
  await clock.advance(79_999);
  expect(long.state).toBe("waiting");
  await clock.advance(1);
  expect(long.state).toBe("done");
});

test("it is idle when it has nothing to remember", async () => {
  const { clock, limiter, acquire } = setUp(1);
  expect(limiter.idle).toBe(true);
  const slot = await acquire();
  expect(limiter.idle).toBe(false);
  slot.answered();
  await clock.advance(59_999);
  expect(limiter.idle).toBe(false);
  await clock.advance(1);
  expect(limiter.idle).toBe(true);
});

test("no window sees more requests than the limit, however long each is on its way, and all get their turn", async () => {
  const request = fc.record({
    pause: fc.nat(20_000),
    toService: fc.nat(15_000),
    toAnswer: fc.nat(15_000),
    lost: fc.integer({ min: 0, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(request, { maxLength: 25 }), async (limit, requests) => {
      const { clock, acquire } = setUp(limit);
      const arrivals: number[] = [];
      let started = 0;
      const all = requests.map(async ({ toService, toAnswer, lost }, index) => {
        await new Promise<void>((resolve) =>
          clock.after(
            requests.slice(0, index + 1).reduce((sum, { pause }) => sum + pause, 0),
            resolve,
          ),
        );
        const slot = await acquire(Number.MAX_SAFE_INTEGER);
        started += 1;
        if (lost === 0) return slot.unused();
        await new Promise<void>((resolve) => clock.after(toService, resolve));
        arrivals.push(clock.now());
        await new Promise<void>((resolve) => clock.after(toAnswer, resolve));
        slot.answered();
      });
      await clock.advance(100_000_000);
      await Promise.all(all);
      arrivals.sort((a, b) => a - b);
      for (const [index, arrival] of arrivals.entries()) {
        const later = arrivals[index + limit];
        if (later !== undefined) expect(later - arrival).toBeGreaterThanOrEqual(60_000);
      }
      expect(started).toBe(requests.length);
    }),
    { numRuns: 60 },
  );
});
