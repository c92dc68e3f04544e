import { execFile } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { ConfigurationError } from "../../../src/errors.js";
import { systemClock } from "../../../src/send/clock.js";
import { LEDGER_SCHEMA } from "../../../src/send/store/sqlite-ledger.js";
import { OUTBOX_SCHEMA } from "../../../src/send/store/sqlite-outbox.js";
import { PACE_SCHEMA } from "../../../src/send/store/sqlite-pace.js";
import { openStoreFile } from "../../../src/send/store/sqlite-file.js";
import { openMailStore, SUPPRESSIONS_SCHEMA } from "../../../src/send/store/sqlite.js";
import { aMessage } from "../outbox/messages.js";
import { StoreError } from "../../../src/send/errors.js";
import { loadDriver } from "../../../src/sqlite/driver.js";
import { removeFolder } from "../../remove-folder.js";

const SCHEMA = "CREATE TABLE things (name TEXT)";

async function storeIn(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "lettershop store-"));
  onTestFinished(() => removeFolder(folder));
  return path.join(folder, "data", "mail.db");
}

test("creates a store with its folder, and opens it again", async () => {
  const file = await storeIn();
  const first = await openStoreFile(file, [SCHEMA]);
  first.exec("INSERT INTO things VALUES ('one')");
  first.close();
  const again = await openStoreFile(file, [SCHEMA]);
  expect(again.prepare("SELECT name FROM things").all()).toEqual([{ name: "one" }]);
  // 2 is FULL: what was committed is on disk.
  expect(again.prepare(`PRAGMA ${again.schema}.synchronous`).get()).toEqual({ synchronous: 2 });
  for (const each of [file, `${file}-wal`, `${file}-shm`]) expect((await stat(each)).mode & 0o777).toBe(0o600);
  again.close();
});

test("lets processes open new stores concurrently", async () => {
  const file = await storeIn();
  const files = Array.from({ length: 30 }, (_, number) => `${file}-${number}`);
  const module = fileURLToPath(new URL("../../../dist/send/store/sqlite-file.js", import.meta.url));
  // All of them start each round at the same time.
  const script = `import { setTimeout as sleep } from "node:timers/promises";
    import { openStoreFile } from ${JSON.stringify(module)};
    for await (const chunk of process.stdin) if (String(chunk).includes("!")) break;
    let moment = Math.ceil(Date.now() / 200) * 200;
    for (const file of ${JSON.stringify(files)}) {
      await sleep(Math.max(0, moment - Date.now() - 4));
      while (Date.now() < moment);
      moment = Math.max(moment + 20, Math.ceil(Date.now() / 20) * 20);
      const database = await openStoreFile(file, [${JSON.stringify(SCHEMA)}]);
      await database.lock.write(() => database.exec("INSERT INTO things VALUES ('x')"));
      database.close();
    }
    process.exit();`;
  const openers = Array.from({ length: 3 }, () =>
    promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]),
  );
  for (const { child } of openers) child.stdin?.write("!");
  await Promise.all(openers);
  for (const each of files) {
    const database = await openStoreFile(each, [SCHEMA]);
    expect(database.prepare("SELECT count(*) AS count FROM things").get()).toEqual({ count: openers.length });
    database.close();
  }
});

/** The locks on a file, of any process. */
function locksOn(file: string): string[] {
  const { ino } = statSync(file);
  return readFileSync("/proc/locks", "utf8")
    .split("\n")
    .filter((line) => line.includes(`:${ino} `));
}

test.skipIf(!existsSync("/proc/locks"))("keeps a process's locks on a store that it opens twice", async () => {
  const file = await storeIn();
  const first = await openStoreFile(file, [SCHEMA]);
  expect(locksOn(file)).toHaveLength(1);
  const second = await openStoreFile(file, [SCHEMA]);
  // Without it, another process would consider itself the last one, and delete the write-ahead log.
  expect(locksOn(file)).toHaveLength(1);
  second.close();
  expect(locksOn(file)).toHaveLength(1);
  first.close();
  expect(locksOn(file)).toEqual([]);
});

test("does not touch a file that is not a store, and names the file and the fix", async () => {
  const file = await storeIn();
  const open = await loadDriver("a test");
  const other = path.join(path.dirname(path.dirname(file)), "other.db");
  const database = open(other);
  database.exec("CREATE TABLE theirs (name TEXT)");
  await expect(openStoreFile(other, [SCHEMA])).rejects.toThrow(/other\.db is the database of another program/);
  expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "delete" });
  database.close();

  const text = path.join(path.dirname(other), "text.db");
  await writeFile(text, "no database at all, but a text that is longer than the header of one".repeat(20));
  await expect(openStoreFile(text, [SCHEMA])).rejects.toThrow(StoreError);
  await expect(openStoreFile(path.dirname(other), [SCHEMA])).rejects.toThrow(StoreError);
  await expect(openStoreFile(path.join(text, "mail.db"), [SCHEMA])).rejects.toThrow(
    /^Can't open the mailer's store \S.*text\.db.mail\.db: /,
  );
});

test("upgrades a store of an earlier version once", async () => {
  const file = await storeIn();
  const first = await openStoreFile(file, [SCHEMA]);
  first.exec("INSERT INTO things VALUES ('one')");
  first.exec(`PRAGMA ${first.schema}.user_version = 1`);
  first.close();
  const upgrade = "ALTER TABLE things ADD COLUMN size INTEGER NOT NULL DEFAULT 7";
  const both = await Promise.all([1, 2].map(() => openStoreFile(file, [SCHEMA], [upgrade])));
  for (const each of both) {
    expect(each.prepare("SELECT * FROM things").all()).toEqual([{ name: "one", size: 7 }]);
    each.close();
  }
});

test("upgrades a store of version 1 to the current version", async () => {
  const file = await storeIn();
  const old = OUTBOX_SCHEMA.replace(/,\n\s*direct INTEGER NOT NULL DEFAULT 0/, "");
  expect(old).not.toContain("direct");
  const first = await openStoreFile(file, [PACE_SCHEMA, LEDGER_SCHEMA, SUPPRESSIONS_SCHEMA, old]);
  first.exec(`PRAGMA ${first.schema}.user_version = 1`);
  first.close();
  const store = await openMailStore(file, systemClock);
  const lease = { id: "lease", forMs: 1 };
  expect(await store.outbox.add(aMessage({ lease }))).toMatchObject({ added: true, message: { direct: true } });
  await store.close();
});

test("leaves a store of a newer version alone", async () => {
  const file = await storeIn();
  const database = await openStoreFile(file, [SCHEMA]);
  database.exec(`PRAGMA ${database.schema}.user_version = 99`);
  database.close();
  const opening = openStoreFile(file, [SCHEMA]);
  await expect(opening).rejects.toThrow(ConfigurationError);
  await expect(opening).rejects.toThrow(/written by a newer version of lettershop/);
});
