import { ConfigurationError, errorCode } from "../errors.js";
import { isRecord } from "../values.js";
import type { Query, SqlValue } from "./database.js";

interface Library {
  readonly name: string;
  /** Whether it is from this library: a transaction, a connection, or what opens them. */
  readonly owns: (handle: object) => boolean;
  /** Whether its statements can be part of a transaction: all of them run on one connection. */
  readonly isTransaction: (handle: object) => boolean;
  readonly run: (transaction: object, sql: string, values: readonly SqlValue[]) => unknown;
  /** How to open a transaction, with `…` in place of `mailer.queue`. */
  readonly example: string;
}

/** In this order, because some have members of others. They are recognized by their members, so none is imported. */
const LIBRARIES: readonly Library[] = [
  {
    name: "Prisma",
    owns: (handle) => has(handle, "$queryRawUnsafe"),
    isTransaction: (handle) => !has(handle, "$connect"),
    run: (transaction, sql, values) => call(transaction, "$queryRawUnsafe", sql, ...values),
    example: "await prisma.$transaction(async (tx) => { … });",
  },
  {
    name: "Drizzle",
    owns: (handle) => drizzleKinds(handle).length > 0,
    // The second is from Drizzle 1.0.
    isTransaction: (handle) =>
      ["PgTransaction", "PgAsyncTransaction"].some((kind) => drizzleKinds(handle).includes(kind)),
    run: (transaction, sql, values) => call(transaction, "execute", drizzleStatement(sql, values)),
    example: "await db.transaction(async (tx) => { … });",
  },
  {
    name: "Knex",
    owns: (handle) => has(handle, "raw") && has(handle, "transaction"),
    isTransaction: (handle) => Reflect.get(handle, "isTransaction") === true,
    run: (transaction, sql, values) => call(transaction, "raw", ...knexStatement(sql, values)),
    example: "await knex.transaction(async (tx) => { … });",
  },
  {
    name: "Kysely",
    owns: (handle) => has(handle, "executeQuery"),
    isTransaction: (handle) => Reflect.get(handle, "isTransaction") === true,
    // Plugins may change names and values.
    run: (transaction, sql, values) =>
      call(call(transaction, "withoutPlugins"), "executeQuery", kyselyStatement(sql, values)),
    example: "await db.transaction().execute(async (tx) => { … });",
  },
  {
    name: "postgres.js",
    owns: (handle) => has(handle, "unsafe"),
    isTransaction: (handle) => has(handle, "savepoint"),
    run: (transaction, sql, values) => call(transaction, "unsafe", sql, values),
    example: "await sql.begin(async (tx) => { … });",
  },
  {
    name: "pg",
    owns: (handle) => has(handle, "query") && ("connectionParameters" in handle || "totalCount" in handle),
    isTransaction: (handle) => "connectionParameters" in handle,
    run: (transaction, sql, values) => call(transaction, "query", sql, values),
    example: 'const tx = await pool.connect(); await tx.query("BEGIN"); … await tx.query("COMMIT");',
  },
  {
    name: "a function",
    owns: (handle) => typeof handle === "function",
    isTransaction: () => true,
    run: (transaction, sql, values) => call({ transaction }, "transaction", sql, values),
    example: "",
  },
];

/** What to do with a library that is not in the list. */
const OTHERS =
  "Or pass a function that runs a statement in it, and returns the rows: (sql, parameters) => tx.query(sql, parameters)";

/**
 * Postgres refuses this outside a transaction: some libraries still run statements when theirs has ended. Nothing else
 * locks this table.
 */
const REQUIRE_TRANSACTION = "LOCK TABLE pg_catalog.pg_am IN ACCESS SHARE MODE";

/**
 * Runs statements as part of a transaction that the application has open.
 *
 * @param transaction A transaction of one of the libraries, or a function `(sql, parameters) => rows`.
 * @returns Throws a ConfigurationError if the transaction is not open, otherwise the driver's errors.
 * @throws {ConfigurationError} It is not a transaction.
 */
