import * as fc from "fast-check";
import { expect, test } from "vitest";
import { frozenClock } from "../../src/service/index.js";

interface Work {
  readonly GET?: number;
  readonly POST?: number;
  readonly PUT?: number;
  readonly DELETE?: number;
}

interface Least {
  leastOf: (work: Work, limit: number) => { readonly requests: number; readonly seconds: number };
}

interface VirtualClock {
  now(): number;
  after(milliseconds: number, callback: () => void): () => void;
  wait(milliseconds: number): Promise<void>;
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

interface VirtualClocks {
  createVirtualClock: (clock: ReturnType<typeof frozenClock>) => VirtualClock;
}

const at = (file: string) => new URL(`../../bench/sync/${file}.mjs`, import.meta.url).href;
const { leastOf }: Least = await import(at("least"));
const { createVirtualClock }: VirtualClocks = await import(at("virtual-clock"));

test.each<[Work, number, { requests: number; seconds: number }]>([
  [{}, 30, { requests: 1, seconds: 0 }],
  [{ GET: 1, PUT: 1 }, 30, { requests: 3, seconds: 0 }],
  [{ GET: 30, PUT: 31 }, 30, { requests: 62, seconds: 60 }],
  [{ GET: 200, PUT: 200 }, 30, { requests: 401, seconds: 720 }],
  [{ GET: 200, PUT: 200 }, 200, { requests: 401, seconds: 0 }],
  [{ GET: 120, PUT: 70, DELETE: 50 }, 30, { requests: 241, seconds: 180 + 120 }],
])("the minimum for %j at %i per minute", (work, limit, minimum) => {
  expect(leastOf(work, limit)).toEqual(minimum);
});

test("the minimum duration is that of a service that accepts no more requests than its limit in any minute", () => {
  const count = fc.integer({ min: 0, max: 200 });
  fc.assert(
    fc.property(count, count, count, fc.constantFrom(30, 200), (reads, puts, deletes, limit) => {
      const endOf = (from: number, requests: number) => {
        let time = from;
        const times: number[] = [];
        for (let request = 0; request < requests; request += 1) {
          while (times.filter((other) => time - other < 60).length >= limit) time += 60;
          times.push(time);
        }
        return times.at(-1) ?? from;
      };
      const planned = endOf(0, reads);
      const seconds = Math.max(endOf(planned, puts), endOf(planned, deletes));
      expect(leastOf({ GET: reads, PUT: puts, DELETE: deletes }, limit).seconds).toBe(seconds);
    }),
    { numRuns: 50 },
  );
});

test("virtual time jumps to the next timer and stands still during work", async () => {
  const service = frozenClock(1000);
  const time = createVirtualClock(service);
  const events: [string, number][] = [];
  const note = (event: string) => events.push([event, performance.now()]);
  await time.run(async () => {
    const waits = [90_000, 30_000, 60_000.5].map((milliseconds) =>
      time.wait(milliseconds).then(() => note(`${milliseconds}`)),
    );
    time.after(45_000, () => note("cancelled"))();
    await time.hold(async () => new Promise((resolve) => setTimeout(resolve, 30)));
    note("held");
    await Promise.all(waits);
  });
  expect(events).toEqual([
    ["held", 1000],
    ["30000", 31_000],
    ["60000.5", 61_001],
    ["90000", 91_000],
  ]);
  expect(service.now()).toBe(91_000);
  expect(Object.hasOwn(performance, "now")).toBe(false);
});

test("an error in virtual time is thrown", async () => {
  const time = createVirtualClock(frozenClock(0));
  const failing = time.run(async () => {
    await time.wait(1000);
    throw new Error("no such domain");
  });
  await expect(failing).rejects.toThrow("no such domain");
});
