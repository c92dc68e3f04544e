/*
 * An application that queues a message in a transaction, and is killed right after the commit: `node queue-and-die.mjs
 * OPTIONS`, with the mailer's options as JSON and `connectionString`.
 */
import { Pool } from "pg";

const { connectionString, ...options } = JSON.parse(process.argv[2] ?? "");
const { createMailer } = await import("../../../dist/send/index.js");
const { postgresStore } = await import("../../../dist/postgres/index.js");

const pool = new Pool({ connectionString });
const mailer = createMailer({ ...options, store: postgresStore({ pool }) });
const transaction = await pool.connect();
await transaction.query("BEGIN");
await mailer.queueMessage({ to: "ada@example.com", subject: "Committed", text: "Hi", transaction });
await transaction.query("COMMIT");
process.kill(process.pid, "SIGKILL");
