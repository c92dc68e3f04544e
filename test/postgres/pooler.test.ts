import { Client, Pool } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { PostgresStoreOptions } from "../../src/postgres/index.js";
import { openPostgres } from "../../src/postgres/store.js";
import { createMailer } from "../../src/send/index.js";
import { type RunningService, startService } from "../../src/service/start.js";
import { testMailStore } from "../../src/testing/index.js";
import { sentBySubject } from "../send/outbox/route.js";
import { createDatabase } from "./database.js";
import { PostgresPooler } from "./pooler.js";

const CONNECTIONS = 3;

async function startPooler(): Promise<PostgresPooler> {
  return PostgresPooler.start(await createDatabase(), CONNECTIONS);
}

/** Something that one client leaves in a session, where other clients find it. */
const LEFT = `
  SELECT 'listens to ' || pg_listening_channels() AS left
  UNION ALL SELECT 'prepared ' || name FROM pg_prepared_statements
  UNION ALL SELECT 'locked ' || objid FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
  UNION ALL SELECT 'set ' || name FROM pg_settings WHERE source = 'session' AND name NOT LIKE 'transaction_%'`;

/** Looks into all sessions of a pooler at once. */
async function leftInSessions({ url }: PostgresPooler): Promise<readonly string[]> {
  const clients = Array.from({ length: CONNECTIONS }, () => new Client({ connectionString: url }));
  for (const client of clients) {
    await client.connect();
    await client.query("BEGIN");
  }
  const left: string[] = [];
  for (const client of clients) {
    const { rows } = await client.query<{ left: string }>(LEFT);
    left.push(...rows.map((row) => row.left));
    await client.end();
  }
  return left;
}

test("the pooler of these tests has no sessions of clients", async () => {
  const pooler = await startPooler();
  onTestFinished(() => pooler.close());
  const client = new Client({ connectionString: pooler.url });
  await client.connect();
  const used = new Set<string>();
  for (let times = 0; times < CONNECTIONS; times += 1) {
    const { rows } = await client.query<{ pid: string }>("SELECT pg_backend_pid()::text AS pid");
    used.add(rows[0]?.pid ?? "");
  }
  expect(used.size).toBe(CONNECTIONS);
  for (const sql of ["LISTEN news", "PREPARE named AS SELECT 1", "SET work_mem = '5MB'", "SELECT pg_advisory_lock(7)"])
    await client.query(sql);
  await client.end();
  const left = await leftInSessions(pooler);
  expect(left.toSorted()).toEqual(["listens to news", "locked 7", "prepared named", "set work_mem"]);
  const refused = new Client({ connectionString: pooler.url, options: "-c work_mem=5MB" });
  await expect(refused.connect()).rejects.toMatchObject({ code: "08P01" });
});

describe("through a pooler in transaction mode", () => {
  let pooler: PostgresPooler;
  let service: RunningService;
  beforeAll(async () => {
    pooler = await startPooler();
    service = await startService({ data: ":memory:", port: 0, limits: false });
    process.env["LETTERSHOP_TEST_STORES"] = pooler.url;
  });
  afterAll(async () => {
    delete process.env["LETTERSHOP_TEST_STORES"];
    await service.close();
    pooler.close();
  });

  function openStore(options: PostgresStoreOptions = { connectionString: pooler.url }) {
    const store = openPostgres(options);
    onTestFinished(() => store.close());
    return store;
  }

  function openMailer(options?: PostgresStoreOptions) {
    const { url, apiKey, domain } = service;
    const store = openStore(options);
    const mailer = createMailer({ url, apiKey, domain, from: "shop", sendsPerMinute: 10_000, store });
    onTestFinished(() => mailer.close());
    return mailer;
  }

  test("servers that start at once create the tables", async () => {
    const stores = Array.from({ length: 3 * CONNECTIONS }, () => openStore());
    for (const { to } of await Promise.all(stores.map((store) => store.ready()))) expect(to).toBeGreaterThan(0);
  });

  // Processes take seconds to start, and use the store as handles do.
  const isLong = process.env["MODE"] === "long";
  const open = async (name: string) =>
    openPostgres({ connectionString: process.env["LETTERSHOP_TEST_STORES"], schema: name });
  const module = new URL("open-store.mjs", import.meta.url);
  for (const { name, run } of testMailStore(isLong ? { open, module } : { open })) test(name, run);

  test("messages of committed transactions are sent once, soon after", async () => {
    const pool = new Pool({ connectionString: pooler.url });
    onTestFinished(() => pool.end());
    const queueing = openMailer({ pool });
    const workers = [openMailer(), openMailer()].map((mailer) => mailer.work());
    await Promise.all(workers.map((worker) => worker.idle()));

    const queueWithin = async (key: string, end: "COMMIT" | "ROLLBACK") => {
      const transaction = await pool.connect();
      try {
        await transaction.query("BEGIN");
        await queueing.queueMessage({ to: "ada@example.com", subject: key, text: "Hi", key, transaction });
        await transaction.query(end);
      } finally {
        transaction.release();
      }
    };
    const keys = Array.from({ length: 10 }, (_, number) => `order ${number}`);
    await Promise.all([
      ...keys.map((key) => queueWithin(key, "COMMIT")),
      ...keys.map((key) => queueWithin(key, "COMMIT")),
      ...keys.map((key) => queueWithin(`undone ${key}`, "ROLLBACK")),
    ]);
    const committedAt = performance.now();
    await expect.poll(() => sentBySubject(service).size, { interval: 20 }).toBe(keys.length);
    // Workers look once a second, since they hear nothing. The machine may be busy.
    expect(performance.now() - committedAt).toBeLessThan(5_000);
    await Promise.all(workers.map((worker) => worker.idle()));
    expect(sentBySubject(service)).toEqual(new Map(keys.map((key) => [key, 1])));
  });

  test("nothing is left in the sessions that clients share", async () => {
    expect(await leftInSessions(pooler)).toEqual([]);
  });
});
