import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { outboundEmailResponse } from "../../src/api/contract/v4/emails.js";
import { logsResponse } from "../../src/api/contract/v3/logs.js";
import { logCountResponse, logListResponse, logSearchResponse } from "../../src/api/contract/v4/logs.js";
import { frozenClock } from "../../src/service/index.js";
import { credentials, startApi, temporaryFolder } from "./harness.js";
import { openLog } from "./log-entries.js";

const logs = "/domains/example.test/logs";
const start = Date.parse("2026-11-20T10:00:00Z");
const DAY_MS = 24 * 60 * 60 * 1_000;

test("expired entries are hidden at once and deleted soon after, and an email is deleted with its last entry", async () => {
  const clock = frozenClock(start);
  const data = await temporaryFolder();
  const api = await startApi({ data, clock });
  const log = await openLog(data, clock);
  const send = async (subject: string) => {
    const mail = { from: "hello", to: ["ada@example.com", "bob@example.com"], subject, text: "x" };
    return (await api.post("/domains/example.test/emails/outbound", mail)).read(outboundEmailResponse).id;
  };
  const old = await send("Old mail");
  clock.advance(1);
  const young = await send("Young mail");
  expect((await api.get(`${logs}/search?query=mail`)).read(logSearchResponse).total).toBe(4);

  clock.advance(30 * DAY_MS - 1);
  expect((await api.get(`${logs}/count`)).read(logCountResponse).total).toBe(4);
  clock.advance(1);
  expect((await api.get(`${logs}/count`)).read(logCountResponse).total).toBe(2);
  expect((await api.get(`${logs}/search?query=mail`)).read(logSearchResponse).total).toBe(2);
  expect((await api.get(`${logs}/${old}`)).status).toBe(404);
  const listed = (await api.get(logs)).read(logListResponse).logs;
  expect(listed.map(({ subject }) => subject)).toEqual(["Young mail", "Young mail"]);
  const third = await api.request("/v3/domains/example.test/logs", {
    headers: { authorization: credentials("local") },
  });
  expect(third.read(logsResponse).logs).toHaveLength(2);
  expect(api.service.mail.list().map(({ subject }) => subject)).toEqual(["Young mail"]);
  expect(await api.service.mail.open(old)).toBeUndefined();
  expect((await api.request(`/mail/${old}`)).status).toBe(404);
  expect((await api.service.mail.open(young))?.recipients).toHaveLength(2);

  await expect.poll(() => [log.rows("log_entries"), log.rows("mails")]).toEqual([2, 1]);
  expect(log.rows("log_events")).toBe(4);
  await expect.poll(() => readdir(join(data, "mail"))).toEqual([`${young}.eml`, `${young}.txt`]);
  expect((await api.get(`${logs}/search?query=mail`)).read(logSearchResponse).total).toBe(2);
});

test("a page whose first entry has expired meanwhile starts with the next one", async () => {
  const clock = frozenClock(start);
  const data = await temporaryFolder();
  const api = await startApi({ data, clock });
  const log = await openLog(data, clock);
  log.add(...Array.from({ length: 6 }, (_, n) => ({ subject: String(n), createdAt: start + n * 1_000 })));
  const { next_cursor } = (await api.get(`${logs}?order=created_asc&limit=2`)).read(logListResponse);
  clock.advance(30 * DAY_MS + 3_500);
  const next = (await api.get(`${logs}?order=created_asc&limit=5&cursor=${next_cursor}`)).read(logListResponse);
  expect(next.logs.map(({ subject }) => subject)).toEqual(["4", "5"]);
  const back = (await api.get(`${logs}?limit=5&cursor=${next_cursor}`)).read(logListResponse);
  expect(back).toMatchObject({ logs: [], next_cursor: null });
});

test("a domain's entries are deleted with it and do not appear in a new domain of the same name", async () => {
  const clock = frozenClock(start);
  const data = await temporaryFolder();
  const api = await startApi({ data, clock });
  await api.post("/domains", { domain: "second.test" });
  const mail = { from: "hello", to: "ada@example.com", subject: "Receipt", text: "x" };
  const search = async () =>
    (await api.get("/domains/second.test/logs/search?query=receipt")).read(logSearchResponse).total;
  expect((await api.post("/domains/second.test/emails/outbound", mail)).status).toBe(200);
  expect(await search()).toBe(1);
  expect((await api.delete("/domains/second.test")).status).toBe(204);
  expect((await api.post("/domains", { domain: "second.test" })).status).toBe(200);
  expect(await search()).toBe(0);
  await api.post("/domains/second.test/emails/outbound", mail);
  expect(await search()).toBe(1);
});
