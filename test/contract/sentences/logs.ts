import { expect } from "vitest";
import type { Json } from "../api.js";
import { eventually } from "../eventually.js";
import { sentence } from "../sentence.js";
import type { World } from "../world.js";

const list = "GET /domains/:domain/logs";
const count = "GET /domains/:domain/logs/count";
const search = "GET /domains/:domain/logs/search";
const one = "GET /domains/:domain/logs/:id";

/** Sends an email to each recipient, one after the other, and waits for their entries. Oldest first. */
async function sendSome(world: World, ...tags: readonly string[]): Promise<Json[]> {
  const entries = [];
  for (const tag of tags) {
    const body = { from: "hello", to: world.recipient(tag), subject: `Invoice for ${tag}`, text: "Hello" };
    const { id } = await world.v4("POST /domains/:domain/emails/outbound", { body });
    entries.push(await eventually(() => world.v4(one, { id })));
    await world.wait(1.1);
  }
  return entries;
}

const ids = (entries: { id: string }[]) => entries.map(({ id }) => id);
const seconds = (entry: Json) => Date.parse(entry.created_at) / 1_000;

const exact = "sender,recipient,forward";

sentence(
  'v4 part 4, Email logs: "sender, recipient, forward | list, count | exact match, case-insensitive"',
  [
    "v4 logs.list {path *,200}",
    `v4 logs.list query {${exact}}`,
    `{v3,v4} logs.count query {${exact}}`,
    "{v3,v4} logs.count {path *,answer *,200}",
  ],
  async (world) => {
    const [ada] = await sendSome(world, "ada", "bob");
    const recipient = ada.recipient.email.toUpperCase();
    const after = new Date((seconds(ada) - 1) * 1_000).toISOString();
    expect(ids((await world.v4(list, { query: { recipient, after } })).logs)).toEqual([ada.id]);
    expect((await world.v4(list, { query: { recipient: recipient.slice(1) } })).logs).toEqual([]);
    expect((await world.v4(list, { query: { sender: ada.sender.email, after } })).logs).toHaveLength(2);
    expect((await world.v4(list, { query: { forward: "nobody@example.com" } })).logs).toEqual([]);
    for (const api of world.both) {
      const total = async (query: Record<string, string>) => (await api(count, { query: { after, ...query } })).total;
      expect(await total({})).toBe(2);
      expect(await total({ recipient })).toBe(1);
      expect(await total({ sender: ada.sender.email })).toBe(2);
      expect(await total({ forward: "nobody@example.com" })).toBe(0);
    }
  },
);

sentence(
  'v4 part 4, Email logs: "sender, recipient, forward | search | case-insensitive substring"',
  [`v4 logs.search query {${exact},query}`, "v4 logs.search {path *,200}"],
  async (world) => {
    const [ada] = await sendSome(world, "ada", "bob");
    const found = async (query: Record<string, string>) => {
      const { logs } = await world.v4(search, { query: { query: "invoice", ...query } });
      return ids(logs).filter((id) => id >= ada.id);
    };
    expect(await found({ recipient: ada.recipient.email.slice(0, -2).toUpperCase() })).toEqual([ada.id]);
    expect(await found({ sender: "ELLO@" })).toHaveLength(2);
    expect(await found({ forward: "nobody" })).toEqual([]);
  },
);

sentence(
  'v4 part 4, Email logs: "logs containing an event with this status; comma-separated list", "`mx`, `smtp` or `api`"',
  ["v4 logs.{list,count,search} query {status,transport*}", "v3 logs.count query {status,transport*}"],
  async (world) => {
    const [ada] = await sendSome(world, "ada");
    const after = new Date((seconds(ada) - 1) * 1_000).toISOString();
    const totals = async (filter: Record<string, string>) => {
      const query = { after, ...filter };
      return [
        (await world.v4(list, { query })).logs.length,
        (await world.v4(count, { query })).total,
        (await world.v3(count, { query })).total,
        (await world.v4(search, { query: { query: "invoice", ...query } })).total,
      ];
    };
    expect(await totals({ status: "QUEUED" })).toEqual([1, 1, 1, 1]);
    expect(await totals({ status: "REFUSED,QUEUED" })).toEqual([1, 1, 1, 1]);
    expect(await totals({ status: "REFUSED,SOFT-BOUNCE,HARD-BOUNCE,BOUNCED" })).toEqual([0, 0, 0, 0]);
    expect(await totals({ transport: "api" })).toEqual([1, 1, 1, 1]);
    expect(await totals({ transport: "mx" })).toEqual([0, 0, 0, 0]);
    expect(await totals({ transport: "smtp" })).toEqual([0, 0, 0, 0]);
    // "combined with AND"
    expect(await totals({ status: "QUEUED", transport: "mx" })).toEqual([0, 0, 0, 0]);
  },
);

