import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPace, type Pace } from "../../../src/send/pace/pace.js";
import { VirtualClock } from "../virtual-clock.js";
import { type CreateMachine, inMemory, inOneFile } from "./stores.js";

const long = process.env["MODE"] === "long";
const REQUEST_MS = 20_000;
const WINDOW_MS = 60_000;

/** One request, from its call to its end, with changes of the machine's wall clock meanwhile. Times in ms. */
const requestWith = (...steps: readonly number[]) =>
  fc.record({
    pause: fc.nat(15_000),
    process: fc.nat(2),
    priority: fc.constantFrom("normal" as const, "high" as const),
    begins: fc.nat(12_000),
    toService: fc.nat(REQUEST_MS),
    toAnswer: fc.nat(REQUEST_MS),
    end: fc.constantFrom("answered", "answered", "answered", "lost", "unused", "killed"),
    /** How late a request without an answer may arrive: until its time is over, and somewhat later. */
    late: fc.nat(5_000),
    step: fc.constantFrom(0, 0, 0, ...steps),
  });
type Request = ReturnType<typeof requestWith> extends fc.Arbitrary<infer Value> ? Value : never;

/** A machine whose wall clock is changed now and then. */
class SteppedClock extends VirtualClock {
  offset = 0;
  override time(): number {
    return super.time() + this.offset;
  }
}

/** The times of requests that reached the service less than a window before the one `limit` later. */
async function tooSoon(createMachine: CreateMachine, limit: number, requests: readonly Request[]): Promise<number[]> {
  const clock = new SteppedClock();
  const machine = await createMachine(clock);
  const start = async (): Promise<Pace> =>
    createPace({
      account: "ours",
      store: await machine.open(),
      sendsPerMinute: limit,
      clock,
      publish: () => undefined,
    });
  const processes = [await start(), await start(), await start()];
  const arrivals: number[] = [];
  const after = (milliseconds: number) => new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
  let served = 0;
  let at = 0;

  const all = requests.map(async ({ process, priority, end, ...times }) => {
    at += times.pause;
    await after(at);
    clock.offset += times.step;
    const acquire = async () => {
      const { signal } = new AbortController();
      const pace = processes[process];
      const slot = await pace?.acquire({ priority, maxWaitMs: Infinity, signal, requestMs: REQUEST_MS });
      if (slot === undefined) throw new Error("There is no such process.");
      return slot;
    };
    let slot = await acquire();
    await after(times.begins);
    while (slot.lapsed) {
      await slot.unused();
      slot = await acquire();
    }
    served += 1;
    const toService = Math.min(times.toService, REQUEST_MS);
    const toAnswer = Math.min(times.toAnswer, REQUEST_MS - toService);
    switch (end) {
      case "unused":
        return slot.unused();
      case "answered":
        await after(toService);
        arrivals.push(clock.now());
        await after(toAnswer);
        return slot.answered({ status: 200 });
      case "lost":
        // The connection breaks at some time; the request may still be in it.
        await after(toAnswer);
        await slot.lost();
        await after(REQUEST_MS - toAnswer + times.late);
        return void arrivals.push(clock.now());
      case "killed":
        // Another one follows.
        processes[process] = await start();
        await after(REQUEST_MS + times.late);
        return void arrivals.push(clock.now());
    }
  });
  const everything = Promise.all(all);
  await clock.advance(at + (requests.length * 2 + 2) * 100_000);
  await everything;
  machine.close();

  expect(served).toBe(requests.length);
  arrivals.sort((one, other) => one - other);
  return arrivals.filter((arrival, n) => (arrivals[n + limit] ?? Infinity) - arrival < WINDOW_MS);
}

describe.each([
  ["in memory", inMemory, long ? 1000 : 40, requestWith(3_600_000, -3_600_000, -20_000)],
  ["in a file", inOneFile, long ? 200 : 6, requestWith(3_600_000)],
] as const)("%s", (_, createMachine: CreateMachine, numRuns, request) => {
  test("never exceeds the limit in any window, whatever happens to requests, and serves all", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(request, { minLength: 1, maxLength: 40 }),
        async (limit, requests) => {
          expect(await tooSoon(createMachine, limit, requests)).toEqual([]);
        },
      ),
      { numRuns },
    );
  });
});

/*
 * A known defect: a process that first reads the time after the wall clock was set back uses the smaller of two counts,
 * since the file may come from another machine. Its time then lags behind that of running processes.
 */
test.fails("does not shorten a window if the clock is set back in a file", async () => {
  const atOnce = {
    pause: 0,
    process: 0,
    priority: "normal",
    begins: 0,
    toService: 0,
    toAnswer: 0,
    late: 0,
    step: 0,
  } as const;
  const answered = { ...atOnce, end: "answered" } as const;
  const other = { ...answered, pause: 1, process: 1, step: -20_000 };
  expect(await tooSoon(inOneFile, 1, [answered, answered, other, answered])).toEqual([]);
});
