import { describe, expect, onTestFinished, test } from "vitest";
import type { Clock } from "../../../src/send/clock.js";
import type { SendEvent } from "../../../src/send/events.js";
import { type AcquireOptions, createPace, type Slot } from "../../../src/send/pace/pace.js";
import { VirtualClock } from "../virtual-clock.js";
import { type CreateMachine, inOneFile, kinds } from "./stores.js";

const signal = new AbortController().signal;

/** Observes a promise without waiting for it. */
function watch<Value>(promise: Promise<Value>) {
  const watched: { state: "waiting" | "done" | "failed"; value?: Value; error?: unknown } = { state: "waiting" };
  promise.then(
    (value) => Object.assign(watched, { state: "done", value }),
    (error: unknown) => Object.assign(watched, { state: "failed", error }),
  );
  return watched;
}

async function setUp(createMachine: CreateMachine, limit: number, processes = 1) {
  const clock = new VirtualClock();
  const events: SendEvent[] = [];
  const machine = await createMachine(clock);
  onTestFinished(() => machine.close());
  const stores = await Promise.all(Array.from({ length: processes }, () => machine.open()));
  const paces = stores.map((store) => {
    const pace = createPace({
      account: "ours",
      store,
      sendsPerMinute: limit,
      clock,
      publish: (event) => void events.push(event),
    });
    const acquire = (options: Partial<AcquireOptions> = {}) =>
      pace.acquire({ priority: "normal", maxWaitMs: 600_000, signal, requestMs: 30_000, ...options });
    return { pace, acquire };
  });
  const [first, second = first] = paces;
  if (first === undefined || second === undefined) throw new Error("There is no store.");
  return { clock, events, paces, ...first, second };
}

test("delays others by 2.5 seconds if a waiting process dies, and keeps the place of one that waits long", async () => {
  const clock = new VirtualClock();
  const machine = await inOneFile(clock);
  onTestFinished(() => machine.close());
  const order: string[] = [];
  const start = async (name: string, ofProcess: Clock = clock) => {
    const pace = createPace({
      account: "ours",
      store: await machine.open(),
      sendsPerMinute: 1,
      clock: ofProcess,
      publish: () => undefined,
    });
    void (async () => {
      const slot = await pace.acquire({ priority: "normal", maxWaitMs: Infinity, signal, requestMs: 30_000 });
      order.push(`${name} at ${clock.now()}`);
      await slot.answered();
    })();
    await clock.advance(1);
  };
  await start("first");
  const dead: Clock = { now: () => clock.now(), time: () => clock.time(), after: () => () => undefined };
  await start("dead", dead);
  await start("patient");
  await clock.advance(40_000);
  await start("last");
  await start("dead, too", dead);
  await clock.advance(179_000 - clock.now());
  expect(order).toEqual(["first at 0", "patient at 60000", "last at 120000"]);

  await start("dead as well", dead);
  await start("after it");
  await clock.advance(3600);
  expect(order.slice(3)).toEqual([expect.stringMatching(/^after it at 18[12]\d{3}$/)]);
});

