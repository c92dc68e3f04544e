import { expect, test } from "vitest";
import { SendAbortedError } from "../../../src/send/errors.js";
import { memoryLedger } from "../../../src/send/store/memory.js";
import { DrivenClock, newEmail, newParcel, openDesk, startLocalService } from "./harness.js";
import { Wire } from "./wire.js";

async function open() {
  const clock = new DrivenClock();
  const service = await startLocalService(clock);
  const wire = await Wire.to(service.url);
  return { service, clock, wire, desk: await openDesk(wire.url, { clock }) };
}

const forever = { maxWait: Number.POSITIVE_INFINITY };

test("does not send a message that expires while it waits for its turn", async () => {
  const { desk, clock, service } = await open();
  const receipts = Array.from({ length: 30 }, (_, index) =>
    desk.start({ email: newEmail({ subject: `Receipt ${index}` }), expiresAt: clock.time() + 90_000 }, forever),
  );
  const results = await clock.until(Promise.allSettled(receipts));
  const accepted = results.filter(({ status }) => status === "fulfilled").length;
  expect(accepted).toBeGreaterThan(8);
  expect(accepted).toBeLessThan(30);
  expect(service.mail.list()).toHaveLength(accepted);
  for (const result of results) if (result.status === "rejected") expect(result.reason.code).toBe("expired");
  for (const { sentAt } of service.mail.list()) expect(sentAt).toBeLessThan(1_800_000_090_000);
});

test("does not send a message after an outage in which it expired", async () => {
  const { desk, clock, service, wire } = await open();
  await wire.become("refused");
  const sending = desk.start({ expiresAt: clock.time() + 60_000 }, forever);
  const outcome = expect(sending).rejects.toMatchObject({ code: "expired" });
  await clock.advance(59_000);
  await clock.advance(2000);
  await wire.become("through");
  await outcome;
  await clock.advance(60_000);
  expect(service.mail.list()).toEqual([]);
});

test("does not send an expired message, at no cost", async () => {
  const { desk, clock } = await open();
  await expect(desk.send({ expiresAt: clock.time() })).rejects.toMatchObject({ code: "expired" });
  expect(desk.events).toEqual([]);
});

test("supports an expiry months ahead", async () => {
  const { desk, clock } = await open();
  await desk.send({ expiresAt: clock.time() + 1e12 });
});

test.each(["signal", "closing"] as const)("ends a wait for a turn by %s", async (option) => {
  const { desk, clock, service } = await open();
  for (let index = 0; index < 8; index += 1) await desk.send({ email: newEmail({ subject: `Receipt ${index}` }) });
  const controller = new AbortController();
  const reason = new Error("enough");
  const sending = desk.start({}, { ...forever, [option]: controller.signal });
  await clock.advance(1000);
  controller.abort(reason);
  await expect(sending).rejects.toEqual(new SendAbortedError({ cause: reason }));
  await expect(desk.send({}, { [option]: controller.signal })).rejects.toMatchObject({
    code: "aborted",
    cause: reason,
  });
  expect(service.mail.list()).toHaveLength(8);
});

test.each(["signal", "closing"] as const)("ends a wait in an outage by %s", async (option) => {
  const { desk, clock, wire } = await open();
  await wire.become("refused");
  const controller = new AbortController();
  const sending = desk.start({}, { ...forever, [option]: controller.signal });
  await clock.advance(5000);
  controller.abort(new Error("enough"));
  await expect(sending).rejects.toMatchObject({ code: "aborted" });
});

test.each(["signal", "closing"] as const)("ends a lookup by %s, stays in doubt, and finds it later", async (option) => {
  const { desk, clock, service } = await open();
  service.settings.set({ logDelayMs: 20_000 });
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" });
  const controller = new AbortController();
  const decided: unknown[] = [];
  const parcel = newParcel();
  const sending = desk.start(parcel, {
    ...forever,
    [option]: controller.signal,
    decided: async (outcome) => void decided.push(outcome),
  });
  await clock.advance(3000);
  controller.abort(new Error("enough"));
  await expect(sending).rejects.toMatchObject({ code: "unknown_outcome", lookedIn: undefined });
  expect(decided).toEqual([]);
  const closing = new AbortController().signal;
  const reconciled = await clock.until(
    desk.reconcile(parcel, { closing, decided: async (outcome) => void decided.push(outcome) }),
  );
  expect(reconciled).toMatchObject({ messageId: service.mail.list()[0]?.messageId });
  expect(decided).toEqual([reconciled]);
  expect(desk.events.map(({ type }) => type)).toEqual(["attempt", "unknown", "reconciled"]);
});

