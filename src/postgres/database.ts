import { setTimeout as sleep } from "node:timers/promises";
import { type Backoff, backoff } from "../api/calls/timing.js";
import { isRecord } from "../values.js";
import {
  ClosedError,
  isAnswer,
  isLost,
  isOutdated,
  isUndone,
  isUnreachable,
  type Overdue,
  storeErrorOf,
  TooLateError,
} from "./errors.js";

/** What statements take: libraries encode anything else in their own ways. */
export type SqlValue = string | number | boolean | null;

/**
 * Runs one statement, and returns the text of each row's only column: libraries rename columns and parse other types as
 * they are configured to. The statement names the default schema, as in `lettershop.messages`.
 */
export type Query = (sql: string, values?: readonly SqlValue[]) => Promise<readonly string[]>;

/** A statement for `change`, which writes the values into it. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A `Pool` of `pg`, as far as a store uses it. */
export interface PostgresPool {
  connect(done: (error: Error | undefined, client: PostgresClient | undefined) => void): void;
  /** Only called for a pool that the store opened. */
  end?(): Promise<void>;
  /** A client of `pg` has none. */
  readonly totalCount: number;
  /** How many wait for one of its connections to be released. */
  readonly waitingCount?: number;
  /** Whether its owner has ended it. */
  readonly ending?: boolean;
  readonly options?: PoolSettings;
  /** Makes its connections. */
  readonly Client?: new (options?: object) => Omit<PostgresClient, "release"> & {
    connect(): Promise<unknown>;
    end(): Promise<void>;
  };
}

/** What a pool is made with, as far as a store looks at it: for error messages, and how many connections it may have. */
export interface PoolSettings {
  readonly max?: number | undefined;
  readonly connectionString?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
  readonly database?: string | undefined;
}

/** A connection from a pool of `pg`. */
export interface PostgresClient {
  query(
    query: string | PostgresStatement,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly unknown[]; readonly command?: string }>;
  release(error?: Error | boolean): void;
  /** `"I"` outside of transactions. Older versions of `pg` don't have it. */
  getTransactionStatus?(): string | null;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "notification", listener: (message: PostgresNotification) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
  /** Of the process that serves the connection, as the server said when it was opened. */
  readonly processID?: number | null;
}

export interface PostgresNotification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/** A statement whose columns `pg` returns as the database sends them, whatever parsers the application has set. */
export interface PostgresStatement {
  readonly text: string;
  readonly values: unknown[];
  readonly rowMode: "array";
  readonly types: { getTypeParser(): (text: string) => string };
}

/** How long a store waits for a connection, over several tries: a database restarts within seconds. */
export const CONNECT_MS = 5_000;
const AGAIN: Backoff = { firstMs: 100, longestMs: 1_000 };
/** How long one use of a connection may take, including waits for other transactions. */
const ANSWER_MS = 30_000;
/** How long the tables may take to be created or changed, including the wait for another server that does so. */
const PREPARE_MS = 600_000;
/** How long a process may be suspended while others wait for its lock: shorter than what makes its tickets forgotten. */
const SUSPENDED_MS = 1_000;
/** Tries of a change that the database undid because of another one. */
const TRIES = 10;
/** Milliseconds between tries after a lost connection. */
const PAUSE_MS = 100;

/**
 * The database ends a transaction whose process was paused or cut off, so that others don't wait for its locks. Names
 * the isolation level, because applications may set another default.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = ${ANSWER_MS / 2}`;

export const DEFAULT_SCHEMA = "lettershop";

export interface DatabaseOptions {
  /** How errors refer to it. Contains no user and no password. */
  readonly name: string;
  readonly schema: string;
  /** Called when the first connection is needed. */
  readonly openPool: () => Promise<PostgresPool>;
  /** Whether it is ended with the store. */
  readonly ownsPool: boolean;
  /** Whether a connection that the database refuses is tried again, as it may be restarting. */
  readonly waitsForRestart: boolean;
  /** Called once before the first statement, and again if it failed or a table turned out to be missing or different. */
  readonly prepare: (client: PostgresClient, schema: string) => Promise<void>;
}

/** Runs a store's statements on connections of a pool. All errors are ones that a mailer may throw. */
export class Database {
  readonly name: string;
  readonly schema: string;
  #pool: Promise<PostgresPool> | undefined;
  /** Whether the tables are there, as far as is known. */
  #isReady = false;
  #preparing: Promise<void> | undefined;
  #preparingOutsidePool: Promise<void> | undefined;
  #isClosed = false;

  constructor(private readonly options: DatabaseOptions) {
    this.name = options.name;
    this.schema = options.schema;
  }

  /**
   * Runs a statement of its own transaction, again if the database undid it because of another one. After a lost
   * connection it is unknown whether it ran, and the error is thrown.
   */
  readonly query: Query = async (sql, values) =>
    this.#untilDone(() => this.withConnection((client) => this.queryOn(client)(sql, values)));

