import { randomUUID } from "node:crypto";
import { Client, Pool, type PoolClient } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresStore } from "../../src/postgres/index.js";
import type { NewMessage, OutboxStore } from "../../src/send/store/outbox.js";
import { createDatabase } from "./database.js";

const finished = process.env["MODE"] === "long" ? 1_000_000 : 100_000;
const target = "https://api.example.com example.com";
const elsewhere = "https://api.example.com other.example.com";

interface Recorded {
  readonly text: string;
  readonly values: unknown[];
}

let client: Client;
let pool: Pool;
let outbox: OutboxStore;
let recorded: Recorded[] = [];

beforeAll(async () => {
  const connectionString = await createDatabase();
  client = new Client({ connectionString });
  await client.connect();
  pool = new Pool({ connectionString, max: 4 });
  pool.on("connect", record);
  const store = postgresStore({ pool });
  if (store.outbox === undefined) throw new Error("The store has no outbox.");
  outbox = store.outbox;
  await outbox.targets();
  await fill();
});
afterAll(async () => {
  await pool.end();
  await client.end();
});

function record(connection: PoolClient): void {
  const query = connection.query.bind(connection);
  const recording = (statement: string | Recorded, ...rest: unknown[]): unknown => {
    if (typeof statement === "object" && statement.text.includes("lettershop.messages")) recorded.push(statement);
    return Reflect.apply(query, undefined, [statement, ...rest]);
  };
  Object.assign(connection, { query: recording });
}

/** Nearly all messages of a month are finished; a few wait, and a few are decided by nobody. */
async function fill(): Promise<void> {
  await client.query(
    `INSERT INTO lettershop.messages (id, target, state, key_hash, key_contents, template, priority, on_unknown,
        queued_at, send_at, expires_at, attempts, changed_at, lease, alive_until, sent_id, sent_message_id, reason,
        has_contents, direct)
      SELECT 'id-' || i, CASE WHEN i % 10 = 0 THEN $2 ELSE $1 END, state, 'key-' || i, 'contents', 'receipt',
        CASE WHEN i % 5 = 0 THEN 'high' ELSE 'normal' END, 'park', at, at, at + interval '1 day', 1, at,
        CASE WHEN state = 'sending' THEN 'lease-' || i END, CASE WHEN state = 'sending' THEN at END,
        'log-' || i, '<' || i || '@example.com>', CASE WHEN state = 'parked' THEN 'no answer' END, state <> 'accepted', false
      FROM (
        SELECT i, clock_timestamp() - (${finished} - i) * interval '2 s' AS at,
          CASE i % 10007 WHEN 1 THEN 'queued' WHEN 2 THEN 'sending' WHEN 3 THEN 'parked' ELSE 'accepted' END AS state
        FROM generate_series(1, ${finished}) AS i
      ) AS messages`,
    [target, elsewhere],
  );
  await client.query(
    `INSERT INTO lettershop.contents SELECT number, ARRAY['user-' || number || '@example.com'], '{}'
      FROM lettershop.messages WHERE has_contents OR number % 20 = 0`,
  );
  await client.query("VACUUM ANALYZE lettershop.messages, lettershop.contents");
}

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly Plan[];
}

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Runs the statements of a call again, and rolls them back. Returns how they read tables, and how many pages. */
async function plansOf(
  call: () => Promise<unknown>,
): Promise<{ readonly scanned: readonly Plan[]; readonly pages: number }> {
  await client.query("BEGIN");
  // What the call changes is not there any more when its statements are explained.
  recorded = [];
  await call();
  const plans: Plan[] = [];
  for (const { text, values } of recorded) {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    plans.push(rows[0]["QUERY PLAN"][0].Plan);
  }
  await client.query("ROLLBACK");
  expect(plans.length).toBeGreaterThan(0);
  const nodes = plans.flatMap(nodesOf);
  return {
    scanned: nodes.filter(
      ({ "Node Type": type, "Relation Name": table }) => type === "Seq Scan" && table === "messages",
    ),
    pages: plans.reduce((sum, plan) => sum + plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], 0),
  };
}

const lease = () => ({ id: randomUUID(), forMs: 60_000 });

function message(differences: Partial<NewMessage> = {}): NewMessage {
  return {
    id: randomUUID(),
    target,
    priority: "normal",
    onUnknown: "park",
    recipients: ["ada@example.com"],
    email: { from: "shop", to: "ada@example.com", subject: "Hi", text: "Hi" },
    ...differences,
  };
}

