import { inspect } from "node:util";
import * as fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ConfigurationError } from "../../../src/errors.js";
import type { SqlValue } from "../../../src/postgres/database.js";
import { queryOf } from "../../../src/postgres/transaction.js";
import { createDatabase } from "../database.js";
import { type ConnectedLibrary, libraries, type OpenTransaction } from "./libraries.js";

let url: string;
let observer: Client;

beforeAll(async () => {
  url = await createDatabase();
  observer = new Client({ connectionString: url });
  await observer.connect();
  await observer.query(`
    CREATE TABLE orders (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, number text NOT NULL);
    CREATE TABLE mails (mail_key text PRIMARY KEY, recipient_address text, queued_at timestamptz DEFAULT now(), size bigint);
  `);
});

afterAll(() => observer.end());

const ADD = `
  INSERT INTO mails (mail_key, recipient_address, size) VALUES ($1::text, $2::text, 9007199254740993)
  ON CONFLICT DO NOTHING RETURNING row_to_json(mails)::text AS r`;

/** Adds a message as a store does. False if there is one with its key. */
async function add({ handle }: Pick<OpenTransaction, "handle">, key: string): Promise<boolean> {
  const [added] = await queryOf(handle)(ADD, [key, "ada@example.org"]);
  if (added !== undefined)
    expect(JSON.parse(added)).toMatchObject({ mail_key: key, recipient_address: "ada@example.org" });
  return added !== undefined;
}

/** What is committed, as orders and messages. */
async function committed(): Promise<readonly string[]> {
  const { rows } = await observer.query<{ name: string }>(
    "SELECT 'order ' || number AS name FROM orders UNION ALL SELECT 'mail ' || mail_key FROM mails ORDER BY name",
  );
  return rows.map(({ name }) => name);
}

async function errorOf(work: Promise<unknown>): Promise<Error & { readonly code?: unknown }> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error("It did not throw an error.");
  return error;
}

