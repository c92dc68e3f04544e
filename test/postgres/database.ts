import { randomUUID } from "node:crypto";
import { Client } from "pg";

/**
 * An empty database on the suite's server.
 *
 * @returns Its connection string.
 */
export async function createDatabase(): Promise<string> {
  const url = new URL(process.env["TEST_POSTGRES"] ?? "");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} STRATEGY wal_log`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}
