import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPace, type Pace } from "../../../src/send/pace/pace.js";
import { VirtualClock } from "../virtual-clock.js";
import { type CreateMachine, inMemory, inOneFile } from "./stores.js";

const long = process.env["MODE"] === "long";
const REQUEST_MS = 20_000;
const WINDOW_MS = 60_000;

/** One request, from its call to what becomes of it. Times in milliseconds. */
const request = fc.record({
  pause: fc.nat(15_000),
  process: fc.nat(2),
  priority: fc.constantFrom("normal" as const, "high" as const),
  begins: fc.nat(12_000),
  toService: fc.nat(REQUEST_MS),
  toAnswer: fc.nat(REQUEST_MS),
  end: fc.constantFrom("answered", "answered", "answered", "lost", "unused", "killed"),
  /** How late one arrives whose answer never comes: until its time is over, and somewhat later. */
  late: fc.nat(5_000),
  /** What happens to the machine's wall clock meanwhile. */
  step: fc.constantFrom(0, 0, 0, 3_600_000, -3_600_000, -20_000),
});

/** A machine whose wall clock is set now and then, as it is not meant to be. */
class SteppedClock extends VirtualClock {
  offset = 0;
  override time(): number {
    return super.time() + this.offset;
  }
}

describe.each([
  ["in memory", inMemory, long ? 1000 : 40],
  ["in a file", inOneFile, long ? 200 : 6],
] as const)("%s", (_, createMachine: CreateMachine, numRuns) => {
  test("no window sees more requests than the limit, whatever happens to them, and all get their turn", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(request, { minLength: 1, maxLength: 40 }),
        async (limit, requests) => {
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
          const after = (milliseconds: number) =>
            new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
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
                // The connection breaks at some time; the request may be in it still.
                await after(toAnswer);
                await slot.lost();
                await after(REQUEST_MS - toAnswer + times.late);
                return void arrivals.push(clock.now());
              case "killed":
                // It is followed by another one.
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
          const tooSoon = arrivals.filter((arrival, n) => (arrivals[n + limit] ?? Infinity) - arrival < WINDOW_MS);
          expect(tooSoon).toEqual([]);
        },
      ),
      { numRuns },
    );
  });
});
