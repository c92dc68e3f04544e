import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { drizzle } from "drizzle-orm/node-postgres";
import { pgTable, text } from "drizzle-orm/pg-core";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { postgresStore } from "../../../src/postgres/index.js";
import { createMailer, type Mailer, onSendEvent, type QueuedMessageOptions } from "../../../src/send/index.js";
import { type RunningService, startService } from "../../../src/service/start.js";
import { createTestMailer } from "../../../src/testing/index.js";
import { createDatabase } from "../database.js";
import { libraries } from "./libraries.js";
import { PrismaClient } from "./prisma/generated/client.js";

const ORDERS = "CREATE TABLE orders (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, number text NOT NULL)";

let url: string;
let service: RunningService;
let mailer: Mailer<object>;
let closeStore: () => Promise<void>;

beforeAll(async () => {
  url = await createDatabase();
  await execute(ORDERS);
  service = await startService({ data: ":memory:", port: 0, limits: false });
  const store = postgresStore({ connectionString: url });
  closeStore = () => store.close();
  mailer = createMailer({ ...account(), store });
});

afterAll(async () => {
  await mailer.close();
  await closeStore();
  await service.close();
});

function account() {
  const { apiKey, domain } = service;
  return { url: service.url, apiKey, domain, from: "shop", sendsPerMinute: 10_000 };
}

