import type pg from "pg";
import { ConfigurationError, errorCode, MissingPeerError, PeerLoadError } from "../errors.js";
import { isRecord } from "../values.js";
import { CONNECT_MS, type PostgresPool } from "./database.js";

/**
 * A pool of the store's own, which has not connected yet.
 *
 * @throws {MissingPeerError} `pg` is not installed.
 * @throws {PeerLoadError} It is installed but does not load.
 */
export async function openPool(connectionString: string): Promise<PostgresPool> {
  const { Client, Pool } = await loadDriver();
  const pool = new Pool({
    Client: endingOnFailure(Client),
    connectionString,
    application_name: "lettershop",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // A program that has done its work ends, even if it does not close the store.
    allowExitOnIdle: true,
  });
  // An idle connection that breaks is replaced when the next one is needed.
  pool.on("error", () => undefined);
  return pool;
}

/**
 * Without a password that the server needs, `pg` leaves the socket open: the process would not end, and each further try
 * would take one more of the server's connections, until the server gives up a minute later.
 */
function endingOnFailure(Client: typeof pg.Client): typeof pg.Client {
  return class extends Client {
    override connect(): Promise<pg.Client>;
    override connect(done: (error: Error | null) => void): void;
    override connect(done?: (error: Error | null) => void): Promise<pg.Client> | undefined {
      if (done === undefined) return super.connect();
      super.connect((error: Error | null) => {
        if (error) void this.end();
        done(error);
      });
      return undefined;
    }
  };
}

async function loadDriver(): Promise<typeof pg> {
  try {
    // Before 8.15 it is a CommonJS module whose names Node does not find.
    return (await import("pg")).default;
  } catch (cause) {
    const neededBy = "the mailer's store on Postgres";
    const isMissing = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(errorCode(cause) ?? "");
    if (isMissing && /(?:package|module) 'pg'/.test(String(cause)))
      throw new MissingPeerError(["pg"], neededBy, { cause, isForRunning: true });
    throw new PeerLoadError("pg", neededBy, { cause, hint: "Run: npm install pg" });
  }
}

/**
 * A client of `pg` also has `connect`, but can't be shared.
 *
 * @throws {ConfigurationError} It is not a pool.
 */
export function checkPool(pool: unknown): void {
  if (isRecord(pool) && typeof pool["connect"] === "function" && typeof pool["totalCount"] === "number") return;
  throw new ConfigurationError("postgresStore: `pool` is not a pool of pg.", {
    hint: 'Pass `new Pool({ connectionString })` from "pg", or `connectionString`: the store then opens connections of its own.',
  });
}
