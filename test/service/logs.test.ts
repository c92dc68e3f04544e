import * as fc from "fast-check";
import { expect, test } from "vitest";
import { outboundEmailResponse } from "../../src/api/contract/v4/emails.js";
import {
  logCountResponse,
  logEntrySchema,
  logListResponse,
  logSearchResponse,
} from "../../src/api/contract/v4/logs.js";
import { frozenClock } from "../../src/service/index.js";
import { type Api, refusal, startApi } from "./harness.js";

const logs = "/domains/example.test/logs";
const start = Date.parse("2026-11-20T10:00:00Z");

/** A service whose log has one entry per second. `to` contains the recipients, oldest first. */
async function startWithLog(recipients: readonly string[], subjects: readonly string[] = []): Promise<Api> {
  const clock = frozenClock(start);
  const api = await startApi({ clock });
  for (const [index, to] of recipients.entries()) {
    await sendTo(api, to, subjects[index] ?? `Mail ${index}`);
    clock.advance(1_000);
  }
  return api;
}

async function sendTo(api: Api, to: string, subject: string): Promise<string> {
  const mail = { from: "hello", to, subject, text: "Hello" };
  return (await api.post("/domains/example.test/emails/outbound", mail)).read(outboundEmailResponse).id;
}

async function list(api: Api, query: string) {
  return (await api.get(`${logs}?${query}`)).read(logListResponse);
}

async function listSubjects(api: Api, query: string): Promise<string[]> {
  return (await list(api, query)).logs.map(({ subject }) => subject);
}

test("the log is paged by a cursor that is the id of the next page's first entry", async () => {
  const api = await startWithLog(["a@example.com", "b@example.com", "c@example.com"]);
  const first = await list(api, "limit=2");
  expect(first.logs.map(({ subject }) => subject)).toEqual(["Mail 2", "Mail 1"]);
  expect(first).toMatchObject({ limit: 2, cursor: null });

  const cursor = first.next_cursor ?? "";
  // Entries that arrive in between are not on later pages.
  await sendTo(api, "new@example.com", "New");
  const second = await list(api, `limit=2&cursor=${cursor}`);
  expect(second).toMatchObject({ cursor, next_cursor: null });
  expect(second.logs.map(({ id, subject }) => [id, subject])).toEqual([[cursor, "Mail 0"]]);

  expect(await listSubjects(api, "order=created_asc")).toEqual(["Mail 0", "Mail 1", "Mail 2", "New"]);
  expect(await listSubjects(api, `order=created_asc&limit=1&cursor=${cursor}`)).toEqual(["Mail 0"]);
  for (const wrong of [`${start}.ff`, "next", "1", ".ff"]) {
    expect(refusal(await api.get(`${logs}?cursor=${wrong}`))).toMatchObject({ status: 400, fields: ["cursor"] });
  }
});

test("every entry appears once in any page size, even with many in one millisecond", async () => {
  const clock = frozenClock(start);
  const api = await startApi({ clock });
  for (const count of [7, 1, 12]) {
    await sendTo(api, "first@example.com", "One");
    const to = Array.from({ length: count }, (_, index) => `r${index}@example.com`);
    await api.post("/domains/example.test/emails/outbound", { from: "a", to, subject: "Many", text: "x" });
    clock.advance(1);
  }
  const all = (await list(api, "")).logs.map(({ id }) => id);
  expect(all).toHaveLength(23);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.constantFrom("asc", "desc"), async (limit, order) => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await list(
          api,
          `order=created_${order}&limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`,
        );
        seen.push(...page.logs.map(({ id }) => id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(seen).toEqual(order === "desc" ? all : [...all].reverse());
    }),
    { numRuns: process.env["MODE"] === "long" ? 250 : 12 },
  );
});

test.each([
  ["recipient=ADA@Example.com", ["Mail 0", "Mail 2"]],
  ["recipient=ada", []],
  ["recipient=m%C3%BCller@example.com", ["Mail 3"]],
  ["sender=hello@EXAMPLE.test", ["Mail 0", "Mail 1", "Mail 2", "Mail 3"]],
  ["sender=other@example.test", []],
  ["forward=ada@example.com", []],
  ["status=DELIVERED", ["Mail 0", "Mail 1", "Mail 2", "Mail 3"]],
  ["status=BOUNCED,%20QUEUED", ["Mail 0", "Mail 1", "Mail 2", "Mail 3"]],
  ["status=BOUNCED,REFUSED,SOFT-BOUNCE,HARD-BOUNCE", []],
  ["transport=api", ["Mail 0", "Mail 1", "Mail 2", "Mail 3"]],
  ["transport=smtp", []],
  ["after=2026-11-20T10:00:01Z", ["Mail 2", "Mail 3"]],
  ["after=2026-11-20T10:00:00.999Z", ["Mail 1", "Mail 2", "Mail 3"]],
  ["before=2026-11-20T10:00:01Z", ["Mail 0"]],
  ["before=2026-11-20T10:00:01.001Z", ["Mail 0", "Mail 1"]],
  ["after=2026-11-20T11:00:00%2B01:00&before=2026-11-20T10:00:03Z", ["Mail 1", "Mail 2"]],
  ["recipient=ada@example.com&after=2026-11-20T10:00:00Z", ["Mail 2"]],
  ["recipient=&status=", ["Mail 0", "Mail 1", "Mail 2", "Mail 3"]],
])("the filter %s gives the same result for listing and counting", async (filter, expected) => {
  const api = await startWithLog(["Ada <ada@example.com>", "bob@example.com", "ada@example.com", "MÜLLER@example.com"]);
  expect(await listSubjects(api, `order=created_asc&${filter}`)).toEqual(expected);
  expect((await api.get(`${logs}/count?${filter}`)).read(logCountResponse)).toEqual({ total: expected.length });
});

