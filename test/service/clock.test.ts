import { cp } from "node:fs/promises";
import { expect, test } from "vitest";
import { outboundEmailResponse } from "../../src/api/contract/v4/emails.js";
import { logEntrySchema } from "../../src/api/contract/v4/logs.js";
import { frozenClock, type RunningService, startService } from "../../src/service/index.js";
import { apiOf, temporaryFolder } from "./harness.js";

const HOUR = 3_600_000;
const domain = "/domains/example.test";
const mail = { from: "hello", to: "ada@example.com", subject: "Hi", text: "Hello" };

async function entryOf(service: RunningService) {
  const api = apiOf(service);
  const { id } = (await api.post(`${domain}/emails/outbound`, mail)).read(outboundEmailResponse);
  return (await api.get(`${domain}/logs/${id}`)).read(logEntrySchema);
}

test("a service that starts again continues from its latest time", async () => {
  const data = await temporaryFolder();
  const first = await startService({ data, port: 0 });
  first.clock.advance(24 * HOUR);
  const before = await entryOf(first);
  await first.close();
  const ended = first.clock.now();

  const second = await startService({ data, port: 0 });
  const begun = second.clock.now();
  const after = await entryOf(second);
  await second.close();
  expect(begun).toBeGreaterThanOrEqual(ended - 1_000);
  expect(begun).toBeLessThan(ended + HOUR);
  expect(Date.parse(after.created_at)).toBeGreaterThanOrEqual(Date.parse(before.created_at));
});

test("time that passes without any event counts", async () => {
  const data = await temporaryFolder();
  const clock = frozenClock(Date.parse("2026-11-20T10:00:00Z"));
  const first = await startService({ data, port: 0, clock });
  clock.advance(24 * HOUR);
  await first.close();

  const second = await startService({ data, port: 0, clock: frozenClock(Date.parse("2026-11-20T11:00:00Z")) });
  expect(second.clock.now()).toBe(Date.parse("2026-11-21T10:00:00Z"));
  await second.close();
  const third = await startService({ data, port: 0, clock: frozenClock(Date.parse("2026-11-30T11:00:00Z")) });
  expect(third.clock.now()).toBe(Date.parse("2026-11-30T11:00:00Z"));
  await third.close();
});

test.each([
  ["emails/outbound", mail],
  ["templates", { name: "hi", subject: "Hi", text_body: "Hi" }],
  ["aliases", { alias: "hi", forward: "ada@example.com" }],
  ["rules", { type: "alias", config: { alias: "hi", forward: "ada@example.com" } }],
  ["credentials", { username: "ada", password: "secret-of-ada" }],
])("the last write of a killed service (%s) is not newer than its next start", async (path, body) => {
  const start = Date.parse("2026-11-20T10:00:00Z");
  const clock = frozenClock(start);
  const data = await temporaryFolder();
  const first = await startService({ data, port: 0, clock });
  // Written without the service, so that it cannot record the time.
  clock.advance(HOUR);
  expect((await apiOf(first).post(`${domain}/${path}`, body)).status).toBe(200);
  const left = await temporaryFolder();
  await cp(data, left, { recursive: true });
  await first.close();

  const second = await startService({ data: left, port: 0, clock: frozenClock(start) });
  expect(second.clock.now()).toBe(start + HOUR);
  await second.close();
});
