import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { SendEvent } from "../../../src/send/events.js";
import { VirtualClock } from "../virtual-clock.js";
import { mail } from "./outbox.js";
import { aService, routeTo, subjectsAt } from "./route.js";

const STEP_MS = 250;

/** Lets virtual time pass; during a request, which takes real time, it stands still. */
async function pass(clock: VirtualClock, events: readonly SendEvent[], milliseconds: number): Promise<void> {
  const count = (type: SendEvent["type"]) => events.filter((event) => event.type === type).length;
  for (let passed = 0; passed < milliseconds; passed += STEP_MS) {
    await clock.advance(Math.min(STEP_MS, milliseconds));
    await sleep(1);
    while (count("attempt") > count("accepted")) await sleep(1);
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  }
}

describe("an urgent message", () => {
  it("overtakes 500 receipts, whenever it is queued", async () => {
    const service = await aService();
    const clock = new VirtualClock();
    const { outbox, events, count } = await routeTo(service, { clock, sendsPerMinute: 10 });
    const email = (subject: string) => ({ from: "shop", to: "ada@example.com", subject, text: subject });
    await Promise.all(
      Array.from({ length: 500 }, (_, number) => outbox.queue(mail({ email: email(`receipt ${number}`) }))),
    );
    expect((await outbox.stats()).expectedWaitMs.normal).toBeGreaterThanOrEqual(49 * 60_000);
    expect((await outbox.stats()).expectedWaitMs.high).toBe(0);
    outbox.work();
    // The first request loads what it needs, in real time.
    while (subjectsAt(service).length === 0) await pass(clock, events, 10);
    for (const [number, moment] of [3_000, 20_000, 26_500].entries()) {
      await pass(clock, events, moment);
      await outbox.queue(mail({ email: email(`code ${number}`), priority: "high" }));
      await pass(clock, events, 7_000);
      expect(subjectsAt(service)).toContain(`code ${number}`);
    }
    // No receipt is taken long before its turn, while others may still go first.
    expect(await count("sending")).toBeLessThanOrEqual(1);
    const receipts = subjectsAt(service).filter((subject) => subject.startsWith("receipt"));
    expect(receipts.length).toBeGreaterThan(8);
    expect(receipts.toReversed()).toEqual(receipts.map((_, number) => `receipt ${number}`));
    await outbox.close();
  });
});
