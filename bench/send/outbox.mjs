// @ts-check
/*
 * The outbox beside the least that keeping a message takes: a bare insert of the same JSON into one table of the same
 * SQLite, flushed as often (synchronous FULL). Both files lie beside each other and grow together.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { toResult } from "../measure/report.mjs";
import { runProcess } from "../measure/run-process.mjs";
import { AT_ONCE, mailerOf, messageOf, queueAll } from "./queueing.mjs";

const TOGETHER = 10_000;
/** Of 10,000, only so many that a round does not take a minute on a slow disk. */
const ONE_BY_ONE = 200;
/** Memory that grew with each message would show beside half as many. */
const MORE = 20_000;

const queueing = fileURLToPath(new URL("queueing.mjs", import.meta.url));

/** @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchOutbox({ rounds, note }) {
  // Node 20 has none of its own.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite") ?? (await import("@photostructure/sqlite"));
  /** @type {Record<"together" | "oneByOne" | "memory", { measured: number[], reference: number[] }>} */
  const figures = {
    together: { measured: [], reference: [] },
    oneByOne: { measured: [], reference: [] },
    memory: { measured: [], reference: [] },
  };
  for (let round = 0; round <= rounds; round += 1) {
    note(round === 0 ? "outbox: warming up" : `outbox: round ${round} of ${rounds}`);
    const folder = mkdtempSync(path.join(tmpdir(), "bench-outbox-"));
    const bare = bareStore(new DatabaseSync(path.join(folder, "bare.db")));
    const mailer = mailerOf(path.join(folder, "outbox.db"));
    try {
      await mailer.queueMessage(messageOf(-1));
      /** @param {number} number */
      const queue = (number) => mailer.queueMessage(messageOf(number));
      const together = {
        measured: await timeOf(() => queueAll(0, TOGETHER, queue)),
        reference: await timeOf(() => bare.insertAll(0, TOGETHER, AT_ONCE)),
      };
      const oneByOne = { measured: 0, reference: 0 };
      // In turns, for the disk to be as busy for both.
      for (let number = TOGETHER; number < TOGETHER + ONE_BY_ONE; number += 10) {
        oneByOne.measured += await timeOf(async () => {
          for (let each = 0; each < 10; each += 1) await queue(number + each);
        });
        oneByOne.reference += await timeOf(() => bare.insertAll(number, 10, 1));
      }
      const memory = {
        measured: await memoryOf(path.join(folder, "more.db"), MORE),
        reference: await memoryOf(path.join(folder, "many.db"), TOGETHER),
      };
      if (round === 0) continue;
      add(figures.together, together);
      add(figures.oneByOne, oneByOne);
      add(figures.memory, memory);
    } finally {
      await mailer.close();
      bare.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return [
    toResult({
      name: `queue 10,000 messages, ${AT_ONCE} at once, durable`,
      ...perMessage(figures.together, TOGETHER),
      beside: `bare inserts, ${AT_ONCE} in a commit`,
      unit: "µs",
    }),
    toResult({
      name: "queue messages one after another, durable",
      ...perMessage(figures.oneByOne, ONE_BY_ONE),
      beside: "bare inserts, a commit each",
      unit: "µs",
    }),
    toResult({
      name: "peak memory, 20,000 queued",
      ...figures.memory,
      beside: "10,000 queued",
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
function bareStore(database) {
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE bare (id INTEGER PRIMARY KEY, email TEXT)",
  );
  const insert = database.prepare("INSERT INTO bare (email) VALUES (?)");
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

/** Megabytes at the peak. @param {string} file @param {number} count */
async function memoryOf(file, count) {
  const { memory } = await runProcess([process.execPath, queueing, file, `${count}`], { cwd: path.dirname(file) });
  return memory / 1_000_000;
}
