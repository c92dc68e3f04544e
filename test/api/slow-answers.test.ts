import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { TimerClock } from "../../src/api/calls/timing.js";
import { EndpointPace } from "../../src/api/calls/policy.js";

/** A clock that jumps from one scheduled event to the next. */
class EventClock implements TimerClock {
  #now = 0;
  #events: { at: number; callback: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const event = { at: this.#now + milliseconds, callback };
    this.#events.push(event);
    return () => {
      this.#events = this.#events.filter((each) => each !== event);
    };
  }

  async run(): Promise<void> {
    for (;;) {
      // What follows from an event is scheduled before the next one.
      for (let i = 0; i < 5; i += 1) await Promise.resolve();
      const next = this.#events.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) return;
      this.#events = this.#events.filter((event) => event !== next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
  }
}

test("finishes concurrent calls without a 429, however slow the answers are", async () => {
  const kinds = fc.record({
    latency: fc.integer({ min: 0, max: 20_000 }),
    limit: fc.constantFrom(30, 200),
    isFixed: fc.boolean(),
    // The unit of the headers' times: milliseconds, or whole seconds, rounded down.
    unit: fc.constantFrom(1, 1000),
    calls: fc.integer({ min: 1, max: 300 }),
  });
  await fc.assert(
    fc.asyncProperty(kinds, async ({ latency, limit, isFixed, unit, calls }) => {
      const clock = new EventClock();
      const pace = new EndpointPace(clock, 30);
      const counted: number[] = [];
      let refused = 0;
      let answered = 0;

      const call = async () => {
        const slot = await pace.slot({ attempt: 1 });
        const now = clock.now();
        const from = isFixed ? Math.floor(now / 60_000) * 60_000 : now - 60_000 + 1;
        const inWindow = counted.filter((time) => time >= from);
        const isRefused = inWindow.length >= limit;
        if (!isRefused) counted.push(now);
        const remaining = limit - inWindow.length - (isRefused ? 0 : 1);
        const resetAt = (isFixed ? from : (inWindow[0] ?? now)) + 60_000;
        clock.after(latency, () => {
          answered += 1;
          if (isRefused) refused += 1;
          const shown = (time: number) => Math.floor(time / unit) * unit;
          const resetMs = shown(resetAt) - shown(clock.now());
          void slot.answered({ status: isRefused ? 429 : 200, rateLimit: { limit, remaining }, resetMs });
        });
      };
      const all = Promise.all(Array.from({ length: calls }, call));
      await clock.run();
      await all;
      expect({ answered, refused }).toEqual({ answered: calls, refused: 0 });
    }),
    { numRuns: 100 },
  );
});
