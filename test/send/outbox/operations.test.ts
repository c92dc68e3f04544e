import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../src/errors.js";
import type { OutboxState } from "../../../src/send/store/outbox.js";
import { mail, openOutbox, type TestOutbox } from "./outbox.js";

/** Queues a message and puts it into a state, as if it had been processed. */
async function inState({ outbox, store, clock }: TestOutbox, state: OutboxState, reason?: string): Promise<string> {
  const { id } = await outbox.queue(mail({ expiresAt: clock.time() + 1_000, key: `${state} ${Math.random()}` }));
  const change = { state, at: clock.time(), ...(reason === undefined ? {} : { reason }) };
  if (state !== "queued") await store.change(id, { states: ["queued"] }, change);
  return id;
}

describe("the outbox operations", () => {
  it("queue parked and rejected messages again, and others only explicitly", async () => {
    const test = await openOutbox();
    const parked = await inState(test, "parked");
    const rejected = await inState(test, "rejected");
    const expired = await inState(test, "expired");
    await inState(test, "accepted");
    await test.clock.advance(2_000);
    const would = await test.outbox.retry({}, { dryRun: true });
    expect(would.ids.toSorted()).toEqual([parked, rejected].toSorted());
    expect((await test.outbox.stats()).counts.queued).toBe(0);
    expect(await test.outbox.retry({})).toEqual(would);
    expect((await test.outbox.stats()).counts.queued).toBe(2);
    expect(await test.outbox.retry({ state: "expired" })).toEqual({ ids: [expired], skipped: [] });
    const message = await test.outbox.get(expired);
    expect(message).toMatchObject({ state: "queued", sendAt: test.clock.time() });
    expect(message).not.toHaveProperty("expiresAt");
  });

  it("let a message with a future expiry still expire", async () => {
    const test = await openOutbox();
    const id = await inState(test, "rejected");
    await test.outbox.retry(id);
    expect(await test.outbox.get(id)).toHaveProperty("expiresAt");
  });

  it("say why they leave a message alone", async () => {
    const test = await openOutbox({ keepUndecided: 1 });
    const accepted = await inState(test, "accepted");
    const parked = await inState(test, "parked");
    await test.clock.advance(5);
    const worker = test.outbox.work();
    await test.clock.advance(1);
    await worker.stop();
    expect(await test.outbox.retry([accepted, parked, "unknown"])).toEqual({
      ids: [],
      skipped: [
        { id: accepted, state: "accepted", reason: "it is accepted" },
        { id: parked, state: "parked", reason: "its content is no longer stored" },
        { id: "unknown", reason: "there is no such message" },
      ],
    });
    expect((await test.outbox.discard(parked)).ids).toEqual([parked]);
  });

  it("discard messages, queued ones only explicitly", async () => {
    const test = await openOutbox();
    const queued = await inState(test, "queued");
    const parked = await inState(test, "parked");
    expect((await test.outbox.discard({})).ids).toEqual([parked]);
    expect((await test.outbox.discard({ state: "queued", template: "another" })).ids).toEqual([]);
    expect((await test.outbox.discard({ state: "queued", template: "receipt" })).ids).toEqual([queued]);
    expect((await test.outbox.stats()).counts).toMatchObject({ discarded: 2, queued: 0 });
    await expect(test.outbox.discard({ state: "waiting" as "queued" })).rejects.toThrow(ConfigurationError);
    await expect(test.outbox.list({ state: "waiting" as "queued" })).rejects.toThrow('no state "waiting"');
  });

  it("change more messages than one page, or at most the limit", async () => {
    const test = await openOutbox();
    await Promise.all(Array.from({ length: 1_200 }, () => test.outbox.queue(mail())));
    expect((await test.outbox.discard({ state: "queued", limit: 7 })).ids).toHaveLength(7);
    expect((await test.outbox.discard({ state: "queued" })).ids).toHaveLength(1_193);
    expect((await test.outbox.stats()).counts).toMatchObject({ discarded: 1_200, queued: 0 });
  });

  it("report the outbox's state", async () => {
    const { clock, ...test } = await openOutbox({
      pace: { expectedWait: (priority) => (priority === "high" ? 1 : 9) },
    });
    for (let count = 0; count < 25; count += 1) await test.outbox.queue(mail());
    await test.outbox.queue(mail({ sendAt: clock.time() + 60_000 }));
    await inState({ clock, ...test }, "parked", "no answer");
    await inState({ clock, ...test }, "parked", "no answer");
    await clock.advance(5_000);
    expect(await test.outbox.stats()).toEqual({
      counts: { queued: 26, sending: 0, accepted: 0, rejected: 0, parked: 2, expired: 0, discarded: 0 },
      due: 25,
      oldestDueMs: 5_000,
      expectedWaitMs: { high: 1, normal: 120_009 },
      elsewhere: 0,
      problems: [{ state: "parked", reason: "no answer", messages: 2, lastAt: clock.time() - 5_000 }],
    });
  });
});
