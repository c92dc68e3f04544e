import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BounceWatch } from "../../../src/send/tracking/bounces.js";
import type { DeliveryLog, LoggedMail } from "../../../src/send/delivery/delivery-log.js";
import { VirtualClock } from "../virtual-clock.js";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A log like the service's: filtered by an entry's creation time, in whole seconds. */
class KeptLog implements DeliveryLog {
  readonly mails: LoggedMail[] = [];
  requests = 0;

  constructor(private readonly clock: VirtualClock) {}

  add(): number {
    const id = String(this.mails.length);
    this.mails.push({
      id,
      messageId: `<${id}@example.com>`,
      sender: "shop@example.com",
      recipient: `${id}@example.org`,
      subject: "",
      transport: "api",
      at: this.#second(),
      events: [],
    });
    return this.mails.length - 1;
  }

  bounce(index: number): string {
    const mail = this.mails[index];
    if (mail === undefined) return "";
    const id = `${mail.id}/${mail.events.length}`;
    const event = { id, at: this.#second(), status: "HARD-BOUNCE", code: 550, message: "", server: "" } as const;
    this.mails[index] = { ...mail, events: [...mail.events, event] };
    return id;
  }

  async get(): Promise<undefined> {}

  async *within({ from = 0 }: { from?: number }) {
    const fitting = this.mails.filter(({ at, events }) => at >= from && events.length > 0);
    this.requests += Math.max(1, Math.ceil(fitting.length / 200));
    yield* fitting;
  }

  async *newest() {
    yield* this.mails.toReversed();
  }

  async latest(): Promise<number | undefined> {
    return this.mails.at(-1)?.at;
  }

  #second(): number {
    return Math.floor(this.clock.time() / 1000) * 1000;
  }
}

function watched() {
  const clock = new VirtualClock();
  const log = new KeptLog(clock);
  const watch = new BounceWatch({ log, clock, states: ["HARD-BOUNCE"], since: () => clock.time() });
  return { clock, log, look: async () => (await watch.look()).map(({ event }) => event.id) };
}

test("finds each event once, whatever happens when", async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("send") }),
    fc.record({ kind: fc.constant("bounce"), which: fc.nat(50) }),
    fc.record({ kind: fc.constant("pass"), ms: fc.integer({ min: 1, max: DAY_MS }) }),
    fc.record({ kind: fc.constant("look") }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const { clock, log, look } = watched();
      const happened: string[] = [];
      const yielded = await look();
      for (const each of steps) {
        if (each.kind === "send") log.add();
        if ("which" in each && log.mails.length > 0) {
          // The latest emails: those older than five days are not tried any more.
          const open = log.mails.flatMap(({ at }, index) => (clock.time() - at < 5 * DAY_MS ? [index] : []));
          const index = open[each.which % Math.max(1, open.length)];
          if (index !== undefined) happened.push(log.bounce(index));
        }
        if ("ms" in each) await clock.advance(each.ms);
        if (each.kind === "look") yielded.push(...(await look()));
      }
      yielded.push(...(await look()));
      expect(yielded.toSorted()).toEqual(happened.toSorted());
    }),
  );
});

test("reads only new entries if there are many, and all of them now and then", async () => {
  const { clock, log, look } = watched();
  await look();
  for (let count = 0; count < 3000; count += 1) {
    log.bounce(log.add());
    await clock.advance(200_000);
  }
  expect(await look()).toHaveLength(3000);
  const late = 100;
  log.requests = 0;
  for (let looks = 0; looks < 10; looks += 1) expect(await look()).toEqual([]);
  expect(log.requests).toBeLessThanOrEqual(10);
  const id = log.bounce(log.mails.length - late);
  await clock.advance(600_000);
  expect(await look()).toEqual([id]);
});
