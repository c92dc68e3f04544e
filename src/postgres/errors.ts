import { ConfigurationError, errorCode, MissingPeerError, PeerLoadError } from "../errors.js";
import { StoreError } from "../send/errors.js";

/** A free connection is one of a pool whose connections are all in use. */
export type Overdue = "a connection" | "a free connection" | "an answer";

/** Something took too long. */
export class TooLateError extends Error {
  override readonly name = "TooLateError";

  constructor(readonly awaited: Overdue) {
    super(`There was not ${awaited} in time.`);
  }
}

/** The store or its pool is no longer open. */
export class ClosedError extends Error {
  override readonly name = "ClosedError";
}

/**
 * Whether the database answered, and can be asked again on the same connection. A connection to a server that became a
 * read-only replica can't be used any more, although it answers: a new one may lead to the new primary.
 */
export function isAnswer(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && !/^(?:57P|08|25P0[34]|25006)/.test(state);
}

/** Whether no connection could be made, and it is worth trying again: the database is starting, or has too many. */
export function isUnreachable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(?:57P|08|53300)/.test(state);
  return !isOurs(error) && !(error instanceof ClosedError) && troubleOf(error) === undefined;
}

/**
 * Whether the database undid a change because of another one, or did nothing at all, so that it can be made again. A
 * duplicate key is such a case, because statements look for one before.
 */
export function isUndone(error: unknown): boolean {
  const state = sqlState(error instanceof StoreError ? error.cause : error);
  return state === "40001" || state === "40P01" || state === "23505" || state === "25006";
}

/** Whether the connection broke during a change, so that nobody knows whether it was made. */
export function isLost(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error;
  const state = sqlState(cause);
  if (state !== undefined) return /^(?:57P0[12]|08|25P0[34])/.test(state);
  return ["ECONNRESET", "EPIPE"].includes(errorCode(cause) ?? "") || /terminated|not queryable/.test(String(cause));
}

/** Whether the database answered that it did not run a statement, rather than that it accepts no connection. */
export function isRefused(error: unknown): boolean {
  return error instanceof StoreError && isAnswer(error.cause) && !isUnreachable(error.cause);
}

/** Whether tables or columns are missing. */
export function isOutdated(error: unknown): boolean {
  return /^(?:3F|42)/.test(sqlState(error instanceof StoreError ? error.cause : error) ?? "");
}

/** Whether a table or its schema does not exist. */
export function isMissingTable(error: unknown): boolean {
  return ["3F000", "42P01"].includes(sqlState(error) ?? "");
}

/** Whether the user lacks a right. */
export function isForbidden(error: unknown): boolean {
  return sqlState(error) === "42501";
}

function isOurs(error: unknown): boolean {
  return [StoreError, ConfigurationError, MissingPeerError, PeerLoadError].some((type) => error instanceof type);
}

