import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { QueueMessage } from "../../../src/send/outbox/context.js";
import { StoreError } from "../../../src/send/errors.js";
import { hastyClock } from "../hasty-clock.js";
import { temporaryFile } from "./open.js";
import { openOutbox } from "./outbox.js";
import { aService, routeTo, subjectsAt } from "./route.js";

function mail(subject: string, differences: Partial<QueueMessage> = {}): QueueMessage {
  return {
    id: randomUUID(),
    priority: "normal",
    onUnknown: "park",
    email: { from: "shop", to: "ada@example.com", subject, text: subject },
    ...differences,
  };
}

describe("a worker", () => {
  it("sends queued messages in order, and reports when nothing is left", async () => {
    const service = await aService();
    const { outbox, count } = await routeTo(service);
    for (const subject of ["a", "b", "c"]) await outbox.queue(mail(subject));
    const worker = outbox.work();
    await worker.idle();
    expect(subjectsAt(service).toSorted()).toEqual(["a", "b", "c"]);
    expect(await count("accepted")).toBe(3);
    const [newest] = await outbox.list();
    expect(newest).toMatchObject({ state: "accepted", attempts: 1, sent: { outcome: "accepted" } });
    expect(newest?.sent?.messageId).toBe(service.mail.list().find(({ subject }) => subject === "c")?.messageId);

    await outbox.queue(mail("d"));
    await worker.idle();
    expect(subjectsAt(service)).toHaveLength(4);
    await worker.stop();
    await outbox.queue(mail("e"));
    expect(await count("queued")).toBe(1);
  });

  it("sends nothing before its time, and nothing after its expiry", async () => {
    const service = await aService();
    const { outbox, events, count } = await routeTo(service);
    const sendAt = Date.now() + 1_000;
    await outbox.queue(mail("later", { sendAt }));
    await outbox.queue(mail("over", { expiresAt: Date.now() - 1, template: "code" }));
    await outbox.work().idle();
    expect(await count("expired")).toBe(1);
    expect(events).toContainEqual(expect.objectContaining({ type: "expired", template: "code" }));
    await expect.poll(() => count("accepted")).toBe(1);
    expect(subjectsAt(service)).toEqual(["later"]);
    expect(service.mail.list()[0]?.sentAt).toBeGreaterThanOrEqual(sendAt);
  });

  it("keeps a refused message, and continues with the others", async () => {
    const service = await aService();
    const { outbox, count } = await routeTo(service);
    const email = { from: "shop", to: "ada@example.com", template: "not-there" };
    const { id } = await outbox.queue(mail("a", { email, template: "not-there", key: "order 1" }));
    await outbox.queue(mail("b"));
    await outbox.work().idle();
    expect(await outbox.get(id)).toMatchObject({ state: "rejected", email });
    expect(await outbox.queue(mail("a", { email, template: "not-there", key: "order 1" }))).toMatchObject({
      state: "rejected",
      duplicate: true,
    });
    expect(await count("accepted")).toBe(1);
    expect((await outbox.stats()).problems).toEqual([
      { state: "rejected", reason: expect.stringContaining("404"), messages: 1, lastAt: expect.any(Number) as number },
    ]);
  });

  it("keeps messages in the queue that are refused because of the account", async () => {
    const service = await aService();
    const { outbox, count } = await routeTo(service, { clock: hastyClock });
    service.faults.add({ kind: "refuse", endpoint: "emails.send", status: 403, times: 100 });
    const { id } = await outbox.queue(mail("a"));
    const refused = { state: "queued", reason: expect.stringContaining("403") as string };
    outbox.work();
    await expect.poll(() => outbox.get(id)).toMatchObject(refused);
    await expect.poll(async () => (await outbox.stats()).problems).toMatchObject([{ state: "queued", messages: 1 }]);
    service.faults.clear();
    await expect.poll(() => count("accepted")).toBe(1);
    expect((await outbox.get(id))?.reason).toBeUndefined();
  });

  it("finds out the outcome of a lost answer, and does not send again", async () => {
    const service = await aService();
    const { outbox, count } = await routeTo(service);
    service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" });
    await outbox.queue(mail("a"));
    await outbox.queue(mail("b"));
    await outbox.work().idle();
    expect(subjectsAt(service).toSorted()).toEqual(["a", "b"]);
    expect(await count("accepted")).toBe(2);
  });

  it("parks unknown outcomes, or sends again if that is better", async () => {
    const service = await aService();
    const { outbox, count } = await routeTo(service);
    const worker = outbox.work();
    service.faults.add({ kind: "cut", endpoint: "emails.send", when: "before" });
    const { id } = await outbox.queue(mail("a", { key: "order 1" }));
    await worker.idle();
    expect(await outbox.get(id)).toMatchObject({ state: "parked", reason: expect.stringContaining("may") as string });
    expect(await outbox.queue(mail("a", { key: "order 1" }))).toMatchObject({ id, state: "parked", duplicate: true });
    await outbox.queue(mail("b"));
    await worker.idle();
    service.faults.add({ kind: "cut", endpoint: "emails.send", when: "before" });
    await outbox.queue(mail("code", { onUnknown: "resend", priority: "high" }));
    await worker.idle();
    expect(subjectsAt(service).toSorted()).toEqual(["b", "code"]);

    expect(await outbox.retry({}, { dryRun: true })).toEqual({ ids: [id], skipped: [] });
    expect(await count("parked")).toBe(1);
    expect(await outbox.retry({})).toEqual({ ids: [id], skipped: [] });
    await worker.idle();
    expect(subjectsAt(service).toSorted()).toEqual(["a", "b", "code"]);
    expect(await count("accepted")).toBe(3);
  });

  it("finishes the request in progress when it is stopped, and puts back what waits", async () => {
    const service = await aService();
    const { outbox, count } = await routeTo(service, { sendsPerMinute: 10 });
    service.faults.add({ kind: "delay", endpoint: "emails.send", milliseconds: 500 });
    for (const subject of ["a", "b", "c"]) await outbox.queue(mail(subject));
    const worker = outbox.work();
    await expect.poll(() => count("sending")).toBeGreaterThan(0);
    await outbox.close();
    await worker.done;
    const { accepted, queued, sending } = (await outbox.stats()).counts;
    expect([accepted + queued, sending]).toEqual([3, 0]);
    expect(subjectsAt(service)).toHaveLength(accepted);
    const attempts = (await outbox.list({ state: "queued" })).map((message) => message.attempts);
    expect(new Set(attempts)).toEqual(new Set([0]));
  });

  it("takes over, with others, the messages of a dead process", async () => {
    const service = await aService();
    const file = temporaryFile();
    const { outbox, store, count } = await routeTo(service, { file });
    for (const subject of ["a", "b"]) await outbox.queue(mail(subject));
    const target = (await outbox.list())[0]?.target ?? "";
    const ended = { id: "of a process that has ended", forMs: 0 };
    await store.outbox.take({ target, priority: "normal", lease: ended });
    const workers = [outbox, (await routeTo(service, { file })).outbox].map((each) => each.work());
    await expect.poll(() => count("accepted")).toBe(2);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(subjectsAt(service).toSorted()).toEqual(["a", "b"]);
  });

  it("does not send what another process took over while it slept", async () => {
    const service = await aService();
    const { store, outbox } = await routeTo(service);
    const { id } = await outbox.queue(mail("a"));
    const target = (await outbox.get(id))?.target ?? "";
    // As soon as its turn has come, another process has the lease.
    const keepAlive = store.outbox.keepAlive.bind(store.outbox);
    vi.spyOn(store.outbox, "keepAlive").mockImplementationOnce(async (leases, forMs) => {
      await keepAlive(leases, 0);
      await store.outbox.takeAbandoned({ target, lease: { id: "another's", forMs: 60_000 } });
      return keepAlive(leases, forMs);
    });
    await outbox.work().idle();
    expect(subjectsAt(service)).toEqual([]);
    expect(await outbox.get(id)).toMatchObject({ state: "sending" });
  });

  it("sends what another process queues within about a second", async () => {
    const service = await aService();
    const file = temporaryFile();
    const { outbox, count } = await routeTo(service, { file, clock: hastyClock });
    await outbox.work().idle();
    const { outbox: another } = await routeTo(service, { file });
    await another.queue(mail("a"));
    await another.queue(mail("b", { priority: "high" }));
    await expect.poll(() => count("accepted")).toBe(2);
  });

  it("continues when its store recovers, and reports the failure", async () => {
    const service = await aService();
    const { outbox, store, events, count } = await routeTo(service, { lease: 1_000, clock: hastyClock });
    await outbox.queue(mail("a"));
    const trouble = new StoreError("The disk is full.");
    vi.spyOn(store.outbox, "take").mockRejectedValueOnce(trouble);
    vi.spyOn(store.outbox, "change").mockRejectedValueOnce(trouble);
    outbox.work();
    await expect.poll(() => count("accepted")).toBe(1);
    expect(events).toContainEqual({ type: "outbox-trouble", reason: "The disk is full." });
    expect(subjectsAt(service)).toEqual(["a"]);
  });

  it("asks a store again within seconds, however long it fails", async () => {
    const { outbox, store, clock } = await openOutbox();
    await outbox.queue(mail("a"));
    const asked: number[] = [];
    vi.spyOn(store, "take").mockImplementation(() => {
      asked.push(clock.now());
      return Promise.reject(new StoreError("The disk is full."));
    });
    outbox.work();
    while (asked.length < 10) {
      await clock.advance(500);
      await sleep(1);
    }
    const pauses = asked.slice(1).map((time, index) => time - (asked[index] ?? 0));
    expect(Math.max(...pauses)).toBeLessThan(20_000);
  });

  it("stops at its signal, and takes only as many as it may", async () => {
    const service = await aService();
    const { outbox } = await routeTo(service);
    const stopping = new AbortController();
    const worker = outbox.work({ signal: stopping.signal });
    stopping.abort();
    await worker.done;
    await outbox.work({ signal: stopping.signal }).done;
    expect(() => outbox.work({ concurrency: 0 })).toThrow("concurrency is 0");
  });
});
