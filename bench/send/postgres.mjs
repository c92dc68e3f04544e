// @ts-check
/*
 * A store in a Postgres of its own, with its default settings, so that commits are flushed to the disk: queueing and draining
 * messages, and what a table of a million finished messages costs.
 */
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { runnerImport } from "vite";
import { benchDraining } from "./postgres/draining.mjs";
import { benchFinished } from "./postgres/finished.mjs";
import { benchQueueing } from "./postgres/queueing.mjs";

/** As many as the pool of a store has that is not passed one. */
const CONNECTIONS = 10;

/**
 * @typedef {object} PostgresBench
 * @property {import("pg").Pool} pool For all that is compared.
 * @property {string} url Of the same database.
 * @property {number} connections The number of connections of each pool.
 * @property {number} rounds
 * @property {(text: string) => void} note
 */

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchPostgres({ rounds, note }) {
  /** @type {{ module: typeof import("../../test/postgres/server.js") }} */
  const { module } = await runnerImport(fileURLToPath(new URL("../../test/postgres/server.ts", import.meta.url)));
  const server = await module.PostgresServer.start();
  const url = server.url();
  const pool = new Pool({ connectionString: url, max: CONNECTIONS });
  pool.on("error", () => undefined);
  const options = { pool, url, connections: CONNECTIONS, rounds, note };
  try {
    return [...(await benchQueueing(options)), ...(await benchDraining(options)), ...(await benchFinished(options))];
  } finally {
    await pool.end();
    await server.remove();
  }
}