describe.each(Object.entries(libraries))("%s", (name, connect) => {
  let library: ConnectedLibrary;

  beforeAll(async () => {
    library = connect(url);
    await observer.query("DELETE FROM orders; DELETE FROM mails");
  });

  afterAll(() => library.close());

  const emptied = async () => void (await observer.query("DELETE FROM orders; DELETE FROM mails"));

  test.each(["read committed", "serializable"] as const)("commits a message with an order, %s", async (isolation) => {
    onTestFinished(emptied);
    await library.transaction(async (transaction) => {
      await transaction.insertOrder("1");
      expect(await add(transaction, "1")).toBe(true);
      expect(await add(transaction, "1")).toBe(false);
      expect(await committed()).toEqual([]);
    }, isolation);
    expect(await committed()).toEqual(["mail 1", "order 1"]);
  });

  test("rolls a message back, after whichever step the transaction fails", async () => {
    onTestFinished(emptied);
    const steps = [
      (transaction: OpenTransaction) => transaction.insertOrder("1"),
      (transaction: OpenTransaction) => add(transaction, "1"),
      (transaction: OpenTransaction) => transaction.insertOrder("2"),
      (transaction: OpenTransaction) => add(transaction, "2"),
    ];
    for (let last = 0; last <= steps.length; last += 1) {
      const failure = new Error("The application fails here.");
      const run = library.transaction(async (transaction) => {
        for (const step of steps.slice(0, last)) await step(transaction);
        throw failure;
      });
      expect(await errorOf(run)).toBe(failure);
      expect(await committed()).toEqual([]);
    }
  });

  test("adds a message once, whether its key was used outside or inside", async () => {
    onTestFinished(emptied);
    await observer.query("INSERT INTO mails VALUES ('outside')");
    await library.transaction(async (transaction) => expect(await add(transaction, "outside")).toBe(false));
    await library.transaction(async (transaction) => expect(await add(transaction, "inside")).toBe(true));
    expect((await observer.query("INSERT INTO mails VALUES ('inside') ON CONFLICT DO NOTHING")).rowCount).toBe(0);
    expect(await committed()).toEqual(["mail inside", "mail outside"]);
  });

  test("keeps the messages of the outer transaction if an inner one is rolled back", async () => {
    onTestFinished(emptied);
    let isNested = false;
    await library.transaction(async (outer) => {
      await add(outer, "outer");
      if (outer.nested === undefined) return;
      isNested = true;
      await outer.nested(async (inner) => void (await add(inner, "kept")));
      const rolledBack = outer.nested(async (inner) => {
        await add(inner, "dropped");
        throw new Error("The inner transaction fails.");
      });
      expect((await errorOf(rolledBack)).message).toBe("The inner transaction fails.");
      await add(outer, "last");
    });
    expect(await committed()).toEqual(isNested ? ["mail kept", "mail last", "mail outer"] : ["mail outer"]);
  });

  test("refuses a transaction that has ended", async () => {
    onTestFinished(emptied);
    let ended: OpenTransaction | undefined;
    await library.transaction(async (transaction) => {
      ended = transaction;
      await transaction.insertOrder("1");
    });
    const error = await errorOf(add({ handle: ended?.handle ?? {} }, "late"));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toBe("`transaction` is not open: it has ended, or it never began.");
    expect(await committed()).toEqual(["order 1"]);
  });

  test("refuses what is not a transaction, and says how to open one", async () => {
    for (const other of Object.values(library.others)) {
      expect(() => queryOf(other)).toThrow(ConfigurationError);
      expect(() => queryOf(other)).toThrow(/^`transaction` is from \S+, but it is not a transaction of Postgres\.$/);
    }
  });

  test("throws errors with a SQLSTATE and without the statement's values", async () => {
    onTestFinished(emptied);
    const run = library.transaction(async ({ handle }) => {
      const query = queryOf(handle);
      const insert = "INSERT INTO mails (mail_key, recipient_address) VALUES ($1::text, $2::text) RETURNING mail_key";
      await query(insert, ["1", "ada@example.org"]);
      const error = await errorOf(query(insert, ["1", "bob@example.org"]));
      expect(error.code).toBe("23505");
      expect(inspect(error, { depth: 10 })).not.toMatch(/ada@|bob@/);
      const failed = await errorOf(query(insert, ["2", "bob@example.org"]));
      expect(failed.code).toBe("25P02");
      throw error;
    });
    await errorOf(run);
    expect(await committed()).toEqual([]);
  });

  test("rolls back if another transaction changed what a serializable one has read", async () => {
    onTestFinished(emptied);
    await observer.query("INSERT INTO mails VALUES ('read')");
    const run = library.transaction(async (transaction) => {
      await queryOf(transaction.handle)("SELECT mail_key AS r FROM mails");
      await observer.query("UPDATE mails SET size = 1 WHERE mail_key = 'read'");
      const update = "UPDATE mails SET size = 2 WHERE mail_key = 'read' RETURNING mail_key AS r";
      expect(await add(transaction, "1")).toBe(true);
      const error = await errorOf(queryOf(transaction.handle)(update));
      expect(error.code).toBe("40001");
      throw error;
    }, "serializable");
    await errorOf(run);
    expect(await committed()).toEqual(["mail read"]);
  });

  // postgres.js 3.4 throws an uncaught TypeError when the connection of a transaction is cut.
  test.skipIf(name.includes("postgres.js"))("adds nothing if the connection is cut before the commit", async () => {
    onTestFinished(emptied);
    const run = library.transaction(async (transaction) => {
      await transaction.insertOrder("1");
      await add(transaction, "1");
      const [pid = ""] = await queryOf(transaction.handle)("SELECT pg_backend_pid()::text AS r");
      await observer.query("SELECT pg_terminate_backend($1::int)", [Number(pid)]);
      await add(transaction, "2");
    });
    await errorOf(run);
    expect(await committed()).toEqual([]);
    await library.transaction(async (transaction) => void (await add(transaction, "3")));
    expect(await committed()).toEqual(["mail 3"]);
  });

  test("passes any values, in any order, and returns text unchanged", async () => {
    const text = fc.string({ unit: "binary" }).filter((value) => !/\0|\p{Cs}/u.test(value));
    const cases = fc.sample(
      fc.record({
        text: fc.oneof(
          text,
          fc.constantFrom("?", "$1", ":name", "??", "\\?", '{"a":1}', "2026-01-01", "1", "null", ""),
        ),
        empty: fc.constantFrom(null, "x"),
        count: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        ratio: fc.double({ noNaN: true, noDefaultInfinity: true }),
        isSet: fc.boolean(),
      }),
      40,
    );
    await library.transaction(async ({ handle }) => {
      const query = queryOf(handle);
      for (const { text: value, empty, count, ratio, isSet } of cases) {
        const values: SqlValue[] = [value, empty, count, ratio, isSet];
        const sql = `
          SELECT json_build_array($1::text, $2::text, $3::int, $4::float8, $5::boolean, $1::text, '{"a":1}'::jsonb ? 'a')::text AS r
          WHERE '?' <> $5::boolean::text`;
        const [row = ""] = await query(sql, values);
        expect(JSON.parse(row)).toEqual([value, empty, count, ratio === 0 ? 0 : ratio, isSet, value, true]);
        expect(await query("SELECT $1::text AS some_name", [value])).toEqual([value]);
      }
    });
  });
});

test("recognizes a transaction of Drizzle 1.0", async () => {
  class PgAsyncTransaction {
    async execute(statement: { toQuery: () => { sql: string; params: unknown[] } }): Promise<unknown> {
      const { sql, params } = statement.toQuery();
      return observer.query(sql, params);
    }
  }
  Object.assign(PgAsyncTransaction, { [Symbol.for("drizzle:entityKind")]: "PgAsyncTransaction" });
  await observer.query("BEGIN");
  onTestFinished(async () => void (await observer.query("ROLLBACK")));
  expect(await queryOf(new PgAsyncTransaction())("SELECT $1::text AS r", ["in it"])).toEqual(["in it"]);
});
