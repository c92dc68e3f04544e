import { expect, test } from "vitest";
import { outboundEmailResponse } from "../../src/api/contract/v4/emails.js";
import { logCountResponse, logEntrySchema } from "../../src/api/contract/v4/logs.js";
import { frozenClock, startService } from "../../src/service/index.js";
import { type Api, apiOf, refusal, startApi, temporaryFolder } from "./harness.js";

const outbound = "/domains/example.test/emails/outbound";
const start = Date.parse("2026-11-20T10:00:00Z");
const MINUTE = 60_000;

async function send(api: Api, to: string | string[]): Promise<string> {
  const answer = await api.post(outbound, { from: "hello", to, subject: "Hi", text: "Hello" });
  expect(answer.status).toBe(200);
  return answer.read(outboundEmailResponse).id;
}

async function eventsOf(api: Api, id: string) {
  const { events } = (await api.get(`/domains/example.test/logs/${id}`)).read(logEntrySchema);
  return events.map(({ status, code, message, created_at: at }) => `${at.slice(11, 19)} ${status} ${code} ${message}`);
}

const queued = "10:00:00 QUEUED 250 2.0.0 Queued";

test.each([
  ["ada@example.com", ["10:00:00 DELIVERED 250 2.0.0 Captured: nothing leaves this machine"]],
  ["delivered@example.com", ["10:00:00 DELIVERED 250 2.0.0 Captured: nothing leaves this machine"]],
  ["hard-bounce@example.com", ["10:00:00 HARD-BOUNCE 550 5.1.1 User unknown"]],
  ["ada+hard-bounce@example.com", ["10:00:00 HARD-BOUNCE 550 5.1.1 User unknown"]],
  ["Ada <Ada+x+BOUNCED@Example.com>", ["10:00:00 BOUNCED 554 5.0.0 Delivery failed"]],
  ["refused@example.org", ["10:00:00 REFUSED 554 5.7.1 Connection refused by policy"]],
  ["queued@example.com", []],
  ["ada-hard-bounce@example.com", ["10:00:00 DELIVERED 250 2.0.0 Captured: nothing leaves this machine"]],
])("events of an email to %s", async (to, events) => {
  const clock = frozenClock(start);
  const api = await startApi({ clock });
  const id = await send(api, to);
  expect(await eventsOf(api, id)).toEqual([queued, ...events]);
  clock.advance(7 * 24 * 60 * MINUTE);
  expect(await eventsOf(api, id)).toEqual([queued, ...events]);
});

test("a soft bounce is retried with backoff, by the service's clock", async () => {
  const clock = frozenClock(start);
  const api = await startApi({ clock });
  const id = await send(api, "soft-bounce@example.com");
  const deferred = "SOFT-BOUNCE 451 4.7.1 Greylisted, try again later";
  const delivered = "DELIVERED 250 2.0.0 Captured: nothing leaves this machine";
  expect(await eventsOf(api, id)).toEqual([queued, `10:00:00 ${deferred}`]);
  clock.advance(MINUTE - 1);
  expect(await eventsOf(api, id)).toHaveLength(2);
  clock.advance(1);
  expect(await eventsOf(api, id)).toEqual([queued, `10:00:00 ${deferred}`, `10:01:00 ${deferred}`]);
  // After a large advance, events have the times at which they were due.
  clock.advance(60 * MINUTE);
  expect(await eventsOf(api, id)).toEqual([
    queued,
    `10:00:00 ${deferred}`,
    `10:01:00 ${deferred}`,
    `10:06:00 ${delivered}`,
  ]);
  for (const [status, total] of [
    ["SOFT-BOUNCE", 1],
    ["DELIVERED", 1],
    ["HARD-BOUNCE", 0],
  ] as const) {
    const counted = await api.get(`/domains/example.test/logs/count?status=${status}`);
    expect(counted.read(logCountResponse)).toEqual({ total });
  }
});

test("advancing the service's own clock processes due events without a request", async () => {
  const api = await startApi({ clock: frozenClock(start) });
  await send(api, "soft-bounce@example.com");
  const status = () => api.service.mail.list()[0]?.recipients[0]?.status;
  expect(status()).toBe("SOFT-BOUNCE");
  api.service.clock.advance(6 * MINUTE);
  expect(status()).toBe("DELIVERED");
});

test("events happen by themselves when a running clock reaches them", async () => {
  // A clock that is advanced from outside, like the machine's.
  const clock = frozenClock(start);
  const api = await startApi({ clock });
  await send(api, "soft-bounce@example.com");
  clock.advance(6 * MINUTE);
  await expect.poll(() => api.service.mail.list()[0]?.recipients[0]?.status).toBe("DELIVERED");
});

test("each recipient has its own outcome, and the table takes precedence over outcomes in addresses", async () => {
  const api = await startApi();
  api.service.settings.set({ outcomes: { "ADA@example.com": "refused", "bounced@example.com": "delivered" } });
  await send(api, ["ada@example.com", "bounced@example.com", "hard-bounce@example.com", "bob@example.com"]);
  const [mail] = api.service.mail.list();
  expect(mail?.recipients.map(({ email, status }) => [email, status])).toEqual([
    ["ada@example.com", "REFUSED"],
    ["bounced@example.com", "DELIVERED"],
    ["hard-bounce@example.com", "HARD-BOUNCE"],
    ["bob@example.com", "DELIVERED"],
  ]);
});

test("future events are kept when the service stops", async () => {
  const data = await temporaryFolder();
  const clock = frozenClock(start);
  const first = await startService({ data, port: 0, clock, limits: false });
  const id = await send(apiOf(first), "soft-bounce@example.com");
  await first.close();

  clock.advance(MINUTE);
  const api = await startApi({ data, clock });
  expect(await eventsOf(api, id)).toHaveLength(3);
  clock.advance(5 * MINUTE);
  expect((await eventsOf(api, id)).at(-1)).toContain("10:06:00 DELIVERED");
});

test("future events are deleted with their domain", async () => {
  const clock = frozenClock(start);
  const api = await startApi({ clock });
  await send(api, "soft-bounce@example.com");
  expect((await api.delete("/domains/example.test")).status).toBe(204);
  clock.advance(60 * MINUTE);
  expect((await api.get("/account")).status).toBe(200);
});

test("each recipient counts against the plan's send limits, by day and month of the service's clock", async () => {
  const clock = frozenClock(start);
  const api = await startApi({ clock, seed: { limits: { daily_send_limit: 3, monthly_send_limit: 4 } } });
  const mail = (to: string[]) => api.post(outbound, { from: "a", to, subject: "s", text: "t" });
  await send(api, ["a@example.com", "b@example.com"]);
  const refused = await mail(["c@example.com", "d@example.com"]);
  expect(refusal(refused)).toMatchObject({ status: 403, fields: [] });
  expect(refused.readError().message).toContain("daily limit of 3 emails; sent so far: 2");
  expect((await mail(["A@example.com", "a@EXAMPLE.com"])).status).toBe(200);
  expect((await mail(["c@example.com"])).status).toBe(403);
  clock.advance(24 * 60 * MINUTE);
  await send(api, "c@example.com");
  expect((await mail(["d@example.com"])).readError().message).toContain("monthly limit of 4");
  // The refused request left nothing behind.
  expect(api.service.mail.list()).toHaveLength(3);
  clock.advance(11 * 24 * 60 * MINUTE);
  await send(api, "d@example.com");
});
