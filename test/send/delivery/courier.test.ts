import { expect, test } from "vitest";
import { DrivenClock, newEmail, newParcel, openDesk, startLocalService } from "./harness.js";

async function open(options: Parameters<typeof openDesk>[1] = {}) {
  const clock = new DrivenClock();
  const service = await startLocalService(clock);
  return { service, clock, desk: await openDesk(service.url, { clock, ...options }) };
}

test("accepts what the service accepts", async () => {
  const { desk, service } = await open();
  const sent = await desk.send();
  expect(service.mail.list()).toMatchObject([{ id: sent.id, messageId: sent.messageId }]);
  expect(desk.events.map(({ type }) => type)).toEqual(["attempt", "accepted"]);
});

test("finds a request whose answer was lost in the log", async () => {
  const { desk, service } = await open();
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" });
  const sent = await desk.send();
  expect(service.mail.list()).toMatchObject([{ id: sent.id, messageId: sent.messageId }]);
  expect(desk.events.map(({ type }) => type)).toEqual(["attempt", "unknown", "reconciled"]);
});

test("waits out the log's delay", async () => {
  const { desk, service, clock } = await open();
  service.settings.set({ logDelayMs: 40_000 });
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" });
  const sent = await desk.send({}, { maxWait: 60_000 });
  expect(service.mail.list()).toMatchObject([{ messageId: sent.messageId }]);
  expect(clock.now()).toBeGreaterThanOrEqual(40_000);
  expect(clock.now()).toBeLessThan(60_000);
});

test("gives up when the log should have the message but does not", async () => {
  const { desk, service, clock } = await open();
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "before" });
  await expect(desk.send({}, { maxWait: 60_000 })).rejects.toMatchObject({
    code: "unknown_outcome",
    message:
      "The message may or may not have been sent: the connection broke before the answer was complete; it is not in the delivery log, which was searched for 60 s.",
  });
  expect(clock.now()).toBe(60_000);
  expect(service.mail.list()).toEqual([]);
  expect(desk.events.map(({ type }) => type)).toEqual(["attempt", "unknown", "parked"]);
});

test("sends again if a duplicate is better than a loss", async () => {
  const { desk, service, clock } = await open();
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "before" });
  await desk.send({ onUnknown: "resend" });
  expect(clock.now()).toBeLessThanOrEqual(5000);
  expect(service.mail.list()).toHaveLength(1);
  expect(desk.events.map(({ type }) => type)).toEqual(["attempt", "unknown", "resent", "attempt", "accepted"]);
});

test("matches two identical messages to one log entry each", async () => {
  const { desk, service, clock } = await open();
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after", times: 2 });
  const [one, two] = await clock.until(Promise.all([desk.start(), desk.start()]));
  expect(new Set([one?.messageId, two?.messageId]).size).toBe(2);
  expect(service.mail.list()).toHaveLength(2);
});

test("assigns neither of two messages that look the same in the log if only one arrived", async () => {
  const { desk, service, clock } = await open();
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" });
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "before" });
  const results = await clock.until(
    Promise.allSettled([desk.start(), desk.start({ email: newEmail({ text: "Another" }), priority: "high" })]),
  );
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(newParcel().id).toBeDefined();
});
