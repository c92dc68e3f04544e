import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../src/api/client.js";
import type { SendEvent } from "../../../src/send/events.js";
import { createMemoryPace } from "../../../src/send/store/memory.js";
import { createPace } from "../../../src/send/pace/pace.js";
import { type PlanSource, planSource } from "../../../src/send/pace/plan-limits.js";
import { startService } from "../../../src/service/index.js";
import { VirtualClock } from "../virtual-clock.js";
import { type CreateMachine, kinds } from "./stores.js";

const signal = new AbortController().signal;
const DAY = 24 * 60 * 60_000;

function paceOf(plan: PlanSource, { clock = new VirtualClock(), store = createMemoryPace(clock) } = {}) {
  const events: SendEvent[] = [];
  const pace = createPace({
    account: "ours",
    store,
    sendsPerMinute: 1000,
    clock,
    publish: (event) => void events.push(event),
    plan,
  });
  const acquire = (mails = 1) =>
    pace.acquire({ priority: "high", maxWaitMs: Infinity, signal, requestMs: 30_000, mails });
  async function send(mails = 1, status = 200) {
    const slot = await acquire(mails);
    await slot.answered({ status });
    await clock.advance(1);
  }
  return { clock, pace, acquire, send, events };
}

/** An account with this much used already. */
function planOf(limits: { readonly day: number; readonly month: number }, used = 0) {
  const requests: string[] = [];
  const source: PlanSource = {
    async limits() {
      requests.push("limits");
      return limits;
    },
    async sentSince(time) {
      requests.push(time.toISOString());
      return used;
    },
    close: async () => void requests.push("close"),
  };
  return { source, requests };
}

test("publishes an event near a limit, and throws an error with its end when it is reached", async () => {
  const { source } = planOf({ day: 10, month: 0 }, 6);
  const { clock, send, events } = paceOf(source);
  await send();
  await send();
  expect(events).toEqual([]);
  await send(2);
  await send(0);
  expect(events).toEqual([{ type: "plan-limit-near", period: "day", used: 8, limit: 10 }]);
  const endsAt = new Date("2027-01-16T00:00:00.000Z");
  await expect(send(3)).rejects.toMatchObject({
    code: "rate_limited",
    limit: "day",
    until: endsAt,
    expectedWaitMs: endsAt.getTime() - clock.time(),
    message: "The plan's limit for this day is reached. It resets at 2027-01-16T00:00:00.000Z.",
  });
  await send(2);
  await expect(send()).rejects.toMatchObject({ code: "rate_limited" });
  expect(events.slice(1)).toEqual([{ type: "plan-limit-reached", period: "day", endsAt }]);
  await clock.advance(DAY);
  await send();
});

test("ends the month's limit with the month", async () => {
  const { source, requests } = planOf({ day: 0, month: 100 }, 100);
  const { send, events } = paceOf(source);
  await send();
  expect(requests).toEqual([]);
  await send();
  expect(requests).toEqual(["limits", "2027-01-01T00:00:00.000Z"]);
  await expect(send()).rejects.toMatchObject({ limit: "month", until: new Date("2027-02-01T00:00:00.000Z") });
  expect(events.map(({ type }) => type)).toEqual(["plan-limit-near", "plan-limit-reached"]);
});

test("does not count what was refused, but what was lost", async () => {
  const { source } = planOf({ day: 2, month: 0 });
  const { send, acquire } = paceOf(source);
  await send(1, 400);
  await send(1, 429);
  await (await acquire()).lost();
  await send();
  await expect(acquire()).rejects.toMatchObject({ limit: "day" });
});

test("limits nothing without known limits, and publishes an event", async () => {
  const none = paceOf(planOf({ day: 0, month: -1 }).source);
  for (let n = 0; n < 20; n += 1) await none.send();
  expect(none.events).toEqual([]);

  const { source } = planOf({ day: 5, month: 5 });
  const failing = paceOf({ ...source, sentSince: () => Promise.reject(new Error("It is out of order.")) });
  for (let n = 0; n < 20; n += 1) await failing.send();
  expect(failing.events).toEqual([{ type: "plan-limit-unknown", reason: "It is out of order." }]);
});

test("requests the account in the background, each day and hour, and when a limit is reached", async () => {
  const { source, requests } = planOf({ day: 3, month: 0 });
  let answer = (): void => undefined;
  const slow = {
    ...source,
    limits: () => new Promise<void>((resolve) => (answer = resolve)).then(() => source.limits(signal)),
  };
  const { clock, send, pace } = paceOf(slow);
  await send();
  await send();
  expect(requests).toEqual([]);
  answer();
  await clock.advance(DAY);
  await send();
  answer();
  await clock.advance(1000);
  await send();
  await send();
  expect(requests.filter((what) => what === "limits")).toHaveLength(2);
  await expect(send()).rejects.toMatchObject({ limit: "day" });
  await clock.advance(60_000);
  await expect(send()).rejects.toMatchObject({ limit: "day" });
  answer();
  await pace.close();
  expect(requests.filter((what) => what === "limits")).toHaveLength(3);
});

test("ends its requests when it is closed", async () => {
  const { events, send, pace } = paceOf({
    limits: (ending) => new Promise((_, reject) => ending.addEventListener("abort", () => reject(ending.reason))),
    sentSince: () => Promise.resolve(0),
    close: () => Promise.resolve(),
  });
  await send();
  await send();
  await pace.close();
  expect(events).toEqual([]);
});

test.each(kinds)("counts together for everything that shares a store: %s", async (_, createMachine: CreateMachine) => {
  const clock = new VirtualClock();
  const machine = await createMachine(clock);
  onTestFinished(() => machine.close());
  const { source } = planOf({ day: 5, month: 0 });
  const first = paceOf(source, { clock, store: await machine.open() });
  const second = paceOf(source, { clock, store: await machine.open() });
  await first.send(2);
  await second.send(2);
  await expect(first.send(2)).rejects.toMatchObject({ limit: "day" });
  // A new one need not call the service to know.
  const third = paceOf(source, { clock, store: await machine.open() });
  await expect(third.send(2)).rejects.toMatchObject({ limit: "day" });
});

test.each(["v4", "v3"] as const)("reads the local service's account, with version %s", async (version) => {
  const service = await startService({
    data: ":memory:",
    port: 0,
    seed: { limits: { daily_send_limit: 5, monthly_send_limit: 50 } },
  });
  onTestFinished(() => service.close());
  const options = { apiKey: service.apiKey, baseUrl: service.url } as const;
  const client = version === "v3" ? createClient({ ...options, version }) : createClient(options);
  onTestFinished(() => client.close());
  const mail = { from: "receipts", to: ["a@example.com", "b@example.com"], subject: "Hi", text: "Hi" };
  await client.emails.send(service.domain, mail);

  const source = planSource(client, service.domain);
  const ending = new AbortController().signal;
  expect(await source.limits(ending)).toEqual({ day: 5, month: version === "v4" ? 50 : 0 });
  await expect.poll(() => source.sentSince(new Date(Date.now() - 60_000), ending)).toBe(2);
});