  /** Runs statements as one change, whatever isolation level is the default. If the database undoes it, it runs again. */
  async transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#untilDone(() =>
      this.withConnection(async (client) => {
        await client.query(BEGIN);
        const result = await work(this.queryOn(client)).catch(async (error: unknown) => {
          // If this fails, `withConnection` closes the connection.
          await client.query("ROLLBACK").catch(() => undefined);
          throw error;
        });
        const { command } = await client.query("COMMIT");
        // The answer to a COMMIT after a failed statement.
        if (command === "ROLLBACK") throw new Error("The transaction was rolled back.");
        return result;
      }),
    );
  }

  /**
   * Runs a change that depends on what it reads, in two round trips, because others wait for its lock. If the database
   * undoes it, it runs again. A process that is suspended between the two loses the lock, and its change fails.
   *
   * It is not flushed to disk separately: the next change that is flushed includes it.
   *
   * @param decide Gets what each of the statements returns.
   */
  async change<Result>(
    read: readonly Statement[],
    decide: (read: readonly (readonly string[])[]) => { readonly result: Result; readonly write: readonly Statement[] },
  ): Promise<Result> {
    return this.#untilDone(() =>
      this.withConnection(async (client) => {
        const run = async (...statements: readonly string[]) => rowsOf(await client.query(statements.join("; ")));
        const begin = [
          "BEGIN ISOLATION LEVEL READ COMMITTED",
          "SET LOCAL synchronous_commit = off",
          `SET LOCAL idle_in_transaction_session_timeout = ${SUSPENDED_MS}`,
        ];
        try {
          const rows = await run(...begin, ...read.map((each) => this.#withLiterals(each)));
          const { result, write } = decide(rows.slice(begin.length));
          await run(...write.map((each) => this.#withLiterals(each)), "COMMIT");
          return result;
        } catch (error) {
          if (isAnswer(error)) await client.query("ROLLBACK").catch(() => undefined);
          throw error;
        }
      }),
    );
  }

  /** Several statements in one text cannot have parameters. */
  #withLiterals({ sql, values }: Statement): string {
    return sql.replaceAll(/\blettershop\b|\$(\d+)/g, (_, position?: string) =>
      position === undefined ? quoted(this.schema) : literal(values[Number(position) - 1] ?? null),
    );
  }

  /** Runs statements on a connection that the caller has. */
  queryOn(client: PostgresClient): Query {
    return async (sql, values = []) => {
      const text = this.inSchema(sql);
      return textsOf((await client.query({ text, values: [...values], rowMode: "array", types: UNPARSED })).rows);
    };
  }

  /** A statement for the schema that the store really has. */
  inSchema(sql: string): string {
    return inSchema(sql, this.schema);
  }

  /** Resolves when the tables exist; other methods wait for it. */
  async ready(): Promise<void> {
    if (this.#isReady) return;
    this.#preparing ??= this.#prepare(() => this.connect()).finally(() => (this.#preparing = undefined));
    await this.#preparing;
  }

  /**
   * Like `ready`, for a call from the application's transaction. Such transactions may have all connections of the pool,
   * so it waits for none of them.
   *
   * @param isReady Looks for the tables in the transaction.
   */
  async readyWithin(isReady: () => Promise<boolean>): Promise<void> {
    if (this.#isReady) return;
    if (await isReady()) {
      this.#isReady = true;
      return;
    }
    this.#preparingOutsidePool ??= this.#prepare(() => this.#connectOutsidePool()).finally(
      () => (this.#preparingOutsidePool = undefined),
    );
    await this.#preparingOutsidePool;
  }

  async #prepare(connect: () => Promise<PostgresClient>): Promise<void> {
    await this.#untilDone(() => this.#use((client) => this.options.prepare(client, this.schema), PREPARE_MS, connect));
    this.#isReady = true;
  }

  /**
   * Takes a connection from the pool. Returns it after use, or closes it if it may still be busy or in a transaction.
   */
  async withConnection<Result>(use: (client: PostgresClient) => Promise<Result>): Promise<Result> {
    await this.ready();
    try {
      return await this.#use(use, ANSWER_MS);
    } catch (error) {
      // Another version may have changed the tables.
      if (isOutdated(error)) this.#isReady = false;
      throw error;
    }
  }

  async #use<Result>(
    use: (client: PostgresClient) => Promise<Result>,
    answerMs: number,
    connect = () => this.connect(),
  ): Promise<Result> {
    try {
      const client = await connect();
      let isBroken = false;
      const onError = () => (isBroken = true);
      client.on("error", onError);
      try {
        return await inTime(use(client), answerMs, () => "an answer");
      } catch (error) {
        isBroken ||= !isAnswer(error) || client.getTransactionStatus?.() !== "I";
        throw error;
      } finally {
        client.removeListener("error", onError);
        client.release(isBroken);
      }
    } catch (error) {
      throw storeErrorOf(error, this.options.name);
    }
  }

  /** Whether one of the pool's connections can be held. A pool that does not say how many it has may have only one. */
  async hasSeveralConnections(): Promise<boolean> {
    const { options } = await this.#openPool();
    return (options?.max ?? 1) > 1;
  }

  /**
   * Takes a connection from the pool; the caller listens to its errors, and releases it. Its errors are the driver's
   * own.
   *
   * @param signal Ends the pauses between tries.
   */
  async connect(signal?: AbortSignal): Promise<PostgresClient> {
    const until = performance.now() + CONNECT_MS;
    for (let tries = 1; ; tries += 1)
      try {
        const pool = await this.#openPool();
        const awaited = () => (pool.waitingCount ? "a free connection" : "a connection");
        return await inTime(connectTo(pool), until - performance.now(), awaited, (late) => late.release());
      } catch (error) {
        const pause = backoff(tries, AGAIN);
        if (!this.options.waitsForRestart || !isUnreachable(error) || performance.now() + pause > until) throw error;
        await sleep(pause, undefined, { signal });
      }
  }

  async #connectOutsidePool(): Promise<PostgresClient> {
    const { Client, options } = await this.#openPool();
    if (Client === undefined) return this.connect();
    const client = new Client(options);
    const release = () => void client.end().catch(() => undefined);
    client.on("error", () => undefined);
    await inTime(client.connect(), CONNECT_MS, () => "a connection", release).catch((error: unknown) => {
      release();
      throw error;
    });
    return Object.assign(client, { release });
  }

  async #openPool(): Promise<PostgresPool> {
    if (this.#isClosed) throw new ClosedError("it was closed");
    this.#pool ??= this.options.openPool().catch((error: unknown) => {
      this.#pool = undefined;
      throw error;
    });
    const pool = await this.#pool;
    if (pool.ending === true) throw new ClosedError("its pool was ended");
    return pool;
  }

  /** Ends the pool if the store opened it, when its connections are no longer in use. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const pool = await this.#pool?.catch(() => undefined);
    if (this.options.ownsPool) await pool?.end?.();
  }

  async #untilDone<Result>(change: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries += 1)
      try {
        return await change();
      } catch (error) {
        if (tries === TRIES || !isUndone(error)) throw error;
        await sleep(Math.random() * 10 * tries);
      }
  }
}

/** Runs again after a lost connection what changes nothing more if it did run: its rows have ids. */
export async function repeatedly<Result>(run: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + CONNECT_MS;
  for (;;)
    try {
      return await run();
    } catch (error) {
      if (!isLost(error) || performance.now() > until) throw error;
      await sleep(PAUSE_MS);
    }
}