test("reports a decision before the ledger forgets it", async () => {
  const { desk, service } = await open();
  const outcomes: unknown[] = [];
  const decided = async (outcome: unknown) => void outcomes.push(outcome);
  const sent = await desk.send({}, { decided });
  service.faults.add({ kind: "refuse", endpoint: "emails.send", status: 403 });
  const rejected = await desk.send({}, { decided }).catch((error: unknown) => error);
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "before" });
  const unknown = await desk.send({}, { ...forever, decided }).catch((error: unknown) => error);
  expect(outcomes).toEqual([sent, rejected, unknown]);
});

test("keeps the parcel in the ledger if its outcome cannot be written", async () => {
  const { desk, clock, service } = await open();
  const parcel = newParcel();
  const decided = async () => Promise.reject(new Error("The disk is full."));
  await expect(desk.send(parcel, { decided })).rejects.toThrow("The disk is full.");
  const closing = new AbortController().signal;
  expect(await clock.until(desk.reconcile(parcel, { closing }))).toMatchObject({
    messageId: service.mail.list()[0]?.messageId,
  });
});

test("does not send what another process has taken over", async () => {
  const { desk, clock, service } = await open();
  const parcel = newParcel();
  await expect(desk.send(parcel, { mayLeave: async () => false })).rejects.toMatchObject({ code: "aborted" });
  expect(desk.events).toEqual([]);
  expect(await clock.until(desk.reconcile(parcel, { closing: new AbortController().signal }))).toBe("never sent");
  expect(service.mail.list()).toEqual([]);
});

test("does not forget the request of the process that has taken the message over", async () => {
  const clock = new DrivenClock();
  const ledger = memoryLedger(clock);
  const service = await startLocalService(clock);
  const desk = await openDesk(service.url, { clock, ledger });
  const parcel = newParcel();
  const mayLeave = async () => {
    const finding = await ledger.find(parcel.id);
    if (finding?.state === "open") await ledger.begin(finding.entry, 30_000);
    return false;
  };
  await expect(desk.send(parcel, { mayLeave })).rejects.toMatchObject({ code: "aborted" });
  expect(await ledger.find(parcel.id)).toMatchObject({ state: "open" });
});

test("leaves a request unknown if its process is gone and no log has it", async () => {
  const { desk, clock, service } = await open();
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "before" });
  const controller = new AbortController();
  const parcel = newParcel();
  const sending = desk.start(parcel, { ...forever, closing: controller.signal }).catch(() => undefined);
  await clock.advance(3000);
  controller.abort(new Error("enough"));
  await sending;
  const outcomes: unknown[] = [];
  const decided = async (outcome: unknown) => void outcomes.push(outcome);
  expect(await clock.until(desk.reconcile(parcel, { closing: new AbortController().signal, decided }))).toBe("unknown");
  expect(outcomes).toMatchObject([{ code: "unknown_outcome", id: parcel.id }]);
  expect(desk.events.at(-1)).toMatchObject({ type: "parked", id: parcel.id });
  const aborted = AbortSignal.abort(new Error("closing"));
  await expect(desk.reconcile(parcel, { closing: aborted })).rejects.toThrow("closing");
});

test("does not make a sign-in code wait for the answer to another message", async () => {
  const { desk, clock, service } = await open();
  service.faults.add({ kind: "delay", endpoint: "emails.send", milliseconds: 400 });
  const order: string[] = [];
  const receipt = desk.start({}, forever).then(() => order.push("receipt"));
  const code = desk
    .start({ email: newEmail({ subject: "Your code" }), priority: "high" })
    .then(() => order.push("code"));
  await clock.until(Promise.all([receipt, code]));
  expect(order).toEqual(["code", "receipt"]);
});
