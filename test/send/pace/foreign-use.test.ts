import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../src/api/client.js";
import type { ResponseInfo } from "../../../src/api/calls/caller.js";
import type { SendEvent } from "../../../src/send/events.js";
import { systemClock } from "../../../src/send/clock.js";
import { createMemoryPace } from "../../../src/send/store/memory.js";
import { createPace } from "../../../src/send/pace/pace.js";
import { startService } from "../../../src/service/index.js";

const signal = new AbortController().signal;

async function startLocalService(limits = true) {
  const service = await startService({ data: ":memory:", port: 0, limits });
  onTestFinished(() => service.close());

  /** A mailer in its own process, which does not know of others. */
  return (sendsPerMinute = 10) => {
    const answers: ResponseInfo[] = [];
    const client = createClient({
      apiKey: service.apiKey,
      baseUrl: service.url,
      pacing: false,
      retries: 0,
      onResponse: (answer) => void answers.push(answer),
    });
    onTestFinished(() => client.close());
    const events: SendEvent[] = [];
    const pace = createPace({
      account: "ours",
      store: createMemoryPace(systemClock),
      sendsPerMinute,
      clock: systemClock,
      publish: (event) => void events.push(event),
    });
    const acquire = (maxWaitMs = 0) => pace.acquire({ priority: "high", maxWaitMs, signal, requestMs: 30_000 });
    async function send(): Promise<number | undefined> {
      const slot = await acquire();
      const mail = { from: "receipts", to: "ada@example.com", subject: "Hi", text: "Hi" };
      await client.emails.send(service.domain, mail).catch(() => undefined);
      const answer = answers.at(-1);
      await slot.answered(answer);
      return answer?.status;
    }
    return { acquire, send, events, pace };
  };
}

test("learns of other programs' requests with the same key from answers", async () => {
  const startMailer = await startLocalService();
  const other = startMailer();
  for (let n = 0; n < 4; n += 1) expect(await other.send()).toBe(200);
  expect(other.events).toEqual([]);

  const ours = startMailer();
  expect(await ours.send()).toBe(200);
  expect(ours.events).toEqual([{ type: "foreign-use", requests: 4, untilMs: 60_000 }]);
  for (let n = 0; n < 5; n += 1) expect(await ours.send()).toBe(200);
  await expect(ours.send()).rejects.toMatchObject({ code: "rate_limited" });
  expect(ours.events).toHaveLength(1);
});

test("makes one request when the service allows it after a 429 that others caused", async () => {
  const startMailer = await startLocalService();
  const other = startMailer();
  for (let n = 0; n < 10; n += 1) await other.send();
  const ours = startMailer();
  expect(await ours.send()).toBe(429);
  expect(ours.events).toEqual([{ type: "foreign-use", requests: 8, untilMs: 60_000 }]);
  await ours.acquire();
  await expect(ours.acquire()).rejects.toMatchObject({ code: "rate_limited" });
});

test("leaves capacity beyond its own limit to others", async () => {
  const startMailer = await startLocalService();
  const other = startMailer();
  for (let n = 0; n < 6; n += 1) await other.send();
  const ours = startMailer(5);
  expect(await ours.send()).toBe(200);
  expect(ours.events).toEqual([{ type: "foreign-use", requests: 1, untilMs: 60_000 }]);
  for (let n = 0; n < 3; n += 1) expect(await ours.send()).toBe(200);
  await expect(ours.send()).rejects.toMatchObject({ code: "rate_limited" });
});

test("respects a limit that is smaller than ours", async () => {
  const startMailer = await startLocalService();
  const { send, events } = startMailer(100);
  for (let n = 0; n < 10; n += 1) expect(await send()).toBe(200);
  await expect(send()).rejects.toMatchObject({ code: "rate_limited" });
  expect(events).toEqual([]);
});

test("ignores the limit of a service that counts nothing", async () => {
  const startMailer = await startLocalService(false);
  const { send, events } = startMailer(100);
  for (let n = 0; n < 30; n += 1) expect(await send()).toBe(200);
  expect(events).toEqual([]);
});