export function queryOf(transaction: unknown): Query {
  const handle = isObject(transaction) ? transaction : {};
  const library = LIBRARIES.find(({ owns }) => owns(handle));
  if (library === undefined) {
    const names = LIBRARIES.map(({ name }) => name).slice(0, -1);
    throw new ConfigurationError("`transaction` is not a transaction of a supported library.", {
      hint: `Pass a transaction of ${names.join(", ")}. ${OTHERS}`,
    });
  }
  const { name, isTransaction, example } = library;
  if (!isTransaction(handle))
    throw new ConfigurationError(`\`transaction\` is from ${name}, but it is not a transaction of Postgres.`, {
      hint: `Pass the transaction: ${example.replace("…", "await mailer.queue(…, { transaction: tx });")}`,
    });

  const run = async (sql: string, values: readonly SqlValue[]): Promise<unknown> => {
    try {
      return await library.run(handle, sql, [...values]);
    } catch (error) {
      throw hasEnded(error) ? notOpen(error) : driverErrorOf(error);
    }
  };
  let required: Promise<unknown> | undefined;
  return async (sql, values = []) => {
    required ??= run(REQUIRE_TRANSACTION, []);
    await required;
    return textsOf(await run(sql, values), name);
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}

function has(handle: object, method: string): boolean {
  return typeof Reflect.get(handle, method) === "function";
}

function call(handle: unknown, method: string, ...args: readonly unknown[]): unknown {
  return Reflect.apply(Reflect.get(Object(handle), method), handle, args);
}

/** What Drizzle calls an object's classes. */
function drizzleKinds(handle: object): readonly unknown[] {
  const kinds: unknown[] = [];
  for (let type: unknown = handle.constructor; typeof type === "function"; type = Object.getPrototypeOf(type)) {
    const kind: unknown = Reflect.get(type, Symbol.for("drizzle:entityKind"));
    if (kind !== undefined) kinds.push(kind);
  }
  return kinds;
}

/** What `sql` of Drizzle makes, as far as `execute` uses it. */
function drizzleStatement(sql: string, params: readonly SqlValue[]): object {
  const statement = { getSQL: () => statement, toQuery: () => ({ sql, params }), queryChunks: [] };
  return statement;
}

/** Knex has `?` for a value, in order. */
function knexStatement(sql: string, values: readonly SqlValue[]): [string, readonly unknown[]] {
  const inOrder: unknown[] = [];
  const text = sql.replaceAll("?", String.raw`\?`).replaceAll(/\$(\d+)/g, (_, number: string) => {
    inOrder.push(values[Number(number) - 1]);
    return "?";
  });
  return [text, inOrder];
}

function kyselyStatement(sql: string, parameters: readonly SqlValue[]): object {
  const query = { kind: "RawNode", sqlFragments: [sql], parameters: [] };
  return { sql, parameters, query, queryId: { queryId: "lettershop" } };
}

/** The only value of each row, whatever the library calls it. */
function textsOf(result: unknown, library: string): readonly string[] {
  const rows: unknown = isRecord(result) && "rows" in result ? result["rows"] : result;
  const texts = Array.isArray(rows) ? rows.map((row) => (isObject(row) ? Object.values(row)[0] : row)) : [undefined];
  if (texts.every((text) => typeof text === "string")) return texts;
  throw new ConfigurationError(`\`transaction\` is from ${library}, and its results are not rows of the statement.`, {
    hint: "Return an array of rows, or an object with `rows`; don't change text in results.",
  });
}

function hasEnded(error: unknown): boolean {
  // From Postgres: the statement ran outside a transaction. From Prisma: P2028. The others have only words for it.
  return (
    ["25P01", "P2028"].includes(errorCode(driverErrorOf(error)) ?? "") ||
    (error instanceof Error && /^Transaction (?:is|query) already/.test(error.message))
  );
}

function notOpen(cause: unknown): ConfigurationError {
  return new ConfigurationError("`transaction` is not open: it has ended, or it never began.", {
    cause,
    hint: "Call `queue` between its begin and its end, and await it there. It also ends when it times out.",
  });
}

/** The error of Postgres in an error of a library: its `code` is the SQLSTATE. Drizzle's own quotes all values. */
function driverErrorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if ("params" in error && error.cause !== undefined) return error.cause;
  const meta: unknown = Reflect.get(error, "meta");
  const adapterError = isRecord(meta) ? meta["driverAdapterError"] : undefined;
  const cause = isRecord(adapterError) ? adapterError["cause"] : undefined;
  if (!isRecord(cause) || cause["originalCode"] === undefined) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: cause["originalCode"] });
}
