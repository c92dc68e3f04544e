import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  logListResponse,
  logSearchResponse,
  logStatusSchema,
  transportSchema,
} from "../../src/api/contract/v4/logs.js";
import { frozenClock } from "../../src/service/index.js";
import { gradeOf, words } from "../../src/service/logs/words.js";
import { type Api, startApi, temporaryFolder } from "./harness.js";
import { type EntryLike, openLog, type TestLog } from "./log-entries.js";

const path = "/domains/example.test/logs";
const start = Date.parse("2026-11-20T10:00:00Z");

async function startWithLog(): Promise<{ api: Api; log: TestLog; clock: ReturnType<typeof frozenClock> }> {
  const clock = frozenClock(start);
  const data = await temporaryFolder();
  const api = await startApi({ data, clock });
  return { api, log: await openLog(data, clock), clock };
}

function asQuery(parameters: Readonly<Record<string, string | number | undefined>>): string {
  return new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
}

async function search(api: Api, parameters: Readonly<Record<string, string | number | undefined>>) {
  return (await api.get(`${path}/search?${asQuery(parameters)}`)).read(logSearchResponse);
}

test("better matches come first, then the subject before addresses, then newer entries", async () => {
  const { api, log } = await startWithLog();
  const subjects = ["Invoces paid", "Our invoice", "Preinvoice", "Invoice", "Invoices", "Inovice"];
  log.add(
    { subject: "By address", sender: "invoice@example.com", createdAt: start - 8_000 },
    ...subjects.map((subject, index) => ({ subject, createdAt: start - 7_000 + index })),
    { subject: "Nothing", createdAt: start },
  );
  const ranked = await search(api, { query: "invoice" });
  const order = ["Invoice", "Our invoice", "By address", "Invoices", "Preinvoice", "Inovice", "Invoces paid"];
  expect(ranked.logs.map(({ subject }) => subject)).toEqual(order);
  expect(ranked).toMatchObject({ total: 7, offset: 0, limit: 20, next_offset: null });
});

test("a search by status includes events after the entry was indexed", async () => {
  const { api, clock } = await startWithLog();
  const mail = { from: "a", to: "soft-bounce@example.com", subject: "Receipt", text: "t" };
  await api.post("/domains/example.test/emails/outbound", mail);
  const delivered = async () => (await search(api, { query: "receipt", status: "DELIVERED" })).total;
  expect(await delivered()).toBe(0);
  clock.advance(6 * 60_000);
  expect(await delivered()).toBe(1);
});

const address = fc.constantFrom(
  "ada@example.com",
  "Adam@example.org",
  "bob@example.test",
  "MÜLLER@example.net",
  "l%_k@example.com",
);
const subject = fc.constantFrom(
  "Your receipt",
  "Recipe for you",
  "receipts",
  "Réçu 領収書",
  "Order 10017",
  "Заказ",
  "",
);
const entry: fc.Arbitrary<EntryLike> = fc.record({
  subject,
  sender: address,
  recipient: address,
  forward: fc.option(address),
  transport: fc.constantFrom(...transportSchema.options),
  statuses: fc.array(fc.constantFrom(...logStatusSchema.options), { minLength: 1, maxLength: 3 }),
  createdAt: fc.integer({ min: start - 3_000, max: start }),
});
const part = fc.constantFrom("ada", "ADA@", "example", "müll", "%", "_", "l%_k", "@example.test", "zzz", "'");
const timestamp = fc.integer({ min: start - 4_000, max: start + 1_000 }).map((time) => new Date(time).toISOString());
const filters = fc.record(
  {
    sender: part,
    recipient: part,
    forward: part,
    transport: fc.constantFrom(...transportSchema.options),
    status: fc.subarray([...logStatusSchema.options], { minLength: 1 }).map((list) => list.join(",")),
    after: timestamp,
    before: timestamp,
  },
  { requiredKeys: [] },
);
const query = fc.constantFrom(
  "receipt",
  "reciept you",
  "recu",
  "example",
  "e",
  "10071",
  "заказы",
  "領収",
  "ada com",
  "nothing here",
  "!",
);

/** Whether an entry matches a search, by the documents' definition. */
function passes(
  like: EntryLike,
  filter: Readonly<Record<string, string | undefined>>,
  compare: (a: string, b: string) => boolean,
): boolean {
  const second = (time: number) => Math.floor(time / 1_000);
  const shown = second(like.createdAt ?? 0) * 1_000;
  const is = (name: "sender" | "recipient" | "forward") =>
    filter[name] === undefined || compare((like[name] ?? "").toLowerCase(), filter[name].toLowerCase());
  return (
    is("sender") &&
    is("recipient") &&
    is("forward") &&
    (filter["transport"] === undefined || like.transport === filter["transport"]) &&
    (filter["status"] === undefined ||
      filter["status"].split(",").some((status) => like.statuses?.some((each) => each === status))) &&
    (filter["after"] === undefined || shown > Date.parse(filter["after"])) &&
    (filter["before"] === undefined || shown < Date.parse(filter["before"]))
  );
}

