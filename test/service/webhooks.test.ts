import { expect, test } from "vitest";
import { frozenClock, startService } from "../../src/service/index.js";
import { type Api, apiOf, startApi, temporaryFolder } from "./harness.js";
import { version3 } from "./version-3.js";
import { receiver } from "./webhook-receiver.js";

async function announceTo(api: Api, webhook: string | null) {
  expect((await version3(api).put("/domains/example.test", { webhook })).status).toBe(200);
}

async function send(api: Api, to: string | string[]) {
  const answer = await api.post("/domains/example.test/emails/outbound", { from: "a", to, subject: "Hi", text: "Hi" });
  expect(answer.status).toBe(200);
}

test("every event is posted in order, with its entry at that time", async () => {
  const { got, url } = await receiver();
  const clock = frozenClock(1_795_000_000_000);
  const api = await startApi({ clock });
  await send(api, "before@example.com");
  await announceTo(api, url);
  await send(api, ["soft-bounce@example.com", "hard-bounce@example.com"]);
  await expect.poll(() => got.length).toBe(4);
  expect(got.map(({ log, event }) => [log.recipient.email, event.status, log.events.length])).toEqual([
    ["soft-bounce@example.com", "QUEUED", 1],
    ["soft-bounce@example.com", "SOFT-BOUNCE", 2],
    ["hard-bounce@example.com", "QUEUED", 1],
    ["hard-bounce@example.com", "HARD-BOUNCE", 2],
  ]);
  expect(got[0]).toMatchObject({ domain: "example.test", event: { created: clock.now() }, log: { subject: "Hi" } });
  expect(got[1]?.log.events.at(-1)).toEqual(got[1]?.event);

  api.service.clock.advance(6 * 60_000);
  await expect.poll(() => got.length).toBe(6);
  expect(got.slice(4).map(({ event, log }) => [event.status, log.events.length])).toEqual([
    ["SOFT-BOUNCE", 3],
    ["DELIVERED", 4],
  ]);
});

test("a webhook that does not respond never delays sending", async () => {
  const { got, url } = await receiver(() => "never");
  const api = await startApi();
  await announceTo(api, url);
  for (let count = 0; count < 5; count += 1) await send(api, "ada@example.com");
  await expect.poll(() => got.length).toBe(1);
  const before = performance.now();
  await api.service.close();
  expect(performance.now() - before).toBeLessThan(9_000);
});

test("a failed post is retried with backoff by the service's clock, and given up in the end", async () => {
  const statuses = [500, 302];
  const { got, url } = await receiver((count) => statuses[count - 1] ?? 404);
  const clock = frozenClock(1_795_000_000_000);
  const api = await startApi({ clock });
  await announceTo(api, url);
  await send(api, "queued@example.com");
  for (const [index, seconds] of [10, 60, 300, 1_800, 7_200].entries()) {
    await expect.poll(() => got.length).toBe(index + 1);
    // Only after its pause; recording a response takes a moment.
    await expect
      .poll(() => {
        api.service.clock.advance(seconds * 1_000);
        return got.length;
      })
      .toBe(index + 2);
  }
  api.service.clock.advance(100 * 86_400_000);
  await send(api, "queued@example.com");
  await expect.poll(() => got.at(-1)?.log.id !== got[0]?.log.id).toBe(true);
  expect(new Set(got.slice(0, 6).map(({ event }) => event.id)).size).toBe(1);
  expect(got).toHaveLength(7);
});

test("pending posts are sent after a restart, and nothing is sent to a removed webhook", async () => {
  const data = await temporaryFolder();
  const clock = frozenClock(1_795_000_000_000);
  const first = await startService({ data, port: 0, clock, limits: false });
  const gone = await receiver();
  gone.close();
  await announceTo(apiOf(first), gone.url);
  await send(apiOf(first), "queued@example.com");
  await first.close();

  const { got, url } = await receiver();
  const api = await startApi({ data, clock });
  await announceTo(api, url);
  await expect
    .poll(() => {
      api.service.clock.advance(60_000);
      return got.length;
    })
    .toBe(1);
  await announceTo(api, null);
  await send(api, "queued@example.com");
  api.service.clock.advance(60_000);
  await announceTo(api, url);
  await send(api, "ada@example.com");
  await expect.poll(() => got.at(-1)?.event.status).toBe("DELIVERED");
  expect(got).toHaveLength(3);
});
