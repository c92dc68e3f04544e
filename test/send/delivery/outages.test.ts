import { expect, test } from "vitest";
import type { Courier } from "../../../src/send/delivery/courier.js";
import { DrivenClock, newEmail, newParcel, openDesk, startLocalService } from "./harness.js";
import { type Condition, Wire } from "./wire.js";

const HOUR = 60 * 60 * 1000;
const long = process.env["MODE"] === "long";
const outageMs = long ? HOUR : HOUR / 12;
const QUEUED = long ? 60 : 24;

async function open(options: Parameters<typeof openDesk>[1] = {}) {
  const clock = new DrivenClock();
  const service = await startLocalService(clock);
  const wire = await Wire.to(service.url);
  const desk = await openDesk(wire.url, { clock, ...options });
  return { service, clock, wire, desk };
}

const receipt = (index: number) => newParcel({ email: newEmail({ subject: `Receipt ${index}` }) });
const closing = new AbortController().signal;

/** The outcomes of many queued parcels. */
function queueAll(desk: Courier, count: number, timeoutMs = 60_000) {
  const done = { accepted: 0, unknown: 0, other: 0 };
  const all = Array.from({ length: count }, (_, index) =>
    desk.deliver(receipt(index), { maxWait: Number.POSITIVE_INFINITY, timeoutMs, closing }).then(
      () => void (done.accepted += 1),
      (error: { code?: string }) => void (done[error.code === "unknown_outcome" ? "unknown" : "other"] += 1),
    ),
  );
  return { done, all: Promise.all(all) };
}

test.each<Condition>(["refused", "reset", "silent", "failing"])(
  "leaves at most one undecided send of a long queue in an outage (%s), and loses none",
  async (condition) => {
    // Each request to a silent service takes this long in real time.
    const { desk, clock, wire, service } = await open({ timeoutMs: condition === "silent" ? 20 : 5000 });
    const { done, all } = queueAll(desk, QUEUED, condition === "silent" ? 3_000 : 60_000);
    await clock.advance(100_000);
    const before = service.mail.list({ limit: 100 }).length;
    expect(before).toBeGreaterThan(10);
    await wire.become(condition);
    await clock.advance(condition === "silent" ? outageMs / 4 : outageMs);
    expect(done).toEqual({ accepted: before, unknown: 0, other: 0 });
    const unknown = desk.events.filter(({ type }) => type === "unknown").length;
    expect(unknown).toBe(condition === "refused" ? 0 : 1);
    await wire.become("through");
    await clock.until(all);
    expect(done).toEqual({ accepted: QUEUED - unknown, unknown, other: 0 });
    const subjects = service.mail.list({ limit: 100 }).map(({ subject }) => subject);
    expect(subjects).toHaveLength(QUEUED - unknown);
    expect(new Set(subjects).size).toBe(QUEUED - unknown);
  },
);

test.each([
  ["only sending fails", ["emails.send"], 2],
  ["only sending and the log fail", ["emails.send", "logs.list"], 2],
])("risks few messages if %s", async (_, endpoints, risked) => {
  const { desk, clock, service } = await open();
  const { done, all } = queueAll(desk, QUEUED);
  for (const endpoint of endpoints) service.faults.add({ kind: "refuse", endpoint, status: 500, times: 10_000 });
  await clock.advance(outageMs);
  expect(done.accepted).toBe(0);
  expect(desk.events.filter(({ type }) => type === "unknown").length).toBeLessThanOrEqual(risked);
  service.faults.clear();
  await clock.until(all);
  expect(done).toEqual({ accepted: QUEUED - done.unknown, unknown: done.unknown, other: 0 });
});

test("does not block the queue because of one lost answer", async () => {
  const { desk, clock, service } = await open();
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "before", times: 1 });
  const { done } = queueAll(desk, 4);
  await clock.advance(10_000);
  expect(done).toEqual({ accepted: 3, unknown: 0, other: 0 });
});

test("fails a direct send at once in an outage, and says so", async () => {
  const { desk, clock, wire } = await open();
  await wire.become("reset");
  await expect(desk.send()).rejects.toMatchObject({ code: "unknown_outcome" });
  const before = clock.now();
  for (let index = 0; index < 20; index += 1)
    await expect(desk.send(receipt(index), { maxWait: 500 })).rejects.toMatchObject({ code: "unreachable" });
  expect(clock.now() - before).toBeLessThan(5000);
  expect(desk.events.filter(({ type }) => type === "attempt")).toHaveLength(1);
  await wire.become("through");
  await desk.send(receipt(21), { maxWait: 60_000 });
});

test("risks few of many direct sends when an outage begins", async () => {
  const { desk, clock, wire } = await open();
  await wire.become("reset");
  const results = await clock.until(
    Promise.allSettled(Array.from({ length: 10 }, (_, index) => desk.start(receipt(index)))),
  );
  const codes = results.map((result) => (result.status === "rejected" ? result.reason.code : "accepted"));
  expect(codes.filter((code) => code === "unknown_outcome")).toHaveLength(1);
  expect(codes).not.toContain("accepted");
});

test("retries what definitely did not arrive, and continues after the first success", async () => {
  const { desk, clock, wire, service } = await open();
  await wire.become("refused");
  const sending = Promise.all(Array.from({ length: 5 }, (_, index) => desk.start(receipt(index))));
  sending.catch(() => undefined);
  await clock.advance(3000);
  await wire.become("through");
  await clock.until(sending);
  expect(service.mail.list()).toHaveLength(5);
  const types = desk.events.map(({ type }) => type);
  expect(types).toContain("retry");
  expect(types.indexOf("breaker-open")).toBeLessThan(types.indexOf("breaker-closed"));
});

test("reports a service that can't be reached in time as unreachable", async () => {
  const { desk, clock, wire } = await open();
  await wire.become("refused");
  await expect(desk.send()).rejects.toMatchObject({
    code: "unreachable",
    url: wire.url,
    cause: { code: "unreachable", requestSent: false },
    message: expect.stringMatching(
      /^Can't reach the service at \S+ \(.*ECONNREFUSED.*\)\. The message has not been sent\.$/,
    ),
  });
  expect(clock.now()).toBeLessThanOrEqual(10_000);
  expect(desk.events.filter(({ type }) => type === "attempt").length).toBeGreaterThan(4);
});

test("does not delay others because of one lost answer", async () => {
  const { desk, clock, service } = await open();
  service.settings.set({ logDelayMs: 30_000 });
  service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" });
  const first = desk.start(receipt(0), { maxWait: 60_000 });
  await clock.advance(0);
  const before = clock.now();
  await desk.send(receipt(1));
  expect(clock.now() - before).toBeLessThan(1000);
  await clock.until(first);
});
