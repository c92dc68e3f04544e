import { ConfigurationError } from "../errors.js";
import { checkNames } from "../send/check-options.js";
import { systemClock } from "../send/clock.js";
import { StoreError } from "../send/errors.js";
import { publish } from "../send/events.js";
import { memoryStore } from "../send/store/memory.js";
import type { MailStore } from "../send/store/store.js";
import { addressOf, nameOf } from "./address.js";
import { Database, type DatabaseOptions, DEFAULT_SCHEMA, type PostgresPool } from "./database.js";
import { postgresLedger } from "./ledger.js";
import { Listener } from "./listener.js";
import { migrate, type Migration, requireTables } from "./migrations.js";
import { PostgresOutbox } from "./outbox.js";
import { postgresPace } from "./pace.js";
import { checkPool, openPool } from "./pool.js";
import { postgresSuppressions } from "./suppressions.js";

export interface PostgresStoreOptions {
  /**
   * A `Pool` of `pg` that the application has, and may use itself. The store never ends it and adds no listener to it: as
   * `pg` requires, give one for `error` to the pool and to its connections, otherwise a restart of the database ends the
   * process. A worker keeps one connection to hear of new messages, unless the pool has only one.
   */
  readonly pool?: PostgresPool | undefined;
  /**
   * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, for a pool of the store's own with at most 10 connections. Needs the
   * package `pg`, whose parameters such as `sslmode` it may have. Default: `LETTERSHOP_STORE`.
   */
  readonly connectionString?: string | undefined;
  /** The schema of the store's tables. Default `lettershop`. */
  readonly schema?: string | undefined;
  /**
   * Whether the store creates and updates its tables when it is first used. Default true; false if the application's
   * user may not, and `templates outbox migrate` does.
   */
  readonly migrate?: boolean | undefined;
  /**
   * Whether `send` without a key goes on while the database can't be used: then the pace and requests without an answer
   * are shared within this process only, suppressed addresses are not known, and the event `store-away` is published.
   * Default false: `send` throws a `StoreError`.
   */
  readonly sendWhileAway?: boolean | undefined;
}

/**
 * A store in Postgres that the machines of an application share: their pace, requests without an answer, suppressed
 * addresses and the outbox. The first use connects.
 *
 * @example
 * import { createMailer } from "lettershop/send";
 * import { postgresStore } from "lettershop/postgres";
 * import { Pool } from "pg";
 *
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL });
 * const report = (error: Error) => console.error(error.message);
 * pool.on("error", report).on("connect", (client) => client.on("error", report));
 * const mailer = createMailer({ templates, from: "shop", store: postgresStore({ pool }) });
 *
 * Methods throw a `StoreError` if the database can't be used: within 5 s without a connection, and within 30 s without an
 * answer. Its message names host and database, but no user, password or value. After a lost connection it is unknown
 * whether a change was made.
 *
 * @throws {ConfigurationError} An option is wrong, or no database is named. Methods throw it, too, if the tables are
 * missing, may not be created, or are of a version that this one can't use.
 * @throws {MissingPeerError} By methods, with an address: `pg` is not installed.
 */
export function postgresStore(options: PostgresStoreOptions = {}): MailStore {
  return openPostgres(options, { waitsForRestart: true });
}

/** What commands need of a store, beyond a mailer. */
export type PostgresStore = Required<MailStore> & {
  /** How messages refer to it: its address without user and password. */
  readonly name: string;
  /** Resolves when the tables are there, with their versions before and after. */
  ready(): Promise<Migration>;
};

/** An application waits for a database that restarts. A command reports at once what is wrong. */
export function openPostgres(
  options: PostgresStoreOptions,
  { waitsForRestart = false }: Partial<Pick<DatabaseOptions, "waitsForRestart">> = {},
): PostgresStore {
  checkNames("postgresStore", options, OPTIONS, { example: "{ pool }" });
  const { pool, schema = DEFAULT_SCHEMA, migrate: migrates = true, sendWhileAway = false } = options;
  if (pool !== undefined && options.connectionString !== undefined)
    throw new ConfigurationError("postgresStore: `pool` and `connectionString` exclude each other.", {
      hint: "Pass the pool if the application has one.",
    });
  if (pool !== undefined) checkPool(pool);
  for (const [option, value] of Object.entries({ migrate: migrates, sendWhileAway }))
    if (typeof value !== "boolean") throw new ConfigurationError(`postgresStore: \`${option}\` must be true or false.`);
  if (typeof schema !== "string" || schema.trim() === "" || Buffer.byteLength(schema) > 63)
    throw new ConfigurationError("postgresStore: `schema` must be a name of 1 to 63 bytes.");
  const connectionString = pool === undefined ? addressOf(options.connectionString) : undefined;
  const name = nameOf(connectionString === undefined ? (pool?.options ?? {}) : { connectionString }, schema);
  let migration: Migration | undefined;
  const database = new Database({
    name,
    schema,
    openPool: async () => pool ?? openPool(connectionString ?? ""),
    ownsPool: pool === undefined,
    waitsForRestart,
    prepare: async (client) => {
      if (migrates) migration = await migrate(client, schema, name);
      else await requireTables(client, schema, name);
    },
  });
  const listener = new Listener(database);
  const store: PostgresStore = {
    name,
    pace: postgresPace(database),
    ledger: postgresLedger(database),
    suppressions: postgresSuppressions(database),
    outbox: new PostgresOutbox(database, listener),
    async ready() {
      await database.ready();
      return migration ?? { from: 0, to: 0 };
    },
    async close() {
      await listener.close();
      await database.close();
    },
  };
  return sendWhileAway ? withFallback(store, memoryStore(systemClock)) : store;
}

const OPTIONS: Readonly<Record<keyof PostgresStoreOptions, true>> = {
  pool: true,
  connectionString: true,
  schema: true,
  migrate: true,
  sendWhileAway: true,
};

/** After the store has failed, how long its replacement is used without asking it again, which may take seconds. */
const AWAY_MS = 5_000;

/**
 * A store whose pace, ledger and suppressions are replaced by others while it can't be used. The outbox is not: what it
 * has promised cannot be kept anywhere else.
 */
function withFallback<Store extends MailStore>(store: Store, replacement: MailStore): Store {
  let awayUntil = Number.NEGATIVE_INFINITY;
  const replaceable = <Part extends object>(part: Part, other: Part): Part =>
    new Proxy(part, {
      get:
        (_, method) =>
        async (...args: unknown[]): Promise<unknown> => {
          const call = (of: object): unknown => Reflect.apply(Reflect.get(of, method), of, args);
          if (performance.now() >= awayUntil)
            try {
              return await call(part);
            } catch (error) {
              if (!(error instanceof StoreError)) throw error;
              awayUntil = performance.now() + AWAY_MS;
              publish({ type: "store-away", reason: error.message });
            }
          return call(other);
        },
    });
  return {
    ...store,
    pace: replaceable(store.pace, replacement.pace),
    ledger: replaceable(store.ledger, replacement.ledger),
    suppressions: replaceable(store.suppressions, replacement.suppressions),
  };
}
