import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { StoreError } from "../../../src/send/errors.js";
import { systemClock } from "../../../src/send/clock.js";
import { OUTBOX_SCHEMA, SqliteOutbox } from "../../../src/send/store/sqlite-outbox.js";
import { openStoreFile } from "../../../src/send/store/sqlite-file.js";
import { FileLock } from "../../../src/sqlite/lock.js";
import { aMessage } from "./messages.js";
import { openOutboxStore, temporaryFile } from "./open.js";

async function troubleOf(attempt: Promise<unknown>): Promise<StoreError> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreError)) throw new Error("No trouble with the store.", { cause: error });
  return error;
}

describe("a failing outbox file", () => {
  it("reports that the disk is full, keeps what was added before, and continues when there is room", async () => {
    const file = temporaryFile();
    const { store, database } = await openOutboxStore(file);
    await store.add(aMessage({ id: "before" }));
    const pages = database.prepare(`PRAGMA ${database.schema}.page_count`).get()?.["page_count"];
    database.exec(`PRAGMA ${database.schema}.max_page_count = ${String(pages)}`);
    const text = "x".repeat(100_000);
    const large = aMessage({ email: { from: "shop", to: "ada@example.com", subject: "Hi", text } });
    const both = await Promise.allSettled([store.add(large), store.add(aMessage({ id: "with it" }))]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const { message, hint } = await troubleOf(store.add(large));
    expect(message).toBe(`Can't use the mailer's store ${file}: the disk is full.`);
    expect(hint).toContain("Free some space");
    expect((await store.list(aMessage().target, {})).map(({ id }) => id)).toEqual(["before"]);

    database.exec(`PRAGMA ${database.schema}.max_page_count = 100000`);
    await store.add(large);
    expect(await store.list(aMessage().target, {})).toHaveLength(2);
  });

  it("reports that another program has locked it", async () => {
    const file = temporaryFile();
    const { database } = await openOutboxStore(file);
    const { database: other } = await openOutboxStore(file);
    const store = new SqliteOutbox({ ...database, lock: new FileLock(20) }, systemClock);
    other.exec("BEGIN IMMEDIATE");
    const { message } = await troubleOf(store.add(aMessage()));
    expect(message).toContain("another program has locked it");
    other.exec("COMMIT");
    expect((await store.add(aMessage())).added).toBe(true);
  });

  it("waits for another program without blocking the process", async () => {
    const file = temporaryFile();
    const { store } = await openOutboxStore(file);
    const { database: other } = await openOutboxStore(file);
    other.exec("BEGIN IMMEDIATE");
    const adding = store.add(aMessage({ id: "a" }));
    await sleep(30);
    expect(await store.list(aMessage().target, {})).toEqual([]);
    other.exec("COMMIT");
    expect((await adding).added).toBe(true);
  });

  it("reports that it is read-only", async () => {
    const { store, database } = await openOutboxStore();
    database.exec("PRAGMA query_only = ON");
    expect((await troubleOf(store.add(aMessage()))).message).toContain("it is read-only");
  });

  it("reports that it is damaged, when reading and when writing", async () => {
    const file = temporaryFile();
    const database = await openStoreFile(file, [OUTBOX_SCHEMA]);
    const store = new SqliteOutbox(database, systemClock);
    for (let count = 0; count < 200; count += 1) await store.add(aMessage());
    database.prepare(`PRAGMA ${database.schema}.wal_checkpoint(TRUNCATE)`).get();
    database.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x55, 4096));
    const { store: damaged } = await openOutboxStore(file);
    expect((await troubleOf(damaged.list(aMessage().target, {}))).message).toContain("it is damaged");
    expect((await troubleOf(damaged.add(aMessage()))).hint).toContain(".recover");
  });
});