const UNPARSED = { getTypeParser: () => (text: string) => text };

function textsOf(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => {
    const [text] = Array.isArray(row) ? row : [];
    if (typeof text !== "string") throw new Error("A statement returned something other than one text.");
    return text;
  });
}

/** Of each of several statements, for which `pg` returns an array of results. */
function rowsOf(results: unknown): readonly (readonly string[])[] {
  return [results].flat().map((result) => {
    const rows = isRecord(result) ? result["rows"] : undefined;
    return Array.isArray(rows) ? rows.map((row: object) => String(Object.values(row)[0])) : [];
  });
}

/** A value in a statement, safe whatever `standard_conforming_strings` is. */
function literal(value: SqlValue): string {
  if (value === null) return "NULL";
  const text = String(value).replaceAll("'", "''");
  return text.includes("\\") ? ` E'${text.replaceAll("\\", "\\\\")}'` : `'${text}'`;
}

const heard = new WeakSet<PostgresClient>();

/**
 * A connection's errors without a listener end the process. They may come in the same packet as the answer that opens
 * it, so it gets a listener at once, and keeps it until it is closed.
 */
function connectTo(pool: PostgresPool): Promise<PostgresClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) return reject(error ?? new Error("The pool returned no connection."));
      if (!heard.has(client)) client.on("error", () => undefined);
      heard.add(client);
      resolve(client);
    });
  });
}

/** Replaces the name of the default schema in a statement. */
export function inSchema(sql: string, schema: string): string {
  return schema === DEFAULT_SCHEMA ? sql : sql.replaceAll(/\blettershop\b/g, () => quoted(schema));
}

/** An identifier in a statement. */
export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/**
 * @param awaited Called when it is too late.
 * @param late Called if the promise resolves after all.
 */
export async function inTime<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  awaited: () => Overdue,
  late?: (value: Value) => void,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new TooLateError(awaited()));
    }, milliseconds);
  });
  promise.then(
    (value) => isLate && late?.(value),
    () => undefined,
  );
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
