import { PrismaPg } from "@prisma/adapter-pg";
import { drizzle as drizzleOnPg } from "drizzle-orm/node-postgres";
import { drizzle as drizzleOnPostgresJs } from "drizzle-orm/postgres-js";
import { text, pgTable } from "drizzle-orm/pg-core";
import knexOf from "knex";
import { CamelCasePlugin, type ControlledTransaction, Kysely, ParseJSONResultsPlugin, PostgresDialect } from "kysely";
import { type ClientBase, Pool, type PoolClient, type PoolConfig } from "pg";
import postgres from "postgres";
import type { RunStatement } from "../../../src/send/index.js";
import { PrismaClient } from "./prisma/generated/client.js";

/** A transaction of a library, as an application uses it. */
export interface OpenTransaction {
  /** What the application passes to the mailer. */
  readonly handle: object;
  /** Inserts a row into `orders`, with the library's own means. */
  insertOrder(number: string): Promise<unknown>;
  /** Runs work in a nested transaction or after a savepoint, which an error rolls back to. */
  nested?(work: (inner: OpenTransaction) => Promise<void>): Promise<unknown>;
}

export type Isolation = "read committed" | "serializable";

/** A library that is connected to a database with a table `orders`. */
export interface ConnectedLibrary {
  /** Runs work in a transaction, which an error rolls back. */
  transaction(work: (transaction: OpenTransaction) => Promise<void>, isolation?: Isolation): Promise<unknown>;
  /** What is not a transaction. */
  readonly others: Readonly<Record<string, object>>;
  close(): Promise<unknown>;
}

/** Knex prints that a connection was cut. */
const SILENT = { warn: () => undefined, error: () => undefined };

const orders = pgTable("orders", { number: text().notNull() });

interface Tables {
  orders: { number: string };
}

export const libraries: Readonly<Record<string, (url: string) => ConnectedLibrary>> = {
  pg: (url) => pgOf(poolOf({ connectionString: url })),
  "pg with type parsers": (url) =>
    pgOf(poolOf({ connectionString: url, types: { getTypeParser: () => (value: string) => value } })),
  "postgres.js": (url) => postgresJsOf(postgres(url, { onnotice: () => undefined })),
  "postgres.js with transformed names and values": (url) => postgresJsOf(postgres(url, { transform: postgres.camel })),
  "Drizzle on pg": (url) => {
    const pool = poolOf({ connectionString: url });
    return drizzleOf(drizzleOnPg(pool), () => pool.end());
  },
  "Drizzle on postgres.js": (url) => {
    const sql = postgres(url);
    return drizzleOf(drizzleOnPostgresJs(sql), () => sql.end());
  },
  Kysely: (url) => kyselyOf(kyselyFor(url)),
  "Kysely with plugins": (url) =>
    kyselyOf(kyselyFor(url).withPlugin(new CamelCasePlugin()).withPlugin(new ParseJSONResultsPlugin())),
  "Kysely with controlled transactions": (url) => controlledKyselyOf(kyselyFor(url)),
  Knex: (url) => knexUnderTest(knexOf({ client: "pg", connection: url, log: SILENT })),
  "Knex with changed responses": (url) =>
    knexUnderTest(
      knexOf({
        client: "pg",
        connection: url,
        log: SILENT,
        postProcessResponse: (response: { rows?: object[] }) =>
          response.rows?.map((row) =>
            Object.fromEntries(Object.entries(row).map(([name, value]) => [`${name}_`, value])),
          ) ?? response,
      }),
    ),
  Prisma: (url) => prismaOf(new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) })),
  "another library": (url) => {
    const library = pgOf(poolOf({ connectionString: url }));
    // Its results are lists of values.
    const functionOf =
      (client: object): RunStatement =>
      (sql, parameters) =>
        (client as ClientBase).query({ text: sql, values: parameters, rowMode: "array" });
    return {
      ...library,
      others: {},
      transaction: (work, isolation) =>
        library.transaction((open) => work({ ...open, handle: functionOf(open.handle) }), isolation),
    };
  },
};

/** An error without a listener would end the process when a connection is cut. */
function poolOf(config: PoolConfig): Pool {
  return new Pool(config)
    .on("connect", (client) => void client.on("error", () => undefined))
    .on("error", () => undefined);
}