sentence(
  'v4 part 4, Email logs: "ISO 8601 timestamps; entries received after / before that time"',
  ["v4 logs.{list,count,search} query {after,before}", "v3 logs.count query {after,before}"],
  async (world) => {
    const [, bob, eve] = await sendSome(world, "ada", "bob", "eve");
    const between = { after: new Date((seconds(bob) - 1) * 1_000).toISOString(), before: eve.created_at };
    expect(ids((await world.v4(list, { query: between })).logs)).toEqual([bob.id]);
    for (const api of world.both) expect((await api(count, { query: between })).total).toBe(1);
    const found = await world.v4(search, { query: { query: "invoice", ...between } });
    expect(ids(found.logs)).toEqual([bob.id]);
  },
);

sentence(
  'v4 part 4, Email logs: "`order` (`created_desc` default, `created_asc`)", "next_cursor is null when no more results; pass it back as `cursor`"',
  ["v4 logs.list query {order*,cursor,limit}", "v4 logs.list answer {limit,cursor,next_cursor}"],
  async (world) => {
    const sent = ids(await sendSome(world, "a", "b", "c", "d", "e"));
    const pages = async (query: Record<string, string>) => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Json = await world.v4(list, { query: { limit: 2, ...query, ...(cursor !== null && { cursor }) } });
        seen.push(...ids(page.logs));
        expect(page.limit).toBe(2);
        cursor = page.next_cursor;
      } while (cursor !== null);
      return seen.filter((id) => sent.includes(id));
    };
    expect(await pages({})).toEqual(sent.toReversed());
    expect(await pages({ order: "created_desc" })).toEqual(sent.toReversed());
    expect(await pages({ order: "created_asc" })).toEqual(sent);
  },
);

sentence(
  'v4 part 8: "logs default 100, max 200"',
  ["v4 logs.list query limit*", "{v3,v4} logs.{list,count,search} 400 parameter", "v3 logs.ofAlias 400 parameter"],
  async ({ both: [v3, v4] }) => {
    expect((await v4(list)).limit).toBe(100);
    expect((await v4(list, { query: { limit: 200 } })).limit).toBe(200);
    for (const query of [
      { limit: 201 },
      { order: "newest" },
      { cursor: "1.ffffffffffffffff.0" },
      { after: "yesterday" },
    ]) {
      await v4.refused(400, list, { query });
    }
    await v4.refused(400, count, { query: { status: "LOST" } });
    await v4.refused(400, search);
    await v3.refused(400, count, { query: { transport: "pigeon" } });
    await v3.refused(400, list, { query: { next_cursor: "no id" } });
    await v3.refused(400, "GET /domains/:domain/logs/:alias", { alias: "ada", query: { next_cursor: "no id" } });
    await v3.refused(400, search, { query: { before: 1 } });
    await v3.refused(400, search, { query: { after: 1 } });
  },
);

sentence(
  'v4 part 4, Email logs: "the log entry itself (unwrapped) with full events; 404 when no log with that id exists for the domain"',
  [
    "{v3,v4} logs.get {path *,answer *,200,404 log}",
    "v4 logs.{list,search} answer logs*",
    "v3 logs.{list,search} answer logs*",
  ],
  async ({ v3, v4, local }) => {
    const log = await local.openLog();
    const [id] = log.add({
      subject: "Forwarded",
      forward: "ada@example.com",
      transport: "mx",
      statuses: ["QUEUED", "DELIVERED"],
    });
    const newer = await v4(one, { id });
    expect(newer).toMatchObject({ id, forward: { email: "ada@example.com", name: null }, transport: "mx" });
    expect(newer.events.map(({ status }: { status: string }) => status)).toEqual(["QUEUED", "DELIVERED"]);
    const older = await v3(one, { id });
    expect(older).toMatchObject({ id, messageId: newer.message_id, forward: newer.forward, sender: newer.sender });
    expect(older.created_raw).toBe(older.created);
    expect(Math.floor(older.created / 1_000) * 1_000).toBe(Date.parse(newer.created_at));
    expect((await v4(list)).logs).toEqual([newer]);
    expect((await v4(search, { query: { query: "forwarded" } })).logs).toEqual([newer]);
    expect((await v3(list)).logs).toMatchObject([{ id }]);
    expect((await v3(search, { query: { after: 0, before: 9_999_999_999 } })).logs).toMatchObject([{ id }]);
    for (const api of [v3, v4]) await api.refused(404, one, { id: "1700000000000.abcdef" });
  },
  { writesLog: true },
);