const key = (number: number) => ({ text: "k", hash: `key-${number}`, contents: "contents" });

const steps: Readonly<Record<string, () => Promise<unknown>>> = {
  add: () => outbox.add(message({ key: key(-1) })),
  "add with a used key": () => outbox.add(message({ key: key(7) })),
  "add many": () =>
    Promise.all(Array.from({ length: 50 }, (_, index) => outbox.add(message({ key: key(-2 - index) })))),
  take: () => outbox.take({ target, priority: "normal", lease: lease() }),
  "take none": () => outbox.take({ target: "none", priority: "normal", lease: lease() }),
  takeAbandoned: () => outbox.takeAbandoned({ target, lease: lease() }),
  takeOver: () => outbox.takeOver("id-3", { target, lease: lease(), states: ["parked"] }),
  keepAlive: () => outbox.keepAlive(["lease-2", "lease-10009"], 60_000),
  change: () => outbox.change("id-3", { states: ["parked"] }, { state: "queued", dueInMs: 0 }),
  "change and drop": () => outbox.change("id-4", { states: ["accepted"] }, { state: "accepted", dropContents: true }),
  remove: () => outbox.remove("id-5", { states: ["queued", "sending"], lease: "none", direct: true }),
  expire: () => outbox.expire(target),
  get: () => outbox.get(target, "id-6"),
  byKey: () => outbox.byKey(target, "key-6"),
  nextDue: () => outbox.nextDue(target, "normal"),
  targets: () => outbox.targets(),
  list: () => outbox.list(target, {}),
  "list parked": () => outbox.list(target, { state: "parked" }),
  "list queued and parked": () => outbox.list(target, { state: ["queued", "parked"] }),
  "list rejected, of which there are none": () => outbox.list(target, { state: "rejected" }),
  "list accepted": () => outbox.list(target, { state: "accepted", limit: 500, after: `id-${finished / 2}` }),
  "list of a recipient": () => outbox.list(target, { recipient: "user-20@example.com" }),
  "list of an id": () => outbox.list(target, { sentId: "log-8" }),
};

test.each(Object.entries(steps))("%s reads few pages of many messages", async (_, step) => {
  const { scanned, pages } = await plansOf(step);
  expect(scanned).toEqual([]);
  expect(pages).toBeLessThan(finished / 50);
});

test("cleaning reads only what is old", async () => {
  const year = 365 * 86_400_000;
  const none = { target, contentsMs: year, undecidedMs: year, messagesMs: year };
  const { scanned, pages } = await plansOf(() => outbox.clean(none));
  expect(scanned).toEqual([]);
  expect(pages).toBeLessThan(finished / 50);
});

test("counting reads all messages at most once", async () => {
  const { scanned } = await plansOf(() => outbox.counts(target));
  expect(scanned.length).toBeLessThanOrEqual(1);
});

test("a burst of messages is taken with few pages, before the database knows of them", async () => {
  for (let hundred = 0; hundred < 50; hundred += 1)
    await Promise.all(Array.from({ length: 100 }, () => outbox.add(message({ target: "burst" }))));
  const options = { target: "burst", priority: "normal" } as const;
  for (const step of [
    () => outbox.add(message({ target: "burst" })),
    () => outbox.take({ ...options, lease: lease() }),
    () => outbox.nextDue("burst", "normal"),
    () => outbox.expire("burst"),
    () => outbox.takeAbandoned({ ...options, lease: lease() }),
  ]) {
    const { scanned, pages } = await plansOf(step);
    expect(scanned).toEqual([]);
    expect(pages).toBeLessThan(100);
  }
});

test("old messages are deleted in batches, with their contents", async () => {
  const before = await outbox.counts(target);
  // Of `changed_at`: the oldest 1,500 messages.
  const messagesMs = (finished - 1_500) * 2_000;
  await outbox.clean({ target, contentsMs: messagesMs, undecidedMs: messagesMs, messagesMs });
  const after = await outbox.counts(target);
  const deleted = before.states.accepted - after.states.accepted;
  expect(deleted).toBeGreaterThan(1_200);
  expect(deleted).toBeLessThan(1_400);
  const { rows } = await client.query(
    "SELECT FROM lettershop.contents WHERE NOT EXISTS (SELECT FROM lettershop.messages WHERE number = message)",
  );
  expect(rows).toEqual([]);
});
