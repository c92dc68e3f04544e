// @ts-check
/*
 * Queueing in Postgres compared with the minimum for storing a message: an insert of the same JSON into a table with an id and
 * a unique key, each in a transaction of its own. Both use the same pool, and their tables grow together.
 */
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { postgresStore } from "../../../dist/postgres/index.js";
import { toResult } from "../../measure/report.mjs";
import { AT_ONCE, mailerOf, messageOf, queueAll } from "../queueing.mjs";

const COUNT = 10_000;

/** @param {import("../postgres.mjs").PostgresBench} options */
export async function benchQueueing({ pool, rounds, note }) {
  await pool.query("CREATE TABLE bare (id text PRIMARY KEY, key text NOT NULL UNIQUE, email text NOT NULL)");
  const store = postgresStore({ pool });
  const mailer = mailerOf(store);
  /** @param {number} number */
  const queue = (number) => mailer.queueMessage(messageOf(number));
  /** @param {number} number */
  const insert = (number) => {
    const { key, ...email } = messageOf(number);
    return pool.query("INSERT INTO bare (id, key, email) VALUES ($1, $2, $3)", [
      randomUUID(),
      key,
      JSON.stringify(email),
    ]);
  };
  /** @type {{ measured: number[], reference: number[] }} */
  const times = { measured: [], reference: [] };
  try {
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "postgres, queueing: warming up" : `postgres, queueing: round ${round} of ${rounds}`);
      const measured = await timeOfEach(round * COUNT, queue);
      const reference = await timeOfEach(round * COUNT, insert);
      if (round === 0) continue;
      times.measured.push(measured);
      times.reference.push(reference);
    }
  } finally {
    await mailer.close();
    await store.close();
    await pool.query("DROP TABLE bare; DROP SCHEMA IF EXISTS lettershop CASCADE");
  }
  return [
    toResult({
      name: `queue 10,000 messages, ${AT_ONCE} at once`,
      ...times,
      baseline: "inserts with a unique key",
      unit: "µs",
      target: 3,
    }),
  ];
}

/** Microseconds per message. @param {number} first @param {(number: number) => Promise<unknown>} store */
async function timeOfEach(first, store) {
  const start = performance.now();
  await queueAll(first, COUNT, store);
  return ((performance.now() - start) / COUNT) * 1000;
}
