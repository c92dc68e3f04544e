import { expect, test } from "vitest";
import { logEntrySchema, logsResponse } from "../../src/api/contract/v3/logs.js";
import { logCountResponse, logEntrySchema as logEntryV4 } from "../../src/api/contract/v4/logs.js";
import { frozenClock } from "../../src/service/index.js";
import { type Answer, type Api, credentials, startApi, temporaryFolder } from "./harness.js";
import { openLog, type TestLog } from "./log-entries.js";

const start = Date.parse("2026-11-20T10:00:00Z");
const seconds = start / 1_000;

async function startWithLog(
  name = "example.test",
): Promise<{ api: Api; log: TestLog; clock: ReturnType<typeof frozenClock> }> {
  const clock = frozenClock(start);
  const data = await temporaryFolder();
  const api = await startApi({ data, clock, seed: { domains: [{ name }] } });
  return { api, log: await openLog(data, clock), clock };
}

function call(api: Api, path: string, method = "GET", body?: object): Promise<Answer> {
  return api.request(`/v3/domains/${api.service.domain}${path}`, {
    method,
    headers: { authorization: credentials("local"), ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function subjects(api: Api, path: string): Promise<string[]> {
  const answer = (await call(api, path)).read(logsResponse);
  expect(answer.success).toBe(true);
  return answer.logs.map(({ subject }) => subject);
}

test("an entry has the same content in both versions, in the form of each", async () => {
  const { api, log } = await startWithLog();
  const [id = ""] = log.add({ subject: "Hi", transport: "mx", forward: "ada@example.org", createdAt: start - 1 });
  const entry = (await call(api, `/logs/${id}`)).read(logEntrySchema.loose());
  const { created_at, message_id, events, ...same } = (await api.get(`/domains/example.test/logs/${id}`)).read(
    logEntryV4,
  );
  expect(created_at).toBe("2026-11-20T09:59:59Z");
  expect(entry).toEqual({
    ...same,
    created: start - 1,
    created_raw: start - 1,
    messageId: message_id,
    events: events.map(({ created_at: shown, ...event }) => {
      expect(shown).toBe(created_at);
      return { ...event, created: start - 1 };
    }),
    success: true,
  });
  expect((await call(api, "/logs")).read(logsResponse).logs).toEqual([logEntrySchema.parse(entry)]);

  const missing = await call(api, `/logs/${start}.ff`);
  expect(missing.status).toBe(404);
  expect(JSON.parse(missing.text)).toMatchObject({ success: false, errors: {} });
});

test("pages have a hundred entries, newest first, each after the requested id", async () => {
  const { api, log } = await startWithLog();
  const ids = log
    .add(...Array.from({ length: 250 }, (_, n) => ({ createdAt: start - 250 + n, subject: String(n) })))
    .toReversed();
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = (await call(api, `/logs${cursor ? `?next_cursor=${cursor}` : ""}`)).read(logsResponse);
    seen.push(...page.logs.map(({ id }) => id));
    cursor = page.next_cursor;
    expect(cursor ?? ids.at(-1)).toBe(page.logs.at(-1)?.id);
    log.add({ subject: "arrives in between" });
  } while (cursor);
  expect(seen).toEqual(ids);
  // A client that sends the last id it received gets an empty page at the end.
  expect(await subjects(api, `/logs?next_cursor=${ids.at(-1)}`)).toEqual([]);
  const wrong = await call(api, "/logs?next_cursor=nonsense");
  expect({ status: wrong.status, ...JSON.parse(wrong.text) }).toMatchObject({
    status: 400,
    success: false,
    errors: { next_cursor: [expect.any(String)] },
  });
});

test("an alias's entries are those of its address, as sender or recipient", async () => {
  const { api, log } = await startWithLog();
  log.add(
    { subject: "sent", sender: "Sales@example.test", createdAt: start - 9 },
    {
      subject: "forwarded",
      transport: "mx",
      sender: "x@example.com",
      recipient: "sales@example.test",
      createdAt: start - 8,
    },
    { subject: "elsewhere", sender: "other@example.test", recipient: "sales@example.com", createdAt: start - 7 },
    {
      subject: "eu",
      transport: "mx",
      sender: "x@example.com",
      recipient: "sales-eu@example.test",
      createdAt: start - 6,
    },
    { subject: "12", transport: "mx", sender: "x@example.com", recipient: "12@example.test", createdAt: start - 5 },
  );
  expect(await subjects(api, "/logs/SALES")).toEqual(["forwarded", "sent"]);
  expect(await subjects(api, "/logs/nobody")).toEqual([]);
  expect(await subjects(api, "/logs/12")).toEqual(["12"]);
  expect((await call(api, "/logs/12.ff")).status).toBe(404);
  expect(await subjects(api, "/logs/%2A")).toEqual(["12", "eu", "elsewhere", "forwarded", "sent"]);

  const regex = encodeURIComponent("/^sales-.+$/");
  expect(await subjects(api, `/logs/${regex}`)).toEqual([]);
  for (const alias of ["/^sales-.+$/", "sales"]) {
    expect((await call(api, "/aliases", "POST", { alias, forward: "ada@example.org" })).status).toBe(200);
  }
  expect(await subjects(api, `/logs/${regex}`)).toEqual(["eu"]);
  expect(await subjects(api, "/logs/*")).toEqual(["12", "elsewhere"]);
});

test("a regular expression's entries are those that it forwards: it matches addresses as written", async () => {
  const { api, log } = await startWithLog();
  const alias = "/^VIP-/";
  await call(api, "/aliases", "POST", { alias, forward: "ada@example.org" });
  log.add(
    { subject: "matches", transport: "mx", sender: "x@example.com", recipient: "VIP-1@Example.test" },
    { subject: "does not match", transport: "mx", sender: "x@example.com", recipient: "vip-1@example.test" },
  );
  expect(await subjects(api, `/logs/${encodeURIComponent(alias)}`)).toEqual(["matches"]);
  expect(await subjects(api, "/logs/*")).toEqual(["does not match"]);
});

test("an alias's entries are found whether its international domain is written in Unicode or ASCII", async () => {
  const { api, log } = await startWithLog("grüße.test");
  for (const recipient of ["sales@grüße.test", "Sales@xn--gre-6ka8l.test"])
    log.add({ subject: recipient, transport: "mx", sender: "x@example.com", recipient });
  expect((await subjects(api, "/logs/sales")).toSorted()).toEqual(["Sales@xn--gre-6ka8l.test", "sales@grüße.test"]);
});

test("a search finds a literal string, case-insensitively, within an inclusive range of seconds", async () => {
  const { api, log } = await startWithLog();
  log.add(
    { subject: "First receipt", createdAt: start - 10_000, statuses: ["QUEUED", "SOFT-BOUNCE", "DELIVERED"] },
    { subject: "Second", sender: "RECEIPT@example.com", createdAt: start - 5_500, statuses: ["REFUSED"] },
    { subject: "Third", forward: "my.receipt@example.com", createdAt: start - 5_001, statuses: ["HARD-BOUNCE"] },
    { subject: "Grüße: 100%", createdAt: start },
  );
  const range = `after=${seconds - 10}&before=${seconds}`;
  expect(await subjects(api, `/logs/search?${range}`)).toEqual(["Grüße: 100%", "Third", "Second", "First receipt"]);
  expect(await subjects(api, `/logs/search?${range}&text=Receipt&order=asc`)).toEqual([
    "First receipt",
    "Second",
    "Third",
  ]);
  expect(await subjects(api, `/logs/search?${range}&text=reciept`)).toEqual([]);
  expect(await subjects(api, `/logs/search?${range}&text=receipt%20first`)).toEqual([]);
  expect(await subjects(api, `/logs/search?${range}&text=T%20RECEI`)).toEqual(["First receipt"]);
  expect(await subjects(api, `/logs/search?${range}&text=GR%C3%9C`)).toEqual(["Grüße: 100%"]);
  expect(await subjects(api, `/logs/search?${range}&text=%25`)).toEqual(["Grüße: 100%"]);
  expect(await subjects(api, `/logs/search?${range}&text=%21`)).toEqual([]);
  expect(await subjects(api, `/logs/search?${range}&filter=failure`)).toEqual(["Third", "First receipt"]);
  expect(await subjects(api, `/logs/search?after=${seconds - 6}&before=${seconds - 6}`)).toEqual(["Third", "Second"]);
  expect(await subjects(api, `/logs/search?after=${seconds - 5}&before=${seconds - 1}`)).toEqual([]);

  const wrong = await call(api, "/logs/search?filter=some&order=up&before=1.5");
  expect(wrong.status).toBe(400);
  expect(Object.keys(JSON.parse(wrong.text).errors)).toEqual(
    expect.arrayContaining(["filter", "order", "after", "before"]),
  );
});

test("a search returns everything in its time range, in a consistent order", async () => {
  const { api, log } = await startWithLog();
  log.add(...Array.from({ length: 2_345 }, (_, n) => ({ createdAt: start - n, subject: `Receipt ${n}` })));
  for (const text of ["", "&text=receipt"]) {
    const found = await subjects(api, `/logs/search?after=0&before=${seconds}${text}`);
    expect(found).toEqual(Array.from({ length: 2_345 }, (_, n) => `Receipt ${n}`));
  }
});

test("counting accepts version 4's filters", async () => {
  const { api, log } = await startWithLog();
  log.add({ recipient: "ada@example.com" }, { recipient: "bob@example.com" });
  const answer = await call(api, "/logs/count?recipient=ADA@example.com&after=2026-11-20T09:00:00Z");
  expect(answer.read(logCountResponse.extend({}).loose())).toEqual({ total: 1, success: true });
});