async function execute(sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const about = (subject: string, options: Partial<QueuedMessageOptions> = {}) => ({
  to: "ada@example.com",
  subject,
  text: "Hi",
  ...options,
});

describe.each(Object.entries(libraries))("with %s", (name, connect) => {
  test("queues a message if the transaction is committed", async () => {
    const library = connect(url);
    onTestFinished(() => void library.close());
    const [kept, dropped] = [`kept ${name}`, `dropped ${name}`];
    const rolledBack = library.transaction(async ({ handle: transaction }) => {
      expect(await mailer.queueMessage(about(dropped, { key: dropped, transaction }))).toMatchObject({
        state: "queued",
        duplicate: false,
      });
      throw new Error("The application fails here.");
    });
    await expect(rolledBack).rejects.toThrow("The application fails here.");
    expect(await mailer.outbox.byKey(dropped)).toBeUndefined();

    await library.transaction(async (open) => {
      const { handle: transaction } = open;
      await open.insertOrder(name);
      const first = await mailer.queueMessage(about(kept, { key: kept, transaction }));
      const second = await mailer.queueMessage(about(kept, { key: kept, transaction }));
      expect(second).toEqual({ ...first, duplicate: true });
      // A message that is refused leaves the transaction usable.
      await expect(mailer.queueMessage(about("different", { key: kept, transaction }))).rejects.toMatchObject({
        code: "invalid_message",
      });
      expect(await mailer.outbox.byKey(kept)).toBeUndefined();
    });
    expect(await mailer.outbox.byKey(kept)).toMatchObject({
      state: "queued",
      attempts: 0,
      email: { subject: kept, to: ["ada@example.com"] },
    });
  });
});

test("sends what a process committed although it was killed at once", async () => {
  const script = fileURLToPath(new URL("queue-and-die.mjs", import.meta.url));
  const options = JSON.stringify({ ...account(), connectionString: url });
  const child = spawn(process.execPath, [script, options], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (printed: string) => (errors += printed));
  const [, signal] = await once(child, "exit");
  expect(errors).toBe("");
  expect(signal).toBe("SIGKILL");
  const worker = mailer.work();
  onTestFinished(() => worker.stop());
  await expect.poll(() => service.mail.list().map(({ subject }) => subject)).toContain("Committed");
});

test("the guide's examples queue messages", async () => {
  const guide = readFileSync(new URL("../../../docs/guides/postgres.md", import.meta.url), "utf8");
  const [, section = ""] = guide.split("## Queue inside your transaction\n");
  const [, code = ""] = /^```ts\n([^]*?)^```$/m.exec(section) ?? [];
  const examples = code.split(/^(?=\/\/ \w+$)/m).filter((example) => example !== "");
  expect(examples).toHaveLength(2);

  const pool = new Pool({ connectionString: url });
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  onTestFinished(async () => {
    await pool.end();
    await prisma.$disconnect();
  });
  const application = {
    db: drizzle(pool),
    prisma,
    orders: pgTable("orders", { number: text().notNull() }),
    to: "ada@example.com",
    mailer: {
      queue: (template: string, _: object, options: QueuedMessageOptions) =>
        mailer.queueMessage({ ...options, ...about(template) }),
    },
  };
  for (const [at, example] of examples.entries()) {
    const order = { number: `guide-${at}` };
    const names = [...Object.keys(application), "order"];
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
    const run = new Function(...names, `return (async () => { ${example}\n })();`);
    await run(...Object.values(application), order);
    expect(await mailer.outbox.byKey(`receipt-guide-${at}`)).toMatchObject({ email: { subject: "receipt" } });
  }
});

test("wakes a worker with the commit, and publishes `queued` before it", async () => {
  const events: string[] = [];
  onTestFinished(onSendEvent(({ type }) => void events.push(type)));
  const worker = mailer.work();
  onTestFinished(() => worker.stop());
  await worker.idle();
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const transaction = await pool.connect();
  await transaction.query("BEGIN");
  const { id } = await mailer.queueMessage(about("Woken", { transaction }));
  expect(events).toContain("queued");
  await worker.idle();
  expect(await mailer.outbox.get(id)).toBeUndefined();
  await transaction.query("COMMIT");
  transaction.release();
  await expect.poll(async () => (await mailer.outbox.get(id))?.state).toBe("accepted");
});

test("leaves the application's pool open when the store is closed", async () => {
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const store = postgresStore({ pool });
  const own = createMailer({ ...account(), store });
  await own.queueMessage(about("Own pool"));
  await own.close();
  await store.close();
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

test("waits for another transaction with the same key, and joins its message or adds its own", async () => {
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const [one, other] = [await pool.connect(), await pool.connect()];
  for (const end of ["COMMIT", "ROLLBACK"]) {
    const key = `contested ${end}`;
    await one.query("BEGIN");
    await other.query("BEGIN");
    await mailer.queueMessage(about(key, { key, transaction: one }));
    const waiting = mailer.queueMessage(about(key, { key, transaction: other }));
    await one.query(end);
    expect(await waiting).toMatchObject({ duplicate: end === "COMMIT" });
    await other.query("COMMIT");
    expect(await mailer.outbox.byKey(key)).toMatchObject({ state: expect.any(String) });
  }
  one.release();
  other.release();
});

test("says in a store's error that the transaction must be repeated or has failed before", async () => {
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const [one, other] = [await pool.connect(), await pool.connect()];
  await one.query("BEGIN");
  await other.query("BEGIN ISOLATION LEVEL SERIALIZABLE");
  await other.query("SELECT 1 FROM orders");
  await mailer.queueMessage(about("Serial", { key: "serial", transaction: one }));
  await one.query("COMMIT");
  const queueing = () => mailer.queueMessage(about("Serial", { key: "serial", transaction: other }));
  await expect(queueing()).rejects.toMatchObject({
    code: "store",
    message: expect.stringMatching(/: it aborted the transaction because of another one\.$/),
    cause: { code: "40001" },
  });
  await expect(queueing()).rejects.toMatchObject({
    message: expect.stringMatching(/: an earlier statement in the transaction failed\.$/),
    cause: { code: "25P02" },
  });
  await other.query("ROLLBACK");
  one.release();
  other.release();
});

test("refuses what is not a transaction, with what to pass", async () => {
  const refusal = (transaction: unknown) =>
    mailer.queueMessage(about("Hi", { transaction: transaction as object })).then(
      () => "",
      ({ message, hint = "" }: Error & { hint?: string }) => `${message} ${hint}`,
    );
  expect(await refusal({})).toBe(
    "`transaction` is not a transaction of a supported library. Pass a transaction of Prisma, Drizzle, Knex, Kysely, postgres.js, pg. Or pass a function that runs a statement in it, and returns the rows: (sql, parameters) => tx.query(sql, parameters)",
  );
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  expect(await refusal(drizzle(pool))).toBe(
    "`transaction` is from Drizzle, but it is not a transaction of Postgres. Pass the transaction: await db.transaction(async (tx) => { await mailer.queue(…, { transaction: tx }); });",
  );
  expect(await refusal((sql: string, values: unknown[]) => pool.query(sql, values))).toBe(
    "`transaction` is not open: it has ended, or it never began. Call `queue` between its begin and its end, and await it there. It also ends when it times out.",
  );
  expect(await refusal("tx")).toContain("`transaction` is not a transaction of a supported library.");
  expect(await refusal(null)).toContain("transaction: is null: leave it out");
});

test("refuses a transaction for `send`, and with a store in a file", async () => {
  const options = { ...about("Hi"), transaction: {} };
  await expect(mailer.sendMessage(options)).rejects.toMatchObject({
    problems: [
      {
        path: "transaction",
        message: "is for queued messages: mailer.queue",
      },
    ],
  });
  const folder = await mkdtemp(path.join(tmpdir(), "queue-"));
  const onFile = createMailer({ ...account(), store: path.join(folder, "mail.db") });
  onTestFinished(async () => {
    await onFile.close();
    await rm(folder, { recursive: true });
  });
  await expect(onFile.queueMessage(options)).rejects.toThrow(
    "Only a store in Postgres can join a transaction: postgresStore of lettershop/postgres.",
  );
});

test("a test mailer records a message at once, whatever the transaction is", async () => {
  const recording = createTestMailer({ templates: { environments: {}, templates: {} }, from: "shop" });
  onTestFinished(() => recording.close());
  await recording.queueMessage(about("Recorded", { transaction: {} }));
  expect(recording.queued).toHaveLength(1);
});
