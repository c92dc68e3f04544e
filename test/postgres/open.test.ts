import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createMailer } from "../../src/send/index.js";
import { migrate, migrationScript, requireTables, type Script } from "../../src/postgres/migrations.js";
import { postgresStore, type PostgresStoreOptions } from "../../src/postgres/store.js";
import { createDatabase } from "./database.js";

const run = promisify(execFile);

let url: string;
let owner: Client;

beforeAll(async () => {
  url = await createDatabase();
  owner = new Client({ connectionString: url });
  await owner.connect();
});
afterAll(() => owner.end());

/** A store that the test closes. */
function open(options: PostgresStoreOptions = {}) {
  const store = postgresStore({ ...(options.pool === undefined && { connectionString: url }), ...options });
  onTestFinished(() => store.close());
  return store;
}

/** The address for another user, who may log in and nothing else. */
async function addressOfUser(name: string): Promise<string> {
  await owner.query(`DROP ROLE IF EXISTS ${name}; CREATE ROLE ${name} LOGIN PASSWORD 'hunter2'`);
  onTestFinished(async () => void (await owner.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`)));
  const address = new URL(url);
  address.username = name;
  address.password = "hunter2";
  return address.href;
}

const suppression = { email: "ada@example.com", reason: "added", since: 0 };

/** Adds to the store's tables and reads from them. */
async function expectUsable(store: ReturnType<typeof postgresStore>): Promise<void> {
  await store.suppressions.add(suppression);
  expect(await store.suppressions.find([suppression.email])).toMatchObject([suppression]);
  expect(await store.outbox?.targets()).toEqual([]);
}

describe("options", () => {
  const refused = (options: object) => {
    try {
      postgresStore(options);
    } catch (error) {
      return String(error);
    }
    return "";
  };

  test("are checked at once", () => {
    expect(refused({ url })).toContain('no option "url"');
    expect(refused({ connectionString: url, pool: new Pool() })).toContain("exclude each other");
    expect(refused({ pool: new Client() })).toContain("not a pool of pg");
    expect(refused({ connectionString: url, migrate: "no" })).toContain("`migrate`");
    expect(refused({ connectionString: url, schema: "" })).toContain("`schema`");
    expect(refused({ connectionString: "mysql://localhost/shop" })).toContain(
      "the connection string is not a postgres:// address",
    );
    expect(refused({})).toContain("no database is named");
  });

  test.each(["12#secret", "12/secret", "12?secret", "secret/12", "secret#12"])(
    "a password that is not encoded is refused, and not quoted: %s",
    (password) => {
      const message = refused({ connectionString: `postgres://shop:${password}@db.example.com/shop` });
      expect(message).toContain("not a valid address");
      expect(message).not.toMatch(/12|secret/);
    },
  );

  test.each([
    "postgres://shop:one,two@a.example:5432,b.example:5433/shop?target_session_attrs=read-write",
    "postgres://a.example,b.example/shop",
    "postgresql://shop@/shop?host=a.example,b.example",
  ])("several hosts, which pg does not know, are refused: %s", (connectionString) => {
    expect(refused({ connectionString })).toContain("not a valid address");
  });

  test("a comma in a user or password is not one between hosts", () => {
    expect(refused({ connectionString: "postgres://sh,op:one,two@db.example.com/sh,op?application_name=a,b" })).toBe(
      "",
    );
  });

  test("nothing connects before the first use", async () => {
    const store = postgresStore({ connectionString: "postgres://nobody:nothing@127.0.0.1:1/nowhere" });
    await store.close();
    await expect(store.suppressions.list()).rejects.toMatchObject({
      code: "store",
      message: expect.stringContaining("it was closed"),
    });
  });
});

