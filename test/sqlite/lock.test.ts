import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../src/sqlite/driver.js";
import { loadDriver } from "../../src/sqlite/driver.js";
import { FileLock } from "../../src/sqlite/lock.js";
import { transaction } from "../../src/sqlite/transaction.js";
import { temporaryFile } from "../send/outbox/open.js";

/** A file with a table, and two writers. */
async function twoWriters(): Promise<{ own: Database; other: Database }> {
  const open = await loadDriver("the test");
  const file = temporaryFile();
  const [own, other] = [open(file), open(file)];
  onTestFinished(() => {
    own.close();
    other.close();
  });
  own.exec("PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 1; CREATE TABLE things (name TEXT)");
  return { own, other };
}

const namesIn = (database: Database) =>
  database
    .prepare("SELECT name FROM things")
    .all()
    .map(({ name }) => name);
const add = (database: Database, name: string) => () =>
  transaction(database, () => database.prepare("INSERT INTO things VALUES (?)").run(name));

test("runs a step at once if the file is free", async () => {
  const { own } = await twoWriters();
  const writing = new FileLock(1000).write(add(own, "one"));
  expect(namesIn(own)).toEqual(["one"]);
  await writing;
});

test("keeps the process running while another one holds the file, and runs steps in order", async () => {
  const { own, other } = await twoWriters();
  const lock = new FileLock(60_000);
  other.exec("BEGIN IMMEDIATE");
  const writing = [lock.write(add(own, "one")), lock.write(add(own, "two")), lock.write(add(own, "three"))];
  expect(await lock.read(() => namesIn(own))).toEqual([]);
  await sleep(50);
  // A blocked process would never get the lock.
  other.exec("COMMIT");
  await writing[0];
  writing.push(lock.write(add(own, "four")));
  await Promise.all(writing);
  expect(namesIn(own)).toEqual(["one", "two", "three", "four"]);
});

test("fails at once for other errors, and continues with the next step", async () => {
  const { own, other } = await twoWriters();
  const lock = new FileLock(60_000);
  other.exec("BEGIN IMMEDIATE");
  const failing = lock.write(() => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  const broken = [lock.write(add(own, "one")), lock.write(() => own.exec("SELECT nothing"))];
  other.exec("COMMIT");
  expect((await Promise.allSettled(broken)).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(namesIn(own)).toEqual(["one"]);
});

test("fails with SQLite's error after the timeout, and writes nothing later", async () => {
  const { own, other } = await twoWriters();
  const lock = new FileLock(30);
  other.exec("BEGIN IMMEDIATE");
  const late = [lock.write(add(own, "one")), lock.write(add(own, "two"))];
  const outcomes = await Promise.allSettled(late);
  expect(outcomes.map((outcome) => outcome.status === "rejected" && String(outcome.reason))).toEqual([
    "Error: database is locked",
    "Error: database is locked",
  ]);
  other.exec("COMMIT");
  await lock.write(add(own, "three"));
  expect(namesIn(own)).toEqual(["three"]);
});