sentence(
  'v4 part 4, Email logs: "`query` (required, typo-tolerant across subject, sender, recipient, forward)"',
  ["v4 logs.search query {query,order*,limit,offset*}", "v4 logs.search answer {limit,offset,total,next_offset}"],
  async (world) => {
    const sent = ids(await sendSome(world, "lovelace", "babbage", "hopper"));
    const found = async (query: Record<string, string | number>) => {
      const answer = await world.v4(search, { query: { limit: 200, ...query } });
      return ids(answer.logs).filter((id) => sent.includes(id));
    };
    for (const typo of ["lovelace", "lovelaxe", "lovelae", "lovelaace", "lovelcae"]) {
      expect(await found({ query: typo })).toEqual([sent[0]]);
    }
    expect(await found({ query: "invoice", order: "created_asc" })).toEqual(sent);
    expect(await found({ query: "invoice", order: "created_desc" })).toEqual(sent.toReversed());
    expect((await found({ query: "invoice hopper", order: "relevance" }))[0]).toBe(sent[2]);
    const { total } = await world.v4(search, { query: { query: "invoice" } });
    // "next_offset is null when no more results"
    const page = await world.v4(search, { query: { query: "invoice", limit: 2, offset: total - 3 } });
    expect(page).toMatchObject({ limit: 2, offset: total - 3, total, next_offset: total - 1 });
    const last = await world.v4(search, { query: { query: "invoice", limit: 2, offset: total - 1 } });
    expect(last.logs).toHaveLength(1);
    expect(last.next_offset).toBeNull();
  },
);

sentence('v4 part 8: "search); logs default 100"', ["v4 logs.search query limit*"], async ({ v4 }) => {
  expect((await v4(search, { query: { query: "invoice" } })).limit).toBe(20);
  expect((await v4(search, { query: { query: "invoice", limit: 200 } })).limit).toBe(200);
  await v4.refused(400, search, { query: { query: "invoice", limit: 201 } });
});

sentence(
  'v3 part 4, Logs: "load logs after this log id; pass the previous response value to paginate"',
  ["v3 logs.list {path *,query *,answer *,200}", "v3 logs.ofAlias {path *,query *,answer *,200}"],
  async ({ v3, domain, local }) => {
    const log = await local.openLog();
    const entries = Array.from({ length: 150 }, (_, number) => ({
      recipient: `ada@${domain}`,
      forward: "ada@example.com",
      transport: "mx" as const,
      createdAt: local.clock.now() - number * 1_000,
    }));
    const newestFirst = log.add(...entries);
    for (const [line, options] of [
      [list, {}],
      ["GET /domains/:domain/logs/:alias", { alias: "ada" }],
    ] as const) {
      const first = await v3(line, options);
      const second = await v3(line, { ...options, query: { next_cursor: first.next_cursor } });
      expect(ids([...first.logs, ...second.logs])).toEqual(newestFirst);
      expect((await v3(line, { ...options, query: { next_cursor: newestFirst.at(-2) ?? "" } })).logs).toHaveLength(1);
    }
    expect((await v3("GET /domains/:domain/logs/:alias", { alias: "bob" })).logs).toEqual([]);
    // "a regex alias must be URL-encoded in the path"
    await v3("POST /domains/:domain/aliases", { body: { alias: "/^a.a$/", forward: "ada@example.com" } });
    expect((await v3("GET /domains/:domain/logs/:alias", { alias: "/^a.a$/" })).logs).toHaveLength(100);
  },
  { writesLog: true },
);

sentence(
  'v3 part 4, Logs: "`text` (case-insensitive match on subject, sender, recipient, destination), `order` (`desc` default newest first, `asc`)"',
  [
    "v3 logs.search {path *,query text,query order*,200}",
    "v3 logs.search query {after,before}",
    "v3 logs.search answer success",
  ],
  async (world) => {
    const sent = await sendSome(world, "ada", "bob");
    const [ada, bob] = sent;
    const time = { after: seconds(ada), before: seconds(bob) };
    const found = async (query: Record<string, string | number>) =>
      ids((await world.v3(search, { query: { ...time, ...query } })).logs);
    expect(await found({ text: "INVOICE" })).toEqual([bob.id, ada.id]);
    expect(await found({ text: "invoice", order: "desc" })).toEqual([bob.id, ada.id]);
    expect(await found({ text: "invoice", order: "asc" })).toEqual([ada.id, bob.id]);
    expect(await found({ text: "for ada" })).toEqual([ada.id]);
    // "entries with received_at >= after", "received_at <= before"
    expect(await found({ text: "invoice", before: time.after })).toEqual([ada.id]);
    expect(await found({ text: "invoice", after: time.before })).toEqual([bob.id]);
  },
);

sentence(
  'v3 part 4, Logs: "`filter` (`all` default, `failure` for bounces only)"',
  ["v3 logs.search query filter*"],
  async ({ v3, local }) => {
    const log = await local.openLog();
    const bounced = log.add(
      { statuses: ["QUEUED", "SOFT-BOUNCE"] },
      { statuses: ["QUEUED", "HARD-BOUNCE"] },
      { statuses: ["QUEUED", "BOUNCED"] },
    );
    log.add({ statuses: ["QUEUED", "DELIVERED"] }, { statuses: ["QUEUED"] });
    const found = async (query: Record<string, string>) =>
      ids((await v3(search, { query: { after: 0, before: 9_999_999_999, ...query } })).logs);
    expect(await found({})).toHaveLength(5);
    expect(await found({ filter: "all" })).toHaveLength(5);
    expect((await found({ filter: "failure" })).toSorted()).toEqual(bounced.toSorted());
  },
  { writesLog: true },
);