/** The code of an error that the database reported, as in appendix A of its manual. */
function sqlState(error: unknown): string | undefined {
  const code = errorCode(error);
  return code !== undefined && /^(?!E[A-Z]{4})[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

interface Trouble {
  readonly what: string;
  readonly hint: string;
}

const unreachable = "Check that the database is running, and that this machine can reach it.";
const migrate = "Run: templates outbox migrate";
const again = "Try again when it is back. Messages that were queued before are safe.";
const lost: Trouble = { what: "the connection was lost", hint: unreachable };

/** By SQLSTATE or its first two characters. The database's own messages may quote values. */
const troubles: Readonly<Record<string, Trouble>> = {
  "08": lost,
  "25006": {
    what: "it is read-only",
    hint: "Connect to the primary server, not to a replica, and don't use a read-only transaction.",
  },
  "25P02": {
    what: "an earlier statement in the transaction failed",
    hint: "Roll the transaction back. Its first error says why.",
  },
  "25P03": lost,
  "25P04": lost,
  "28": {
    what: "it refused the user, the password, or a connection without TLS",
    hint: "Check the user and the password in its address. Many servers need `?sslmode=verify-full` at its end.",
  },
  "3D": { what: "the database does not exist", hint: "Create the database, or check its name in the address." },
  "3F": { what: "its schema is missing", hint: migrate },
  "40": { what: "it aborted the transaction because of another one", hint: "Run the whole transaction again." },
  "42501": {
    what: "the user may not access the tables",
    hint: "Grant this user USAGE on the schema, and SELECT, INSERT, UPDATE and DELETE on its tables.",
  },
  "42703": { what: "a column is missing", hint: migrate },
  "42883": { what: "a function is missing", hint: migrate },
  "42P01": { what: "a table is missing", hint: migrate },
  "53100": { what: "its disk is full", hint: "Free some space. Messages that were queued before are safe." },
  "53200": { what: "it is out of memory", hint: again },
  "53300": { what: "it has too many connections", hint: "Use a smaller pool, or raise max_connections." },
  "55P03": { what: "another transaction held a lock for too long", hint: "Try again when that transaction has ended." },
  "57": { what: "it is shutting down or starting", hint: again },
  "57014": { what: "a statement took too long", hint: "Another transaction may be blocking it. Try again later." },
};

/** By Node's codes, of networks that may work the next time. */
const networkTroubles: Readonly<Record<string, Trouble>> = {
  ECONNREFUSED: { what: "the connection was refused", hint: unreachable },
  EHOSTUNREACH: { what: "its host can't be reached", hint: unreachable },
  ENETUNREACH: { what: "its host can't be reached", hint: unreachable },
  EAI_AGAIN: {
    what: "its host name can't be looked up",
    hint: "Check the host name in its address, and that this machine can reach its DNS server.",
  },
};

/** What the driver or Node reports about connections that will not work the next time either. */
const driverTroubles: readonly (Trouble & { readonly pattern: RegExp })[] = [
  {
    pattern: /^ENOTFOUND$/,
    what: "its host name is unknown",
    hint: "Check the host name in its address.",
  },
  {
    pattern: /^ENOENT$/,
    what: "a file that its address names does not exist",
    hint: "Check the paths of the socket and of certificates in its address.",
  },
  {
    pattern: /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/,
    what: "its TLS certificate is not trusted",
    hint: "Add the issuing authority's certificate to its address: `?sslrootcert=PATH`.",
  },
  {
    pattern: /does not support SSL|ERR_SSL|establishing an SSL/,
    what: "it refused a TLS connection",
    hint: "Turn TLS on in the server, or remove `sslmode` from its address.",
  },
  {
    pattern: /^SASL/,
    what: "it needs a password, or the password can't be used",
    hint: "Add the password to its address, or set PGPASSWORD.",
  },
];

/** The driver's code and message are only compared, never shown. */
function troubleOf(error: unknown): Trouble | undefined {
  const facts = [errorCode(error), error instanceof Error ? error.message : undefined];
  return driverTroubles.find(({ pattern }) => facts.some((fact) => fact !== undefined && pattern.test(fact)));
}

/** Translates whatever a database or its driver throws into an error that names the store and what to do. */
export function storeErrorOf(error: unknown, store: string): unknown {
  if (isOurs(error)) return error;
  const { what, hint } = explain(error);
  return new StoreError(`Can't use the mailer's store ${store}: ${what}.`, { cause: error, hint });
}

function explain(error: unknown): Trouble {
  if (error instanceof ClosedError)
    return { what: error.message, hint: "Close mailers before their store, and the store before its pool." };
  const overdue = overdueOf(error);
  if (overdue !== undefined) return latenesses[overdue];
  const state = sqlState(error);
  if (state !== undefined)
    return (
      troubles[state] ??
      troubles[state.slice(0, 2)] ?? {
        what: `it reported an error (SQLSTATE ${state})`,
        hint: "See the error's `cause`.",
      }
    );
  return (
    networkTroubles[errorCode(error) ?? ""] ??
    troubleOf(error) ??
    (isOfConnection(error) ? lost : { what: "it failed", hint: "See the error's `cause`." })
  );
}

/** Node's errors have codes, the driver's own none. */
function isOfConnection(error: unknown): boolean {
  return errorCode(error) !== undefined || (error instanceof Error && /connection|not queryable/i.test(error.message));
}

const latenesses: Readonly<Record<Overdue, Trouble>> = {
  "a connection": { what: "connecting took too long", hint: unreachable },
  "a free connection": {
    what: "the pool had no free connection in time",
    hint: `${unreachable} If it can, the pool is too small: raise its \`max\`.`,
  },
  "an answer": {
    what: "it did not answer in time",
    hint: `${unreachable} If it can, something blocks the database, such as a synchronous standby that is away.`,
  },
};

/** What took too long, also by the pool's own `connectionTimeoutMillis`. */
function overdueOf(error: unknown): Overdue | undefined {
  if (error instanceof TooLateError) return error.awaited;
  if (!(error instanceof Error)) return undefined;
  if (/timeout exceeded when trying to connect/i.test(error.message)) return "a free connection";
  return /connection timeout/i.test(error.message) ? "a connection" : undefined;
}