test("within a displayed second, an entry is neither after nor before it", async () => {
  const clock = frozenClock(start + 400);
  const api = await startApi({ clock });
  await sendTo(api, "a@example.com", "At .4");
  expect(await listSubjects(api, "after=2026-11-20T10:00:00Z")).toEqual([]);
  expect(await listSubjects(api, "before=2026-11-20T10:00:00Z")).toEqual([]);
  expect(await listSubjects(api, "after=2026-11-20T09:59:59Z&before=2026-11-20T10:00:01Z")).toEqual(["At .4"]);
});

test.each([
  [
    logs,
    "status=LOST&transport=fax&after=yesterday&before=1&limit=201&order=relevance",
    ["status", "transport", "after", "before", "order", "limit"],
  ],
  [logs, "limit=0", ["limit"]],
  [`${logs}/count`, "status=delivered", ["status"]],
  [`${logs}/search`, "", ["query"]],
  [`${logs}/search`, "query=", ["query"]],
  [`${logs}/search`, "query=a&order=name_asc&limit=0&offset=-1", ["order", "limit", "offset"]],
])("%s?%s reports the invalid parameters", async (path, query, fields) => {
  const api = await startApi();
  expect(refusal(await api.get(`${path}?${query}`))).toMatchObject({ status: 400, fields });
});

test("an entry is not wrapped, and an unknown id is 404", async () => {
  const api = await startApi({
    seed: {
      apiKey: "local",
      plan: "paid",
      domains: [
        { name: "example.test", sendReady: true },
        { name: "other.test", sendReady: true },
      ],
    },
  });
  const id = await sendTo(api, "ada@example.com", "Hi");
  expect((await api.get(`${logs}/${id}`)).read(logEntrySchema)).toMatchObject({ id, subject: "Hi" });
  const refused = { status: 404, message: "There is no log entry with this id on the domain.", fields: [] };
  expect(refusal(await api.get(`/domains/other.test/logs/${id}`))).toEqual(refused);
  expect(refusal(await api.get(`${logs}/1.ff`))).toEqual(refused);
  expect((await api.get("/domains/other.test/logs/count")).read(logCountResponse)).toEqual({ total: 0 });
});

async function search(api: Api, query: string) {
  return (await api.get(`${logs}/search?${query}`)).read(logSearchResponse);
}

test("a search finds words with one letter wrong, missing, extra or swapped, best first", async () => {
  const api = await startWithLog(
    ["ada@example.com", "receipts@example.com", "Grace Hopper <grace@example.org>", "bob@example.net"],
    ["Your receipt", "Invoice", "Receipts of November", "Reset your password"],
  );
  const found = async (query: string) =>
    (await search(api, `query=${encodeURIComponent(query)}`)).logs.map(({ subject }) => subject);
  for (const query of ["receipt", "reciept", "receit", "receippt", "receapt"])
    expect(await found(query)).toContain("Your receipt");
  expect(await found("receipt")).toEqual(["Your receipt", "Receipts of November", "Invoice"]);
  expect(await found("hoper")).toEqual(["Receipts of November"]);
  expect(await found("your receipt")).toEqual(["Your receipt"]);
  expect(await found("BOB@example.net")).toEqual(["Reset your password"]);
  expect(await found("hello@example.test")).toHaveLength(4);
  expect(await found("nothing")).toEqual([]);
  expect(await found("!!!")).toEqual([]);
});

test("a search is paged by offset, sorted, and filtered by substrings of addresses", async () => {
  const api = await startWithLog(
    ["ada@example.com", "bob@example.com", "adam@example.org"],
    ["One mail", "Two mail", "Three mail"],
  );
  const page = await search(api, "query=mail&limit=2");
  expect(page).toMatchObject({ limit: 2, offset: 0, total: 3, next_offset: 2 });
  expect(page.logs.map(({ subject }) => subject)).toEqual(["Three mail", "Two mail"]);
  expect(page.logs[0]?.events).toHaveLength(2);
  expect(await search(api, "query=mail&limit=2&offset=2")).toMatchObject({ offset: 2, total: 3, next_offset: null });
  expect((await search(api, "query=mail&order=created_asc")).logs.map(({ subject }) => subject)).toEqual([
    "One mail",
    "Two mail",
    "Three mail",
  ]);
  expect(await search(api, "query=mail&recipient=ADA")).toMatchObject({ total: 2, limit: 20 });
  expect(await search(api, "query=mail&recipient=ada&status=BOUNCED")).toMatchObject({ total: 0 });
  expect(await search(api, "query=mail&offset=9007199254740991")).toMatchObject({
    logs: [],
    total: 3,
    next_offset: null,
  });
});