function pgOf(pool: Pool): ConnectedLibrary {
  const openOn = (client: PoolClient): OpenTransaction => ({
    handle: client,
    insertOrder: (number) => client.query("INSERT INTO orders (number) VALUES ($1)", [number]),
    async nested(work) {
      await client.query("SAVEPOINT inner_one");
      try {
        await work(openOn(client));
      } catch (error) {
        await client.query("ROLLBACK TO SAVEPOINT inner_one");
        throw error;
      }
    },
  });
  return {
    async transaction(work, isolation = "read committed") {
      const client = await pool.connect();
      let broken = false;
      try {
        await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
        await work(openOn(client));
        await client.query("COMMIT");
      } catch (error) {
        await client.query("ROLLBACK").catch(() => (broken = true));
        throw error;
      } finally {
        client.release(broken);
      }
    },
    others: { pool },
    close: () => pool.end(),
  };
}

function postgresJsOf(sql: postgres.Sql<Record<string, bigint>>): ConnectedLibrary {
  const openOn = (tx: postgres.TransactionSql<Record<string, bigint>>): OpenTransaction => ({
    handle: tx,
    insertOrder: (number) => tx`INSERT INTO orders (number) VALUES (${number})`,
    nested: (work) => tx.savepoint((inner) => work(openOn(inner))),
  });
  return {
    transaction: (work, isolation = "read committed") =>
      sql.begin(`ISOLATION LEVEL ${isolation}`, (tx) => work(openOn(tx))),
    others: { sql },
    close: () => sql.end(),
  };
}

type DrizzleDatabase = ReturnType<typeof drizzleOnPg> | ReturnType<typeof drizzleOnPostgresJs>;

function drizzleOf(db: DrizzleDatabase, close: () => Promise<unknown>): ConnectedLibrary {
  const openOn = (tx: Pick<ReturnType<typeof drizzleOnPg>, "insert" | "transaction">): OpenTransaction => ({
    handle: tx,
    insertOrder: async (number) => tx.insert(orders).values({ number }),
    nested: (work) => tx.transaction((inner) => work(openOn(inner))),
  });
  return {
    transaction: (work, isolation = "read committed") =>
      (db as ReturnType<typeof drizzleOnPg>).transaction((tx) => work(openOn(tx)), { isolationLevel: isolation }),
    others: { db },
    close,
  };
}

function kyselyFor(url: string): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf({ connectionString: url }) }) });
}

function kyselyOf(db: Kysely<Tables>): ConnectedLibrary {
  return {
    transaction: (work, isolation = "read committed") =>
      db
        .transaction()
        .setIsolationLevel(isolation)
        .execute((tx) =>
          work({ handle: tx, insertOrder: (number) => tx.insertInto("orders").values({ number }).execute() }),
        ),
    others: { db, withSchema: db.withSchema("public") },
    close: () => db.destroy(),
  };
}

function controlledKyselyOf(db: Kysely<Tables>): ConnectedLibrary {
  const openOn = (tx: ControlledTransaction<Tables, string[]>): OpenTransaction => ({
    handle: tx,
    insertOrder: (number) => tx.insertInto("orders").values({ number }).execute(),
    async nested(work) {
      const inner = await tx.savepoint("inner_one").execute();
      try {
        await work(openOn(inner));
      } catch (error) {
        await inner.rollbackToSavepoint("inner_one").execute();
        throw error;
      }
    },
  });
  return {
    async transaction(work, isolation = "read committed") {
      const tx = await db.startTransaction().setIsolationLevel(isolation).execute();
      try {
        await work(openOn(tx));
      } catch (error) {
        await tx.rollback().execute();
        throw error;
      }
      await tx.commit().execute();
    },
    others: { db },
    close: () => db.destroy(),
  };
}

function knexUnderTest(knex: knexOf.Knex): ConnectedLibrary {
  const openOn = (tx: knexOf.Knex.Transaction): OpenTransaction => ({
    handle: tx,
    insertOrder: async (number) => tx("orders").insert({ number }),
    nested: (work) => tx.transaction((inner) => work(openOn(inner))),
  });
  return {
    transaction: (work, isolation = "read committed") =>
      knex.transaction((tx) => work(openOn(tx)), { isolationLevel: isolation }),
    others: { knex },
    close: () => knex.destroy(),
  };
}

function prismaOf(prisma: PrismaClient): ConnectedLibrary {
  return {
    transaction: (work, isolation = "read committed") =>
      prisma.$transaction(
        (tx) => work({ handle: tx, insertOrder: (number) => tx.order.create({ data: { number } }) }),
        { isolationLevel: isolation === "serializable" ? "Serializable" : "ReadCommitted", timeout: 60_000 },
      ),
    others: { prisma, extended: prisma.$extends({}) },
    close: () => prisma.$disconnect(),
  };
}
