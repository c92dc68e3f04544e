// @ts-check
/*
 * What a store does for each message (add, take, record the outcome), with a million finished messages compared with none. Two
 * schemas of one database take turns, one statement after another.
 */
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { postgresStore } from "../../../dist/postgres/index.js";
import { toResult } from "../../measure/report.mjs";
import { messageOf } from "../queueing.mjs";

const FINISHED = 1_000_000;
const TURNS = 10;
/** Messages per turn. */
const MESSAGES = 20;
const TARGET = "https://api.example.com example.test";
const LEASE_MS = 60_000;

const STEPS = /** @type {const} */ (["add", "take", "settle"]);

/** @typedef {Record<(typeof STEPS)[number], number>} Times Microseconds per message. */
/** @typedef {NonNullable<import("../../../dist/send/store/store.js").MailStore["outbox"]>} Outbox */

/** @param {import("../postgres.mjs").PostgresBench} options */
export async function benchFinished({ pool, rounds, note }) {
  note("postgres, finished messages: filling the table");
  const full = postgresStore({ pool });
  const empty = postgresStore({ pool, schema: "without_finished" });
  const [fullOutbox, emptyOutbox] = [outboxOf(full), outboxOf(empty)];
  /** @type {{ full: Times[], empty: Times[] }} */
  const times = { full: [], empty: [] };
  try {
    await Promise.all([fullOutbox.targets(), emptyOutbox.targets()]);
    await fill(pool);
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "postgres, finished: warming up" : `postgres, finished: round ${round} of ${rounds}`);
      const [measured, reference] = [noTimes(), noTimes()];
      for (let turn = 0; turn < TURNS; turn += 1) {
        await pass(fullOutbox, measured);
        await pass(emptyOutbox, reference);
      }
      if (round === 0) continue;
      times.full.push(measured);
      times.empty.push(reference);
    }
  } finally {
    await full.close();
    await empty.close();
    await pool.query("DROP SCHEMA IF EXISTS lettershop CASCADE; DROP SCHEMA IF EXISTS without_finished CASCADE");
  }
  return STEPS.map((step) =>
    toResult({
      name: `${step} a message, next to 1,000,000 finished ones`,
      measured: times.full.map((each) => each[step]),
      reference: times.empty.map((each) => each[step]),
      baseline: "an empty table",
      unit: "µs",
      target: 1.25,
    }),
  );
}

/** @returns {Times} */
function noTimes() {
  return { add: 0, take: 0, settle: 0 };
}

/** @param {import("../../../dist/send/store/store.js").MailStore} store @returns {Outbox} */
function outboxOf({ outbox }) {
  if (outbox === undefined) throw new Error("The store has no outbox.");
  return outbox;
}

/** Of the last weeks, as a busy application has them. @param {import("pg").Pool} pool */
async function fill(pool) {
  await pool.query(
    `INSERT INTO lettershop.messages (id, target, state, key_hash, key_contents, template, priority, on_unknown,
        queued_at, send_at, attempts, changed_at, sent_id, sent_message_id, has_contents, direct)
      SELECT gen_random_uuid(), $1, 'accepted', md5(i::text), md5(i::text), 'receipt', 'normal', 'park',
        at, at, 1, at, 'log-' || i, '<' || i || '@example.test>', false, false
      FROM generate_series(1, $2::int) AS i, LATERAL (SELECT clock_timestamp() - ($2::int - i) * interval '2 s' AS at) AS times`,
    [TARGET, FINISHED],
  );
  await pool.query("VACUUM ANALYZE lettershop.messages");
  await pool.query("CHECKPOINT");
}

let number = 0;

/** Adds, takes and settles messages, and adds the times. @param {Outbox} outbox @param {Times} times */
async function pass(outbox, times) {
  for (let each = 0; each < MESSAGES; each += 1) {
    number += 1;
    const { key, ...email } = messageOf(number);
    const id = randomUUID();
    const lease = { id: randomUUID(), forMs: LEASE_MS };
    const keyed = { text: key, hash: `${key} ${id}`, contents: key };
    const recipients = [email.to];
    times.add += await timeOf(() =>
      outbox.add({
        id,
        target: TARGET,
        key: keyed,
        priority: "normal",
        onUnknown: "park",
        recipients,
        email: { from: "shop", ...email },
      }),
    );
    times.take += await timeOf(() => outbox.take({ target: TARGET, priority: "normal", lease }));
    times.settle += await timeOf(async () => {
      const sent = { outcome: /** @type {const} */ ("accepted"), id, messageId: `<${id}@example.test>` };
      const isSettled = await outbox.change(id, { states: ["sending"], lease: lease.id }, { state: "accepted", sent });
      if (!isSettled) throw new Error("The message was not taken.");
    });
  }
}

/** @param {() => Promise<unknown>} step */
async function timeOf(step) {
  const start = performance.now();
  await step();
  return ((performance.now() - start) / (TURNS * MESSAGES)) * 1000;
}