function answers(like: EntryLike, text: string): boolean {
  const found = [like.subject, like.sender, like.recipient, like.forward].flatMap((each) => words(each ?? ""));
  const wanted = words(text);
  return wanted.length > 0 && wanted.every((each) => found.some((candidate) => gradeOf(each, candidate) > 0));
}

test("searching with any filter finds the same as testing each entry, including entries that arrive and change meanwhile", async () => {
  const { api, log } = await startWithLog();
  const known = new Map<string, EntryLike>();
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 8 }), filters, query, fc.nat(), async (added, filter, text, pick) => {
      log.add(...added).forEach((id, index) => known.set(id, added[index] ?? {}));
      const [changed] = [...known].slice(pick % Math.max(1, known.size));
      if (changed) {
        log.addEvent(changed[0], "BOUNCED");
        known.set(changed[0], { ...changed[1], statuses: [...(changed[1].statuses ?? []), "BOUNCED"] });
      }
      const expected = [...known].filter(
        ([, like]) => passes(like, filter, (a, b) => a.includes(b)) && answers(like, text),
      );
      // By time; entries of the same time in order of arrival.
      const byTime = expected.toSorted(([, a], [, b]) => (a.createdAt ?? 0) - (b.createdAt ?? 0)).map(([id]) => id);
      const found = await search(api, { ...filter, query: text, limit: 200, order: "created_asc" });
      expect(found.total).toBe(byTime.length);
      expect(found.logs.map(({ id }) => id)).toEqual(byTime.slice(0, 200));
    }),
    { numRuns: process.env["MODE"] === "long" ? 600 : 30 },
  );
});

test("listing with any filter, page size and order shows each entry once while others arrive", async () => {
  const { api, log } = await startWithLog();
  const known = new Map<string, EntryLike>();
  const exact = filters.map((filter) => ({
    ...filter,
    ...(filter.sender !== undefined && { sender: "ADA@example.com" }),
    recipient: undefined,
    forward: undefined,
  }));
  const some = fc.array(entry, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      some,
      some,
      exact,
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom("asc", "desc"),
      async (added, arriving, filter, limit, order) => {
        log.add(...added).forEach((id, index) => known.set(id, added[index] ?? {}));
        const before = matching(known, filter);
        const seen: string[] = [];
        let cursor: string | undefined;
        let left = [...arriving];
        do {
          const page = (
            await api.get(`${path}?${asQuery({ ...filter, cursor, limit, order: `created_${order}` })}`)
          ).read(logListResponse);
          expect(page.logs.length).toBeLessThanOrEqual(limit);
          seen.push(...page.logs.map(({ id }) => id));
          cursor = page.next_cursor ?? undefined;
          log.add(...left.slice(0, 1)).forEach((id) => known.set(id, left[0] ?? {}));
          left = left.slice(1);
        } while (cursor !== undefined);
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(expect.arrayContaining(before));
      },
    ),
    { numRuns: process.env["MODE"] === "long" ? 400 : 20 },
  );
});

function matching(
  known: ReadonlyMap<string, EntryLike>,
  filter: Readonly<Record<string, string | undefined>>,
): string[] {
  return [...known].filter(([, like]) => passes(like, filter, (a, b) => a === b)).map(([id]) => id);
}

test.each([
  ["FTS syntax", '"receipt" OR NEAR(a b) * ^ -x :y {z} AND'],
  ["SQL", "receipt'; DROP TABLE log_entries; --"],
  ["wildcards", "% _ ? * [a-z]"],
  ["NUL", "\0receipt\0"],
  ["an astral letter", "𐐨".repeat(40)],
  ["a long word", "a".repeat(12_000)],
  ["many words", Array.from({ length: 3_000 }, (_, n) => n.toString(36)).join(" ")],
  ["the same word many times", "receipt ".repeat(1_500)],
  ["regular expressions", "(a+)+$ [[:alpha:]] \\"],
])("%s in a query is plain text", async (_name, text) => {
  const { api, log } = await startWithLog();
  log.add({ subject: "Your receipt" });
  for (const name of ["query", "sender", "recipient"]) {
    const answer = await api.get(`${path}/search?${asQuery({ query: "receipt", [name]: text })}`);
    expect([200, 400]).toContain(answer.status);
  }
  expect((await search(api, { query: "receipt" })).total).toBe(1);
});

test("a query of 100,000 bytes is refused, and a lone surrogate matches nothing", async () => {
  const { api } = await startWithLog();
  expect((await api.get(`${path}/search?query=${"a".repeat(100_000)}`)).status).toBe(400);
  expect((await api.get(`${path}/search?query=%ED%A0%80`)).read(logSearchResponse).total).toBe(0);
  expect((await api.get(`${path}/search?query=%ff%00`)).read(logSearchResponse).total).toBe(0);
});