describe.each(kinds)("%s", (_, createMachine) => {
  test("frees a slot 60 seconds after its answer, not after its request", async () => {
    const { clock, acquire } = await setUp(createMachine, 1);
    const slot = await acquire();
    const second = watch(acquire());
    await clock.advance(45_000);
    await slot.answered();
    await clock.advance(59_999);
    expect(second.state).toBe("waiting");
    await clock.advance(1);
    expect(second.state).toBe("done");
  });

  test("frees a slot at once if its request was not sent, and ends it only once", async () => {
    const { clock, acquire } = await setUp(createMachine, 1);
    const slot = await acquire();
    const [second, third] = [watch(acquire()), watch(acquire())];
    await Promise.all([slot.unused(), slot.answered()]);
    await clock.advance(0);
    expect([second.state, third.state]).toEqual(["done", "waiting"]);
  });

  test("leaves no timer when nothing waits, since that would keep the process alive", async () => {
    const { clock, acquire } = await setUp(createMachine, 1);
    const slot = await acquire();
    await slot.answered();
    await expect(acquire({ maxWaitMs: 1000 })).rejects.toThrow("limit");
    expect(clock.waiting).toBe(0);

    const leaving = new AbortController();
    const second = watch(acquire({ signal: leaving.signal }));
    await clock.advance(1);
    expect(clock.waiting).toBeGreaterThan(0);
    leaving.abort();
    await clock.advance(1);
    expect([second.state, clock.waiting]).toEqual(["failed", 0]);
  });

  test("keeps an unreported slot for its request's time, a window and 10 seconds", async () => {
    const { clock, acquire } = await setUp(createMachine, 2);
    const [slot] = [await acquire(), await acquire()];
    await clock.advance(1000);
    await slot.lost();
    const [second, third] = [watch(acquire()), watch(acquire())];
    await clock.advance(98_999);
    expect([second.state, third.state]).toEqual(["waiting", "waiting"]);
    await clock.advance(1);
    expect([second.state, third.state]).toEqual(["done", "done"]);
  });

  test("treats a slot as too old after a few unused seconds", async () => {
    const { clock, acquire } = await setUp(createMachine, 1);
    const slot = await acquire();
    await clock.advance(5000);
    expect(slot.lapsed).toBe(false);
    await clock.advance(1);
    expect(slot.lapsed).toBe(true);
  });

  test("serves in order, retries first, and urgent ones before all", async () => {
    const { clock, acquire } = await setUp(createMachine, 1);
    const order: string[] = [];
    const enter = async (name: string, options: Partial<AcquireOptions> = {}) => {
      const slot = await acquire(options);
      order.push(name);
      await slot.answered();
    };
    const blocking = await acquire();
    const all = [
      enter("a"),
      enter("b"),
      enter("c"),
      enter("again", { first: true }),
      enter("code", { priority: "high" }),
    ];
    await blocking.answered();
    await clock.advance(400_000);
    await Promise.all(all);
    expect(order).toEqual(["code", "again", "a", "b", "c"]);
  });

  test("fails at once, with the expected wait, if a wait can't end in time", async () => {
    const { clock, acquire } = await setUp(createMachine, 2);
    for (const slot of [await acquire(), await acquire()]) {
      await slot.answered();
      await clock.advance(10_000);
    }
    await expect(acquire({ maxWaitMs: 39_999 })).rejects.toMatchObject({
      code: "rate_limited",
      limit: "minute",
      expectedWaitMs: 40_000,
      until: new Date(clock.time() + 40_000),
    });
    const [third, fourth] = [watch(acquire()), watch(acquire())];
    await expect(acquire({ maxWaitMs: 60_000 })).rejects.toMatchObject({ expectedWaitMs: 100_000 });
    await clock.advance(50_000);
    expect([third.state, fourth.state]).toEqual(["done", "done"]);
  });

  test("ends a wait for a request in progress at its deadline", async () => {
    const { clock, acquire } = await setUp(createMachine, 1);
    await acquire();
    await expect(acquire({ maxWaitMs: 59_999 })).rejects.toMatchObject({ code: "rate_limited" });
    const waiting = watch(acquire({ maxWaitMs: 70_000 }));
    await clock.advance(9999);
    expect(waiting.state).toBe("waiting");
    await clock.advance(60_001);
    expect(waiting.error).toMatchObject({ code: "rate_limited" });
  });

  test("takes a slot that becomes free just when a wait ends", async () => {
    const { clock, acquire } = await setUp(createMachine, 1);
    await (await acquire()).answered();
    const waiting = watch(acquire({ maxWaitMs: 60_000 }));
    await clock.advance(60_000);
    expect(waiting.state).toBe("done");
  });

  test("removes an aborted wait from the queue", async () => {
    const { clock, acquire } = await setUp(createMachine, 1);
    const slot = await acquire();
    const controller = new AbortController();
    const aborted = watch(acquire({ signal: controller.signal }));
    const behind = watch(acquire());
    await clock.advance(10);
    controller.abort(new Error("enough"));
    await slot.unused();
    await clock.advance(0);
    expect(aborted.error).toEqual(new Error("enough"));
    expect(behind.state).toBe("done");
    await expect(acquire({ maxWaitMs: 0, signal: controller.signal })).rejects.toThrow("enough");
  });

  test("lets later ones in as early as possible when one leaves", async () => {
    const { clock, acquire } = await setUp(createMachine, 1);
    await (await acquire()).answered();
    const controller = new AbortController();
    watch(acquire({ signal: controller.signal, priority: "high" }));
    const behind = watch(acquire());
    await clock.advance(30_000);
    controller.abort();
    await clock.advance(29_999);
    expect(behind.state).toBe("waiting");
    await clock.advance(1);
    expect(behind.state).toBe("done");
  });

  test("takes no slot for a wait that is aborted during a store call", async () => {
    const { clock, acquire } = await setUp(createMachine, 1);
    const controller = new AbortController();
    const aborted = watch(acquire({ signal: controller.signal }));
    controller.abort(new Error("enough"));
    await clock.advance(0);
    expect(aborted.error).toEqual(new Error("enough"));
    expect((await acquire({ maxWaitMs: 0 })).lapsed).toBe(false);
  });

  test("blocks everything while the service asks to wait, and fails those that can't", async () => {
    const { clock, pace, events, acquire } = await setUp(createMachine, 1);
    const slot = await acquire();
    const [long, short] = [watch(acquire({ maxWaitMs: 150_000 })), watch(acquire({ maxWaitMs: 125_000 }))];
    await clock.advance(0);
    await pace.hold(130_000);
    await slot.unused();
    await clock.advance(1);
    expect(short.error).toMatchObject({ code: "rate_limited" });
    expect(events).toEqual([{ type: "held", forMs: 130_000 }]);
    expect([await pace.expectedWait("high"), await pace.expectedWait("normal")]).toEqual([129_999, 189_999]);
    await clock.advance(129_998);
    expect(long.state).toBe("waiting");
    await clock.advance(1);
    expect(long.state).toBe("done");
  });

  test("shares slots with mailers of another limit, and respects its own", async () => {
    const { clock, acquire, pace } = await setUp(createMachine, 3);
    for (const slot of [await acquire(), await acquire(), await acquire()]) await slot.answered();
    await expect(acquire({ maxWaitMs: 0 })).rejects.toMatchObject({ expectedWaitMs: 60_000 });
    await clock.advance(60_000);
    await acquire({ maxWaitMs: 0 });
    expect(await pace.expectedWait("normal")).toBe(0);
  });

  describe("several mailers", () => {
    test.each([
      ["the service asks to wait", undefined],
      ["the service shows a limit", { limit: 10, remaining: 0 }],
    ])("without a limit of their own ask at most each second while %s", async (_why, rateLimit) => {
      const clock = new VirtualClock();
      const machine = await createMachine(clock);
      onTestFinished(() => machine.close());
      const store = await machine.open();
      const account = { account: "ours", limit: Infinity, windowMs: 60_000 };
      const reserve = (owner: string) =>
        store.reserve(account, { id: owner, owner, priority: "normal", first: false }, 60_000);
      if (rateLimit === undefined) await store.hold(account, 60_000);
      else await store.settle(account, "any", { how: "answered", status: 200, rateLimit });
      expect(await reserve("first")).toMatchObject({ granted: false });
      const answer = await reserve("second");
      expect(answer.granted || answer.askInMs).toBeGreaterThanOrEqual(1000);
    });

    test("serve in order across all of them, without delaying any", async () => {
      const { clock, paces } = await setUp(createMachine, 1, 3);
      const order: number[] = [];
      const served: Slot[] = [];
      for (let n = 0; n < 9; n += 1) {
        const enter = async () => {
          const slot = await paces[n % 3]?.acquire();
          order.push(n);
          await slot?.answered();
          if (slot !== undefined) served.push(slot);
        };
        void enter();
        await clock.advance(0);
      }
      await clock.advance(8 * 60_000 + 200);
      expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    });

    test("take a slot that another did not use within a second", async () => {
      const { clock, acquire, second } = await setUp(createMachine, 1, 2);
      const slot = await acquire();
      const waiting = watch(second.acquire());
      await clock.advance(5000);
      await slot.unused();
      await clock.advance(1000);
      expect(waiting.state).toBe("done");
    });

    test("serve the next of another within a second when one leaves", async () => {
      const { clock, acquire, second } = await setUp(createMachine, 1, 2);
      await (await acquire()).answered();
      const controller = new AbortController();
      watch(acquire({ signal: controller.signal, priority: "high" }));
      await clock.advance(1);
      const waiting = watch(second.acquire());
      await clock.advance(30_000);
      controller.abort();
      await clock.advance(29_999);
      expect(waiting.state).toBe("done");
    });
  });

  test("has written everything and waits for nothing once it is closed", async () => {
    const { clock, pace, acquire } = await setUp(createMachine, 1);
    const closing = new AbortController();
    const slot = await acquire();
    const waiting = watch(acquire({ signal: closing.signal }));
    await clock.advance(0);
    closing.abort(new Error("closed"));
    void slot.unused();
    await pace.close();
    expect(waiting.error).toEqual(new Error("closed"));
    expect(await pace.expectedWait("normal")).toBe(0);
  });
});
