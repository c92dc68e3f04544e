import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, Pool, type PoolClient } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { postgresStore } from "../../src/postgres/index.js";
import type { NewMessage, OutboxStore } from "../../src/send/store/outbox.js";
import type { MailStore } from "../../src/send/store/store.js";
import { createDatabase } from "./database.js";
import { PostgresServer } from "./server.js";

let url = "";
beforeAll(async () => {
  url = await createDatabase();
  await openOutbox().targets();
});
const stores: MailStore[] = [];
afterAll(() => Promise.all(stores.map((store) => store.close())));

type PostgresOutbox = Required<OutboxStore>;

/** A store with connections of its own, as another machine has. */
function openOutbox(connectionString = url): PostgresOutbox {
  const store = postgresStore({ connectionString });
  stores.push(store);
  const { outbox } = store;
  if (!isComplete(outbox)) throw new Error("The store's outbox lacks a method.");
  return outbox;
}

function isComplete(outbox: OutboxStore | undefined): outbox is PostgresOutbox {
  return outbox?.addWithin !== undefined && outbox.watch !== undefined;
}

/** A connection of the application. */
async function connect(settings = ""): Promise<Client> {
  const client = new Client({ connectionString: url, options: settings });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const aTarget = () => `https://api.example.com ${randomUUID()}.example.com`;

function message(target: string, differences: Partial<NewMessage> = {}): NewMessage {
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

const keyOf = (text: string) => ({ text, hash: `hash of ${text}`, contents: "contents" });
const leaseOf = (id: string = randomUUID(), forMs = 60_000) => ({ id, forMs });

test("each message is taken once by one of many machines", async () => {
  const target = aTarget();
  const machines = Array.from({ length: 4 }, () => openOutbox());
  const messages = machines.flatMap((outbox) => Array.from({ length: 50 }, () => ({ outbox, own: message(target) })));
  await Promise.all(messages.map(({ outbox, own }) => outbox.add(own)));
  const taken: string[] = [];
  const drain = async (outbox: OutboxStore) => {
    for (;;) {
      const lease = leaseOf();
      const next = await outbox.take({ target, priority: "normal", lease });
      if (next === undefined) return;
      taken.push(next.id);
      const isChanged = await outbox.change(
        next.id,
        { states: ["sending"], lease: lease.id },
        { state: "accepted", sent: { outcome: "accepted", id: `log ${next.id}`, messageId: `<${next.id}>` } },
      );
      expect(isChanged).toBe(true);
    }
  };
  await Promise.all(machines.flatMap((outbox) => [drain(outbox), drain(outbox), drain(outbox)]));
  expect(taken.toSorted()).toEqual(messages.map(({ own }) => own.id).toSorted());
});

test("one of many machines takes an abandoned message", async () => {
  const target = aTarget();
  const machines = Array.from({ length: 5 }, () => openOutbox());
  const { id } = (await machines[0]?.add(message(target, { lease: leaseOf("dead", -1) })))?.message ?? {};
  const taken = await Promise.all(machines.map((outbox) => outbox.takeAbandoned({ target, lease: leaseOf() })));
  expect(taken.filter(Boolean).map((each) => each?.id)).toEqual([id]);
});

test("a key belongs to one message over machines, whatever order they add keys in", async () => {
  const target = aTarget();
  const machines = Array.from({ length: 4 }, () => openOutbox());
  const keys = Array.from({ length: 50 }, (_, index) => `order ${index}`);
  const added = await Promise.all(
    machines.flatMap((outbox, index) =>
      (index % 2 === 0 ? keys : keys.toReversed()).map((key) => outbox.add(message(target, { key: keyOf(key) }))),
    ),
  );
  expect(added.filter((each) => each.added)).toHaveLength(50);
  expect(new Set(added.map((each) => each.message.id)).size).toBe(50);
  expect(added.every(({ sameContents }) => sameContents)).toBe(true);
});

test("the same id again is the same message: its answer was lost", async () => {
  const target = aTarget();
  const outbox = openOutbox();
  const first = message(target, { key: keyOf("k") });
  await outbox.add(first);
  const again = await outbox.add(first);
  expect([again.added, again.sameContents, again.message.id]).toEqual([true, true, first.id]);
  expect(await outbox.list(target, {})).toHaveLength(1);
});

test("while a transaction holds a key, other messages are added", async () => {
  const target = aTarget();
  const outbox = openOutbox();
  const client = await connect();
  await client.query("BEGIN");
  const held = await outbox.addWithin(client, message(target, { key: keyOf("held") }));
  const waiting = Array.from({ length: 3 }, () => outbox.add(message(target, { key: keyOf("held") })));
  const others = Array.from({ length: 20 }, () => outbox.add(message(target)));
  const stillWaiting = Symbol("still waiting");
  expect((await Promise.all(others)).every(({ added }) => added)).toBe(true);
  expect(await Promise.race([...waiting, sleep(50, stillWaiting)])).toBe(stillWaiting);
  await client.query("COMMIT");
  for (const { added, message: earlier } of await Promise.all(waiting))
    expect([added, earlier.id]).toEqual([false, held.message.id]);
});

test("a key is free again after a rollback", async () => {
  const target = aTarget();
  const outbox = openOutbox();
  const client = await connect();
  await client.query("BEGIN");
  await outbox.addWithin(client, message(target, { key: keyOf("k") }));
  const waiting = outbox.add(message(target, { key: keyOf("k") }));
  await sleep(100);
  await client.query("ROLLBACK");
  const { added, message: own } = await waiting;
  expect([added, own.state]).toEqual([true, "queued"]);
  expect((await outbox.list(target, {})).map(({ id }) => id)).toEqual([own.id]);
});

test("a lease counts from when the message was added, not from when that began to wait", async () => {
  const target = aTarget();
  const outbox = openOutbox();
  const client = await connect();
  await client.query("BEGIN");
  await outbox.addWithin(client, message(target, { key: keyOf("k") }));
  const waiting = outbox.add(message(target, { key: keyOf("k"), lease: leaseOf("call", 1_000) }));
  await sleep(1_500);
  await client.query("ROLLBACK");
  expect((await waiting).added).toBe(true);
  expect(await outbox.takeAbandoned({ target, lease: leaseOf() })).toBeUndefined();
});

test("a transaction that queues a direct message does not keep other leases from being extended", async () => {
  const target = aTarget();
  const outbox = openOutbox();
  const [call, other] = [randomUUID(), randomUUID()];
  await outbox.add(message(target, { key: keyOf("direct"), lease: leaseOf(call) }));
  await outbox.add(message(target, { lease: leaseOf(other, 500) }));
  const client = await connect();
  await client.query("BEGIN");
  const joined = await outbox.addWithin(client, message(target, { key: keyOf("direct") }));
  expect([joined.added, joined.sameContents, joined.message.direct]).toEqual([false, true, undefined]);
  expect((await outbox.keepAlive([call, other], 60_000)).toSorted()).toEqual([call, other].toSorted());
  await sleep(600);
  expect(await outbox.takeAbandoned({ target, lease: leaseOf() })).toBeUndefined();
  await client.query("COMMIT");
  expect((await outbox.byKey(target, "hash of direct"))?.direct).toBeUndefined();
});

test("a message that a call is about to remove is removed, or queued, but never lost", async () => {
  const target = aTarget();
  const [calls, queues] = [openOutbox(), openOutbox()];
  for (let round = 0; round < 100; round += 1) {
    const key = keyOf(`round ${round}`);
    const direct = message(target, { key, lease: leaseOf(`call ${round}`) });
    await calls.add(direct);
    const [, queued] = await Promise.all([
      calls.remove(direct.id, { states: ["sending"], lease: `call ${round}`, direct: true }),
      queues.add(message(target, { key })),
    ]);
    const stored = await queues.byKey(target, key.hash);
    expect([stored?.id, stored?.direct]).toEqual([queued.message.id, undefined]);
  }
});

test("a message that the database refuses does not keep others out", async () => {
  const target = aTarget();
  const outbox = openOutbox();
  const refused = message(target, { expires: { inMs: Number.MAX_VALUE } });
  const results = await Promise.allSettled([
    outbox.add(message(target)),
    outbox.add(refused),
    outbox.add(message(target)),
    outbox.add(message(target, { key: { ...keyOf("k"), text: "a\0b\uD800" } })),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
});

test("any text of an email and of a reason is stored", async () => {
  const target = aTarget();
  const outbox = openOutbox();
  const text = "\0 \uD800 \u2028 \\u0000 'quoted' \"twice\" \n\r\t 𝒜 $1 lettershop";
  const email = { from: "shop", to: "ada@example.com", subject: text, variables: { [text]: text } };
  const { message: added } = await outbox.add(message(target, { email }));
  expect((await outbox.get(target, added.id))?.email).toEqual(email);
  await outbox.change(added.id, { states: ["queued"] }, { state: "parked", reason: text });
  const { reason } = (await outbox.get(target, added.id)) ?? {};
  expect(reason).toBe(text.replace("\0", "\uFFFD").replace("\uD800", "\uFFFD"));
});

/** Hears what is queued for a target. */
async function listen(target: string): Promise<string[]> {
  const heard: string[] = [];
  onTestFinished(openOutbox().watch(target, (priority) => heard.push(priority)));
  // It may have missed some until it listens.
  await expect.poll(() => heard.length).toBe(2);
  heard.length = 0;
  return heard;
}

test("messages that are added together ring", async () => {
  const target = aTarget();
  const heard = await listen(target);
  const outbox = openOutbox();
  await Promise.all(Array.from({ length: 50 }, () => outbox.add(message(target))));
  await expect.poll(() => heard).toContain("normal");
});

test("a message rings when its transaction commits, even if all others were taken meanwhile", async () => {
  const target = aTarget();
  const heard = await listen(target);
  const outbox = openOutbox();
  const client = await connect();
  await outbox.add(message(target));
  await client.query("BEGIN");
  await outbox.addWithin(client, message(target));
  await outbox.addWithin(client, message(target));
  expect(await outbox.take({ target, priority: "normal", lease: leaseOf() })).toBeDefined();
  await expect.poll(() => heard).toContain("normal");
  heard.length = 0;
  await client.query("COMMIT");
  await expect.poll(() => heard).toContain("normal");
});

test.each(["read committed", "repeatable read", "serializable"])("a message rings if it is %s", async (level) => {
  const target = aTarget();
  const heard = await listen(target);
  const outbox = openOutbox();
  const client = await connect();
  await client.query(`BEGIN ISOLATION LEVEL ${level}; SAVEPOINT one`);
  await outbox.addWithin(client, message(target, { priority: "high" }));
  await client.query("RELEASE one; SAVEPOINT two");
  await outbox.addWithin(client, message(target, { priority: "high" }));
  await client.query("COMMIT");
  await expect.poll(() => heard).toContain("high");
});

test("only what is due rings, and only if nothing waits", async () => {
  const target = aTarget();
  const heard = await listen(target);
  const outbox = openOutbox();
  const client = await connect();
  await client.query("BEGIN");
  await outbox.addWithin(client, message(target));
  await client.query("ROLLBACK");
  await outbox.add(message(target, { sendAt: Date.now() + 3_600_000 }));
  await outbox.add(message(target, { lease: leaseOf() }));
  const { message: parked } = await outbox.add(message(target, { priority: "high" }));
  await outbox.add(message(target, { priority: "high" }));
  await outbox.change(parked.id, { states: ["queued"] }, { state: "parked" });
  await outbox.change(parked.id, { states: ["parked"] }, { state: "queued", dueInMs: 0 });
  await outbox.add(message(target));
  await expect.poll(() => heard).toContain("normal");
  expect(heard).toEqual(["high", "normal"]);
});

test("a message that returns to the queue rings", async () => {
  const target = aTarget();
  const outbox = openOutbox();
  const { message: added } = await outbox.add(message(target));
  await outbox.change(added.id, { states: ["queued"] }, { state: "parked" });
  const heard = await listen(target);
  await outbox.change(added.id, { states: ["parked"] }, { state: "queued" });
  await expect.poll(() => heard).toEqual(["normal"]);
});

test("serializable transactions that queue messages do not disturb each other", async () => {
  const target = aTarget();
  const outbox = openOutbox();
  const clients = await Promise.all(Array.from({ length: 6 }, () => connect()));
  await (await connect()).query("CREATE TABLE orders (number int PRIMARY KEY)");
  const failed = { alone: 0, withMessage: 0 };
  const order = async (client: Client, number: number, queue: boolean) => {
    await client.query("BEGIN ISOLATION LEVEL SERIALIZABLE");
    await client.query("INSERT INTO orders VALUES ($1)", [number]);
    if (queue) await outbox.addWithin(client, message(target, { key: keyOf(`order ${number}`) }));
    await client.query("COMMIT");
  };
  for (const queue of [false, true])
    await Promise.all(
      clients.map(async (client, each) => {
        for (let round = 0; round < 50; round += 1)
          await order(client, 1_000 * each + 2 * round + Number(queue), queue).catch(async () => {
            failed[queue ? "withMessage" : "alone"] += 1;
            await client.query("ROLLBACK");
          });
      }),
    );
  expect(failed).toEqual({ alone: 0, withMessage: 0 });
});

test("it works with serializable as the default, and with any settings of the application", async () => {
  const settings = [
    "default_transaction_isolation=serializable",
    "search_path=pg_temp",
    "DateStyle=German",
    "TimeZone=Asia/Kathmandu",
    "IntervalStyle=sql_standard",
    "extra_float_digits=-15",
    "standard_conforming_strings=off",
  ];
  const options = encodeURIComponent(settings.map((setting) => `-c ${setting}`).join(" "));
  const target = aTarget();
  const outbox = openOutbox(`${url}?options=${options}`);
  const sendAt = Math.round(Date.now()) - 60_000;
  const add = async (index: number) =>
    outbox.add(message(target, { key: keyOf(`${index % 20}`), expires: { at: sendAt + 3_600_000 } }));
  const added = await Promise.all(Array.from({ length: 40 }, (_, index) => add(index)));
  expect(added.filter((each) => each.added)).toHaveLength(20);
  expect(added[0]?.message.expiresAt).toBe(sendAt + 3_600_000);
  expect(Math.abs((added[0]?.message.queuedAt ?? 0) - Date.now())).toBeLessThan(60_000);
  const take = () => outbox.take({ target, priority: "normal", lease: leaseOf() });
  const taken = await Promise.all(Array.from({ length: 30 }, take));
  const ids = taken.flatMap((each) => each?.id ?? []);
  expect([ids.length, new Set(ids).size]).toEqual([20, 20]);
});

test("a pool of one connection is enough to queue in a transaction, from the first call", async () => {
  const target = aTarget();
  const pool = new Pool({ connectionString: url, max: 1 });
  onTestFinished(() => pool.end());
  const { outbox } = postgresStore({ pool });
  const client = await pool.connect();
  await client.query("BEGIN");
  const added = await outbox?.addWithin?.(client, message(target));
  await client.query("COMMIT");
  client.release();
  expect((await outbox?.get(target, added?.message.id ?? ""))?.state).toBe("queued");
});

test.each([
  ["finds", "lettershop"],
  ["creates", "created in a transaction"],
])("%s the tables although transactions that queue have all connections of the pool", async (_, schema) => {
  const target = aTarget();
  const pool = new Pool({ connectionString: url, max: 3 });
  onTestFinished(() => pool.end());
  // Some libraries' types name the class of connections, as Neon's do.
  const { outbox } = postgresStore({ pool: Object.assign(pool, { Client }), schema });
  const queueIn = async (client: PoolClient) => {
    try {
      await client.query("BEGIN");
      const added = await outbox?.addWithin?.(client, message(target));
      await client.query("COMMIT");
      return added?.message.id ?? "";
    } finally {
      client.release();
    }
  };
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
  // As a worker of the same process does: it waits for a connection, too.
  const due = outbox?.nextDue(target, "normal");
  for (const id of await Promise.all(clients.map(queueIn)))
    expect((await outbox?.get(target, id))?.state).toBe("queued");
  expect(await due).toBe(0);
});

test("a message of 13 MB next to small ones", async () => {
  const target = aTarget();
  const outbox = openOutbox();
  const content = Buffer.alloc(13_000_000, "lettershop").toString("base64");
  const attachments = [{ filename: "a.pdf", content }];
  const large = message(target, { email: { from: "shop", to: "ada@example.com", attachments } });
  await Promise.all([outbox.add(large), ...Array.from({ length: 20 }, () => outbox.add(message(target)))]);
  const { email } = (await outbox.get(target, large.id)) ?? {};
  expect(JSON.stringify(email?.attachments) === JSON.stringify(attachments)).toBe(true);
});

test("messages that are added while the database restarts are added once", async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const outbox = openOutbox(server.url());
  const target = aTarget();
  const ids: string[] = [];
  const failed: unknown[] = [];
  const over = new AbortController();
  const keepAdding = async (adder: number) => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      const { added, message: stored } = await outbox.add(message(target, { key: keyOf(`${adder} ${number}`) }));
      if (added) ids.push(stored.id);
      else failed.push(stored);
    }
  };
  const adders = Array.from({ length: 20 }, (_, index) => keepAdding(index).catch((error) => failed.push(error)));
  for (const signal of ["SIGINT", "SIGQUIT", "SIGINT", "SIGQUIT"] as const) {
    await sleep(200);
    await server.end(signal);
    await server.resume();
  }
  await sleep(200);
  over.abort();
  await Promise.all(adders);
  expect(failed).toEqual([]);
  const stored = await outbox.list(target, { limit: 1_000_000 });
  expect(stored.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

test("while the database is away, adding fails within seconds, however much waits", async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const outbox = openOutbox(server.url());
  const target = aTarget();
  await outbox.add(message(target));
  await server.end();
  const start = performance.now();
  const results = await Promise.allSettled(Array.from({ length: 2_000 }, () => outbox.add(message(target))));
  expect(performance.now() - start).toBeLessThan(30_000);
  expect(results.every(({ status }) => status === "rejected")).toBe(true);
  await server.resume();
  expect((await outbox.add(message(target))).added).toBe(true);
});
