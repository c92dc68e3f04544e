// @ts-check
// A process that makes requests at the pace of a shared file, until its input ends. Its argument is a `Sender` as JSON.
import { systemClock } from "../../../dist/send/clock.js";
import { createPace } from "../../../dist/send/pace/pace.js";
import { createSqlitePace, PACE_SCHEMA } from "../../../dist/send/pace/sqlite-pace.js";
import { openStoreFile } from "../../../dist/send/store/open.js";

/**
 * @typedef {object} Sender
 * @property {string} file The store.
 * @property {string} url
 * @property {number} limit
 * @property {number} windowMs
 * @property {number} requestMs
 * @property {number} atOnce How many of its requests wait at once.
 */

/** @type {Sender} */
const { file, url, limit, windowMs, requestMs, atOnce } = JSON.parse(process.argv[2] ?? "");
const database = await openStoreFile(file, [PACE_SCHEMA]);
const pace = createPace({
  account: "crowd",
  store: createSqlitePace(database, systemClock),
  sendsPerMinute: limit,
  windowMs,
  clock: systemClock,
  publish: () => undefined,
});
const ending = new AbortController();
process.stdin.on("end", () => ending.abort()).resume();

async function sendOn() {
  while (!ending.signal.aborted) {
    const slot = await pace
      .acquire({ priority: "normal", maxWaitMs: Infinity, signal: ending.signal, requestMs })
      .catch(() => undefined);
    if (slot === undefined) return;
    if (slot.lapsed) {
      await slot.unused();
      continue;
    }
    try {
      const answer = await fetch(url, { method: "POST", signal: AbortSignal.timeout(requestMs) });
      await answer.arrayBuffer();
      await slot.answered({ status: answer.status });
    } catch {
      await slot.lost();
    }
  }
}

await Promise.all(Array.from({ length: atOnce }, sendOn));
await pace.close();
database.close();
process.exit();