describe("tables", () => {
  test("are created once by ten processes that start together", async () => {
    const address = await createDatabase();
    const program = fileURLToPath(new URL("open-process.mjs", import.meta.url));
    const results = await Promise.all(Array.from({ length: 10 }, () => run(process.execPath, [program, address])));
    expect(results.map(({ stdout, stderr }) => [stdout, stderr])).toEqual(results.map(() => ["[]", ""]));
  });

  test.each(["Mail", "two words", "it's", 'a "quoted" one', "lettershop-2", "select"])(
    "can be in the schema %s",
    async (schema) => {
      await expectUsable(open({ schema }));
      expect((await owner.query("SELECT FROM pg_namespace WHERE nspname = $1", [schema])).rowCount).toBe(1);
      await owner.query(migrationScript(schema));
      await expectUsable(open({ schema, migrate: false }));
    },
  );

  test("are used by a user who may not create any", async () => {
    const connectionString = await addressOfUser("clerk");
    const schema = "granted";
    await expect(open({ connectionString, schema }).suppressions.list()).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringContaining("may not create its tables"),
    });
    await owner.query(migrationScript(schema));
    await expect(open({ connectionString, schema }).suppressions.list()).rejects.toMatchObject({
      code: "store",
      message: expect.stringContaining("may not access the tables"),
    });
    await owner.query(`GRANT USAGE ON SCHEMA granted TO clerk;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA granted TO clerk`);
    await expectUsable(open({ connectionString, schema, migrate: false }));
    const store = open({ connectionString, schema });
    const environment = { url: "http://127.0.0.1:9", domain: "example.com", apiKey: "key", from: "shop" };
    const mailer = createMailer({ ...environment, store });
    const { id } = await mailer.queueMessage({ to: "ada@example.com", subject: "Hi", text: "Hi" });
    expect(await mailer.outbox.get(id)).toMatchObject({ state: "queued" });
    await mailer.close();
  });

  test("are only checked with `migrate: false`", async () => {
    await expect(open({ schema: "By Hand", migrate: false }).suppressions.list()).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringMatching(/\(schema By Hand\) has no tables/),
      hint: 'Run: templates outbox migrate --schema "By Hand"',
    });
    expect((await owner.query("SELECT FROM pg_namespace WHERE nspname = 'By Hand'")).rowCount).toBe(0);
  });

  test("of a newer version are used if its scripts allow it", async () => {
    const schema = "newer";
    await expectUsable(open({ schema }));
    await owner.query("INSERT INTO newer.migrations (version, oldest) VALUES (2, 1)");
    await expectUsable(open({ schema }));
    const running = open({ schema });
    await running.suppressions.list();
    await owner.query(`INSERT INTO newer.migrations (version, oldest) VALUES (3, 2);
      ALTER TABLE newer.suppressions RENAME email TO address`);
    const refusal = { code: "configuration", message: expect.stringContaining("tables of version 3") };
    for (const migrates of [true, false])
      await expect(open({ schema, migrate: migrates }).suppressions.list()).rejects.toMatchObject(refusal);
    // A server that has been running reports it after its first statement that fails.
    await expect(running.suppressions.list()).rejects.toMatchObject({ code: "store" });
    await expect(running.suppressions.list()).rejects.toMatchObject(refusal);
  });

  test("of an older version are updated, by the store or by the printed script", async () => {
    const client = Object.assign(new Client({ connectionString: url }), { release: () => undefined });
    await client.connect();
    onTestFinished(() => client.end());
    const first: Script = { oldest: 1, sql: "CREATE TABLE lettershop.words (word text PRIMARY KEY);" };
    const second: Script = {
      oldest: 1,
      sql: `ALTER TABLE lettershop.words ADD language text NOT NULL DEFAULT 'en';
        CREATE FUNCTION lettershop.latest() RETURNS text LANGUAGE sql AS $$ SELECT max(word) FROM lettershop.words $$;`,
    };
    expect(await migrate(client, "upgraded", "store", [first])).toEqual({ from: 0, to: 1 });
    await client.query("INSERT INTO upgraded.words VALUES ('kept')");
    await expect(requireTables(client, "upgraded", "store", [first, second])).rejects.toThrow(
      "has tables of version 1, and this lettershop needs 2",
    );
    expect(await migrate(client, "upgraded", "store", [first, second])).toEqual({ from: 1, to: 2 });
    expect(await migrate(client, "upgraded", "store", [first])).toEqual({ from: 2, to: 2 });
    await client.query(migrationScript("printed", [first]));
    for (let times = 0; times < 2; times += 1) await client.query(migrationScript("printed", [first, second]));
    const { rows } = await client.query(`
      SELECT table_schema, string_agg(column_name || data_type, ' ' ORDER BY table_name, ordinal_position) AS columns
      FROM information_schema.columns WHERE table_schema IN ('upgraded', 'printed') GROUP BY 1 ORDER BY 1`);
    expect(rows[0].columns).toBe(rows[1].columns);
    expect((await client.query("SELECT * FROM upgraded.words")).rows).toEqual([{ word: "kept", language: "en" }]);
  });

  test("are left as they were if a script fails", async () => {
    const client = Object.assign(new Client({ connectionString: url }), { release: () => undefined });
    await client.connect();
    onTestFinished(() => client.end());
    const bad: Script = { oldest: 1, sql: "CREATE TABLE lettershop.a (b text); CREATE TABLE lettershop.a (b text);" };
    await expect(migrate(client, "failed", "store", [bad])).rejects.toMatchObject({ code: "42P07" });
    expect((await client.query("SELECT FROM pg_namespace WHERE nspname = 'failed'")).rowCount).toBe(0);
  });
});

describe("an application's pool", () => {
  test("stays open, with its own settings and parsers", async () => {
    const pool = new Pool({
      connectionString: url,
      types: { getTypeParser: () => () => "parsed" },
      options: "-c search_path=nowhere -c default_transaction_isolation=serializable -c TimeZone=Asia/Tokyo",
    });
    onTestFinished(() => pool.end());
    const store = open({ pool, schema: "settings" });
    await expectUsable(store);
    await Promise.all(
      Array.from({ length: 20 }, () => store.ledger.begin({ id: "1", fingerprint: "f", likeness: "l" }, 60_000)),
    );
    await store.close();
    expect(pool.listenerCount("error")).toBe(0);
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: "parsed" }]);
  });

  test("may have one connection", async () => {
    const pool = new Pool({ connectionString: url, max: 1 });
    onTestFinished(() => pool.end());
    const store = open({ pool, schema: "single" });
    await Promise.all([expectUsable(store), expectUsable(store), store.ledger.find("1")]);
    // A worker's listener takes none.
    const stop = store.outbox?.watch?.("target", () => undefined);
    await expectUsable(store);
    stop?.();
  });

  test("that is used up, or was ended, is named as the reason", async () => {
    const pool = new Pool({ connectionString: url, max: 1 });
    const store = open({ pool });
    const held = await pool.connect();
    await expect(store.suppressions.list()).rejects.toMatchObject({
      code: "store",
      message: expect.stringContaining("the pool had no free connection in time"),
      hint: expect.stringContaining("`max`"),
    });
    held.release();
    await expectUsable(store);
    await pool.end();
    await expect(store.suppressions.list()).rejects.toMatchObject({
      message: expect.stringContaining("its pool was ended"),
    });
  });
});
