// @ts-check
/*
 * The outbox compared with the minimum for storing a message: a plain insert of the same JSON into one table of the same
 * SQLite, flushed as often (synchronous FULL). Both files are in the same folder and grow together.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { toResult } from "../measure/report.mjs";
import { runProcess } from "../measure/run-process.mjs";
import { AT_ONCE, mailerOf, messageOf, queueAll } from "./queueing.mjs";

const CONCURRENT = 10_000;
/** Few enough that a round does not take a minute on a slow disk. */
const SEQUENTIAL = 200;
/** Compared with half as many, this shows whether memory grows with each message. */
const DOUBLE = 20_000;

const queueing = fileURLToPath(new URL("queueing.mjs", import.meta.url));

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchOutbox({ rounds, note }) {
  // Node 20 has no built-in SQLite.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite") ?? (await import("@photostructure/sqlite"));
  /** @type {Record<"concurrent" | "sequential" | "memory", { measured: number[], reference: number[] }>} */
  const figures = {
    concurrent: { measured: [], reference: [] },
    sequential: { measured: [], reference: [] },
    memory: { measured: [], reference: [] },
  };
  for (let round = 0; round <= rounds; round += 1) {
    note(round === 0 ? "outbox: warming up" : `outbox: round ${round} of ${rounds}`);
    const folder = mkdtempSync(path.join(tmpdir(), "bench-outbox-"));
    const plain = plainStore(new DatabaseSync(path.join(folder, "plain.db")));
    const mailer = mailerOf(path.join(folder, "outbox.db"));
    try {
      await mailer.queueMessage(messageOf(-1));
      /** @param {number} number */
      const queue = (number) => mailer.queueMessage(messageOf(number));
      const concurrent = {
        measured: await timeOf(() => queueAll(0, CONCURRENT, queue)),
        reference: await timeOf(() => plain.insertAll(0, CONCURRENT, AT_ONCE)),
      };
      const sequential = { measured: 0, reference: 0 };
      // In turns, so that the disk is equally busy for both.
      for (let number = CONCURRENT; number < CONCURRENT + SEQUENTIAL; number += 10) {
        sequential.measured += await timeOf(async () => {
          for (let each = 0; each < 10; each += 1) await queue(number + each);
        });
        sequential.reference += await timeOf(() => plain.insertAll(number, 10, 1));
      }
      const memory = {
        measured: await memoryOf(path.join(folder, "double.db"), DOUBLE),
        reference: await memoryOf(path.join(folder, "single.db"), CONCURRENT),
      };
      if (round === 0) continue;
      add(figures.concurrent, concurrent);
      add(figures.sequential, sequential);
      add(figures.memory, memory);
    } finally {
      await mailer.close();
      plain.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return [
    toResult({
      name: `queue 10,000 messages, ${AT_ONCE} at once, durable`,
      ...perMessage(figures.concurrent, CONCURRENT),
      baseline: `plain inserts, ${AT_ONCE} per commit`,
      unit: "µs",
    }),
    toResult({
      name: "queue messages one after another, durable",
      ...perMessage(figures.sequential, SEQUENTIAL),
      baseline: "plain inserts, one per commit",
      unit: "µs",
    }),
    toResult({
      name: "peak memory, 20,000 queued",
      ...figures.memory,
      baseline: "10,000 queued",
      unit: "MB",
      target: 1.1,
    }),
  ];
}

/**
 * @param {{ readonly measured: number[], readonly reference: number[] }} figures
 * @param {{ readonly measured: number, readonly reference: number }} round
 */
function add({ measured, reference }, round) {
  measured.push(round.measured);
  reference.push(round.reference);
}

/** @param {{ readonly measured: number[], readonly reference: number[] }} figure @param {number} count */
function perMessage({ measured, reference }, count) {
  /** @param {number} milliseconds */
  const each = (milliseconds) => (milliseconds * 1000) / count;
  return { measured: measured.map(each), reference: reference.map(each) };
}

/** @param {import("node:sqlite").DatabaseSync} database */
function plainStore(database) {
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE plain (id INTEGER PRIMARY KEY, email TEXT)",
  );
  const insert = database.prepare("INSERT INTO plain (email) VALUES (?)");
  return {
    /** @param {number} first @param {number} count @param {number} atOnce */
    async insertAll(first, count, atOnce) {
      for (let number = first; number < first + count; number += atOnce) {
        database.exec("BEGIN IMMEDIATE");
        for (let each = number; each < number + atOnce; each += 1) insert.run(JSON.stringify(messageOf(each)));
        database.exec("COMMIT");
      }
    },
    close: () => database.close(),
  };
}

/** @param {() => Promise<unknown>} work */
async function timeOf(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The peak memory in MB. @param {string} file @param {number} count */
async function memoryOf(file, count) {
  const { memory } = await runProcess([process.execPath, queueing, file, `${count}`], { cwd: path.dirname(file) });
  return memory / 1_000_000;
}
