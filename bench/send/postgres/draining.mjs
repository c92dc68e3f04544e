// @ts-check
/*
 * Draining 10,000 messages with a real worker, to a bare server without a limit: pace, ledger and HTTP are included. It is
 * compared with pg-boss, whose jobs do nothing and which has no pace and no ledger.
 *
 * The reference is pg-boss's `fetch` and `complete`, one job each, 10 at once, because that is how a message is sent: leased
 * and completed on its own, and 10 is a worker's concurrency. `work()` with its default options takes one job every two
 * seconds, which nobody drains a queue with; it is only reported. Batches would lease messages that nobody sends yet.
 */
import { performance } from "node:perf_hooks";
import { createMailer } from "../../../dist/send/index.js";
import { postgresStore } from "../../../dist/postgres/index.js";
import { startServer } from "../../api/process.mjs";
import { toResult } from "../../measure/report.mjs";
import { messageOf, queueAll } from "../queueing.mjs";

const COUNT = 10_000;
const WARM_UP = 1_000;
const AT_ONCE = 10;
/** One takes two seconds. */
const JOBS_OF_WORK = 3;

/** @param {import("../postgres.mjs").PostgresBench} options */
export async function benchDraining(options) {
  const { rounds, note } = options;
  const server = await startServer(new URL("../bare.mjs", import.meta.url));
  /** @type {Record<"mailer" | "fetch" | "work", number[]>} */
  const times = { mailer: [], fetch: [], work: [] };
  try {
    for (let round = 0; round <= rounds; round += 1) {
      note(round === 0 ? "postgres, draining: warming up" : `postgres, draining: round ${round} of ${rounds}`);
      const count = round === 0 ? WARM_UP : COUNT;
      const mailer = await timeOfMailer(count, server.url, options);
      const boss = await timesOfBoss(count, options);
      if (round === 0) continue;
      times.mailer.push(mailer);
      times.fetch.push(boss.fetch);
      times.work.push(boss.work);
    }
  } finally {
    await server.close();
  }
  const row = { name: "drain 10,000 messages", measured: times.mailer, unit: /** @type {const} */ ("µs") };
  return [
    toResult({ ...row, reference: times.fetch, baseline: "pg-boss, empty jobs", target: 2 }),
    toResult({ ...row, reference: times.work, baseline: "pg-boss, `work()` by default" }),
  ];
}

/** Microseconds per message. @param {number} count @param {string} url @param {import("../postgres.mjs").PostgresBench} options */
async function timeOfMailer(count, url, { pool }) {
  const store = postgresStore({ pool });
  const mailer = createMailer({
    url,
    domain: "example.test",
    apiKey: "bench",
    from: "shop",
    store,
    sendsPerMinute: Number.POSITIVE_INFINITY,
  });
  try {
    await queueAll(0, count, (number) => mailer.queueMessage(messageOf(number)));
    await vacuum(pool, "lettershop.messages");
    const start = performance.now();
    const worker = mailer.work({ concurrency: AT_ONCE });
    await worker.idle();
    const took = performance.now() - start;
    const { counts } = await mailer.outbox.stats();
    if (counts.accepted !== count) throw new Error(`Of ${count} messages, ${counts.accepted} were accepted.`);
    return (took / count) * 1000;
  } finally {
    await mailer.close();
    await store.close();
    await pool.query("DROP SCHEMA lettershop CASCADE");
  }
}

/**
 * Microseconds per job.
 *
 * @param {number} count
 * @param {import("../postgres.mjs").PostgresBench} options
 */
async function timesOfBoss(count, { pool, url, connections }) {
  /** Installed only for the benchmarks. @type {string} */
  const name = "pg-boss";
  const { default: PgBoss } = await import(name);
  const boss = new PgBoss({ connectionString: url, max: connections, supervise: false, schedule: false });
  boss.on("error", (/** @type {unknown} */ error) => console.error(error));
  await boss.start();
  try {
    await boss.createQueue("mail");
    for (let first = 0; first < count; first += 500) {
      const size = Math.min(500, count - first);
      await boss.insert(Array.from({ length: size }, (_, index) => ({ name: "mail", data: messageOf(first + index) })));
    }
    await vacuum(pool, "pgboss.job");
    const start = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, () => fetchAll(boss)));
    const fetch = ((performance.now() - start) / count) * 1000;
    return { fetch, work: await timeOfWork(boss) };
  } finally {
    await boss.stop({ graceful: false, wait: true });
    await pool.query("DROP SCHEMA pgboss CASCADE");
  }
}

/** @param {any} boss */
async function fetchAll(boss) {
  for (;;) {
    const [job] = await boss.fetch("mail");
    if (job === undefined) return;
    await boss.complete("mail", job.id);
  }
}

/** Microseconds from the start of a job to that of the next. @param {any} boss */
async function timeOfWork(boss) {
  await boss.insert(Array.from({ length: JOBS_OF_WORK }, () => ({ name: "mail", data: {} })));
  /** @type {number[]} */
  const starts = [];
  await new Promise((resolve) => {
    void boss.work("mail", async () => {
      starts.push(performance.now());
      if (starts.length === JOBS_OF_WORK) resolve(undefined);
    });
  });
  await boss.offWork("mail");
  const [first = 0] = starts;
  return (((starts.at(-1) ?? 0) - first) / (JOBS_OF_WORK - 1)) * 1000;
}

/** Now, rather than at some time while it is measured. @param {import("pg").Pool} pool @param {string} table */
async function vacuum(pool, table) {
  await pool.query(`VACUUM ANALYZE ${table}`);
  await pool.query("CHECKPOINT");
}
